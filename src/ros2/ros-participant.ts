import { access } from 'node:fs';
import { HlcError } from '../errors/index.js';
import type {
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  TopicSpec,
  Transport,
  TransportReader,
  TransportWriter,
  WriterListener,
} from '../ports/index.js';
import { rosTypes } from '../messages/index.js';
import { guarded, type OnFault } from './guarded.js';
import {
  makeEndpoint,
  peersOf,
  type EndpointOwner,
  type RosNodeHandle,
  type RosPeer,
} from './ros-endpoint.js';
import { relativeTopicName } from './ros-names.js';
import { rosQos } from './ros-qos.js';
import { keylessQos } from './on-dds/keyless-qos.js';
import { RosReader } from './ros-reader.js';
import { RosWriter } from './ros-writer.js';
import type { Rclnodejs, RosContext, RosNode, RosSubscription } from './rclnodejs-api.js';

export interface RosParticipantOptions {
  /** 0 to 232. */
  readonly domainId: number;
  /** Name of the node, where no remap says otherwise. */
  readonly name: string;
  /** From `--ros-args` on, without parameters; empty when there are none. */
  readonly rosArguments: readonly string[];
  /** The clock of the node follows `/clock`. */
  readonly useSimTime: boolean;
  /** The node serves `~/get_type_description`. */
  readonly startTypeDescription: boolean;
  /** How many vehicles this side may write about, at least 1: a writer keeps its depth for each. */
  readonly writtenVehicles: number;
  /** A callback threw; the node goes on. */
  readonly onFault: OnFault;
}

/** Vehicle ids are octets; a history of a reader must have room for all. */
const everyVehicle = 256;
/** How long the thread that waits for messages waits at most; it must be able to end, ms. */
const spinTimeoutMs = 10;
/** `rcl_interfaces/msg/ParameterType`. */
const parameterBool = 1;

/**
 * One ROS 2 node in a context of its own: the transport of one side. It moves serialized messages;
 * of those that come it knows the topic, not the writer.
 */
export class RosParticipant implements Transport {
  readonly knowsWriters = false;
  readonly #endpoints = new Set<{ close(): void }>();
  readonly #owner: EndpointOwner;
  /** By topic; rclnodejs would collect them otherwise. */
  readonly #shown = new Map<string, RosSubscription>();
  #closed = false;
  #end = Promise.resolve();

  private constructor(
    rclnodejs: Rclnodejs,
    private readonly context: RosContext,
    private readonly writtenVehicles: number,
    node: RosNode,
    onFault: OnFault,
  ) {
    const isClosed = () => this.#closed;
    this.#owner = {
      rclnodejs,
      node,
      get closed() {
        return isClosed();
      },
      onFault,
      forget: (endpoint) => void this.#endpoints.delete(endpoint),
    };
  }

  /** @throws HlcError `HLC_ROS_NODE`. */
  static async open(rclnodejs: Rclnodejs, options: RosParticipantOptions): Promise<RosParticipant> {
    const { domainId, name, rosArguments, useSimTime, writtenVehicles, onFault } = options;
    const context = new rclnodejs.Context(BigInt(domainId));
    try {
      await rclnodejs.init(context, ['hlc-middleware', ...rosArguments]);
      const simTime = new rclnodejs.Parameter('use_sim_time', parameterBool, useSimTime);
      const node = rclnodejs.createNode(name, '', context, {
        startParameterServices: false,
        // The log of this program is on /rosout; that of rclnodejs would be a second publisher.
        enableRosout: false,
        startTypeDescriptionService: options.startTypeDescription,
        parameterOverrides: [simTime],
      });
      // Events of parameters belong on /parameter_events, where this program publishes them.
      const { _parameterEventPublisher: misplaced } = node;
      if (misplaced !== undefined) node.destroyPublisher(misplaced);
      // Also what rclnodejs itself throws in its callbacks would end the process.
      node.execute = guarded(node.execute.bind(node), onFault);
      node.spin(spinTimeoutMs);
      return new RosParticipant(rclnodejs, context, writtenVehicles, node, onFault);
    } catch (cause) {
      if (context.isInitialized()) await shutDown(context, onFault);
      const [reason = ''] = (cause as Error).message.split('\n');
      throw new HlcError('HLC_ROS_NODE', { name, cause: reason }, { cause });
    }
  }

  /** For what the node offers beside the topics of the transport. */
  get handle(): RosNodeHandle {
    return this.#owner;
  }

  createWriter(topic: TopicSpec, qos: QosPolicies, listener: WriterListener = {}): TransportWriter {
    this.#refuseWhenClosed();
    const own = qosWithoutKeys(topic, qos, this.writtenVehicles);
    return this.#keep(new RosWriter(this.#owner, topic, own, listener));
  }

  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options: ReaderOptions = {},
  ): TransportReader {
    this.#refuseWhenClosed();
    const own = qosWithoutKeys(topic, qos, everyVehicle);
    return this.#keep(new RosReader(this.#owner, topic, own, listener, options));
  }

  /**
   * Has a subscription in the graph of ROS 2 whose messages are never taken, for a topic that is read
   * in another way. It stays as long as the node.
   * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
   */
  showSubscription(topic: TopicSpec): void {
    this.#refuseWhenClosed();
    if (this.#shown.has(topic.name)) return;
    const { node, rclnodejs } = this.#owner;
    const qos = rosQos(rclnodejs, 'reader', {
      reliability: { kind: 'best-effort' },
      history: { kind: 'keep-last', depth: 1 },
    });
    const subscription = makeEndpoint(this.#owner, 'reader', topic, (type) =>
      node.createSubscription(
        type,
        relativeTopicName(topic),
        { qos, isRaw: true },
        () => undefined,
      ),
    );
    this.#shown.set(topic.name, subscription);
    // The thread that waits for messages of its subscriptions leaves out the last one from now on.
    node._subscriptions?.pop();
    node.syncHandles();
  }

  /** The publishers of a topic, as far as the graph of ROS 2 names them. */
  publishersOf(topic: TopicSpec): readonly RosPeer[] {
    if (this.#closed) return [];
    const { node } = this.#owner;
    const name = node.resolveTopicName(relativeTopicName(topic));
    return peersOf(node.getPublishersInfoByTopic(name), topic);
  }

  close(): void {
    if (this.#closed) return;
    for (const endpoint of this.#endpoints) endpoint.close();
    this.#closed = true;
    this.#end = shutDown(this.context, this.#owner.onFault);
  }

  /** Settles when what was closed is gone. */
  get ended(): Promise<void> {
    return this.#end;
  }

  #keep<E extends { close(): void }>(endpoint: E): E {
    this.#endpoints.add(endpoint);
    return endpoint;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'ROS 2 node' });
  }
}

/**
 * Shuts a context down from a callback of the file system. rclnodejs 2.2 runs the event loop within
 * `shutdown`, and within an immediate of Node.js that never returns.
 */
function shutDown(context: RosContext, onFault: OnFault): Promise<void> {
  return new Promise((resolve) => {
    access('/', () => {
      guarded(() => context.shutdown(), onFault)();
      resolve();
    });
  });
}

/** A topic that has a key in `idl/` has one history for all vehicles in ROS 2. */
function qosWithoutKeys({ typeName }: TopicSpec, qos: QosPolicies, vehicles: number): QosPolicies {
  return rosTypes[typeName]?.keyedInIdl === true ? keylessQos(qos, vehicles) : qos;
}
