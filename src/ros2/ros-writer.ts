import { HlcError } from '../errors/index.js';
import type { QosPolicies, TopicSpec, TransportWriter, WriterListener } from '../ports/index.js';
import { guarded } from './guarded.js';
import {
  afterCallbacks,
  makeEndpoint,
  participantsOf,
  type EndpointOwner,
} from './ros-endpoint.js';
import { relativeTopicName } from './ros-names.js';
import { policyName, rosQos } from './ros-qos.js';
import type { RosPublisher } from './rclnodejs-api.js';
import { serializedSample } from './serialized-sample.js';

/** A publisher that is given serialized messages. */
export class RosWriter implements TransportWriter {
  readonly #publisher: RosPublisher;
  /** From the newest event. A query to the rmw would remove an event that is not delivered yet. */
  #matchedReaders = 0;
  #closed = false;

  /** @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`. */
  constructor(
    private readonly owner: EndpointOwner,
    readonly topic: TopicSpec,
    qos: QosPolicies,
    listener: WriterListener,
  ) {
    const { rclnodejs, node } = owner;
    const call = <A extends unknown[]>(callback: (...args: A) => void) => {
      const safe = guarded(callback, owner.onFault);
      return (...args: A) => {
        if (!this.#closed && !owner.closed) safe(...args);
      };
    };
    this.#publisher = makeEndpoint(owner, 'writer', topic, (type) => {
      const events = new rclnodejs.PublisherEventCallbacks();
      events.matched = call(({ current_count }) => {
        this.#matchedReaders = current_count;
        listener.onMatched?.(current_count);
      });
      events.incompatibleQos = call(({ last_policy_kind, total_count }) =>
        listener.onIncompatibleQos?.({
          policy: policyName(last_policy_kind),
          total: total_count,
        }),
      );
      const settings = { qos: rosQos(rclnodejs, 'writer', qos) };
      const publisher = node.createPublisher(type, relativeTopicName(topic), settings, events);
      node.syncHandles();
      return publisher;
    });
  }

  get matchedReaders(): number {
    return this.#closed || this.owner.closed ? 0 : this.#matchedReaders;
  }

  write(bytes: Uint8Array): void {
    this.#refuseWhenClosed();
    const sample = serializedSample(this.topic, bytes);
    try {
      this.#publisher.publish(sample);
    } catch (cause) {
      throw this.#writeError(cause);
    }
  }

  matchedParticipants(): ReadonlySet<string> {
    if (this.#closed || this.owner.closed) return new Set();
    const { node } = this.owner;
    const name = node.resolveTopicName(relativeTopicName(this.topic));
    return participantsOf(node.getSubscriptionsInfoByTopic(name), this.topic);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.owner.forget(this);
    afterCallbacks(this.owner, () => this.owner.node.destroyPublisher(this.#publisher));
  }

  #refuseWhenClosed(): void {
    if (this.#closed || this.owner.closed) {
      throw new HlcError('HLC_CLOSED', { what: `writer of "${this.topic.name}"` });
    }
  }

  #writeError(cause: unknown): HlcError {
    return new HlcError(
      'HLC_DDS_WRITE',
      { topic: this.topic.name, cause: (cause as Error).message },
      { cause },
    );
  }
}
