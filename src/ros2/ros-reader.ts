import {
  unknownWriter,
  type QosPolicies,
  type ReaderListener,
  type ReaderOptions,
  type TopicSpec,
  type TransportReader,
} from '../ports/index.js';
import { guarded } from './guarded.js';
import {
  afterCallbacks,
  makeEndpoint,
  participantsOf,
  type EndpointOwner,
} from './ros-endpoint.js';
import { relativeTopicName } from './ros-names.js';
import { policyName, rosQos } from './ros-qos.js';
import type {
  RosEventCallbacks,
  RosIncompatibleQosEvent,
  RosSubscription,
} from './rclnodejs-api.js';

/** A subscription that hands over serialized messages. */
export class RosReader implements TransportReader {
  #subscription: RosSubscription;
  #matchedWriters = 0;
  #yields: boolean;
  /** Of the newest subscription; samples of an older one are dropped. */
  #generation = 0;
  #closed = false;

  /** @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`. */
  constructor(
    private readonly owner: EndpointOwner,
    readonly topic: TopicSpec,
    private readonly qos: QosPolicies,
    private readonly listener: ReaderListener,
    options: ReaderOptions,
  ) {
    this.#yields = options.yieldToBestEffort === true && qos.reliability?.kind === 'reliable';
    if (options.ignoreReliableWriters === true) {
      throw new RangeError('The transport ros2 cannot distinguish reliable writers from others.');
    }
    this.#subscription = this.#subscribe(qos);
  }

  get matchedWriters(): number {
    return this.#closed ? 0 : this.#matchedWriters;
  }

  matchedParticipants(): ReadonlySet<string> {
    if (this.#closed || this.owner.closed) return new Set();
    const { node } = this.owner;
    const name = node.resolveTopicName(relativeTopicName(this.topic));
    return participantsOf(node.getPublishersInfoByTopic(name), this.topic);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.owner.forget(this);
    this.#destroy(this.#subscription);
  }

  #subscribe(qos: QosPolicies): RosSubscription {
    const { rclnodejs, node } = this.owner;
    this.#generation += 1;
    return makeEndpoint(this.owner, 'reader', this.topic, (type) => {
      const subscription: RosSubscription = node.createSubscription(
        type,
        relativeTopicName(this.topic),
        { qos: rosQos(rclnodejs, 'reader', qos), isRaw: true },
        this.#call((bytes: Buffer) => {
          this.listener.onSample({
            bytes,
            writer: unknownWriter,
            sourceTimestampNs: 0n,
            receivedAtNs: process.hrtime.bigint(),
          });
        }),
        this.#events(),
      );
      return subscription;
    });
  }

  #events(): RosEventCallbacks {
    const events = new this.owner.rclnodejs.SubscriptionEventCallbacks();
    events.matched = this.#call(({ current_count, current_count_change }) => {
      this.#matchedWriters = current_count;
      const change = { writer: unknownWriter, joined: current_count_change > 0 };
      this.listener.onMatched?.(current_count, change);
    });
    events.incompatibleQos = this.#call((event) => this.#onIncompatibleQos(event));
    events.messageLost = this.#call(({ total_count }) =>
      this.listener.onSampleLost?.({ reason: 'network', total: total_count }),
    );
    return events;
  }

  #onIncompatibleQos({ last_policy_kind, total_count }: RosIncompatibleQosEvent): void {
    const policy = policyName(last_policy_kind);
    if (!this.#yields || policy !== 'RELIABILITY') {
      this.listener.onIncompatibleQos?.({ policy, total: total_count });
      return;
    }
    // A best-effort subscription matches writers of both kinds.
    this.#yields = false;
    const reliable = this.#subscription;
    this.#matchedWriters = 0;
    this.#subscription = this.#subscribe({ ...this.qos, reliability: { kind: 'best-effort' } });
    this.#destroy(reliable);
  }

  #destroy(subscription: RosSubscription): void {
    afterCallbacks(this.owner, () => this.owner.node.destroySubscription(subscription));
  }

  /** A callback of the newest subscription, which is not called after `close`. */
  #call<A extends unknown[]>(callback: (...args: A) => void): (...args: A) => void {
    const generation = this.#generation;
    const call = guarded(callback, this.owner.onFault);
    return (...args) => {
      if (generation === this.#generation && !this.#closed && !this.owner.closed) call(...args);
    };
  }
}
