import { HlcError } from '../../errors/index.js';
import { CdrWriter } from '../../messages/index.js';
import { writeTime } from './ros-time.js';
import type { RosTopics } from './topics.js';

const topic = '/clock';

/** The topic `/clock`, for the node that is the only source of simulated time. */
export class RosClock {
  #publish: ((message: Buffer) => void) | undefined;
  #lastNs: bigint | undefined;
  #isMoving = false;

  constructor(private readonly topics: RosTopics) {}

  /**
   * Begins to publish.
   * @throws HlcError `HLC_ROS_CLOCK_TAKEN` when another node publishes `/clock`, as far as it is
   *   discovered; `HLC_ROS_MESSAGES`.
   */
  open(): void {
    const other = this.other();
    if (other !== undefined) throw new HlcError('HLC_ROS_CLOCK_TAKEN', { node: other });
    this.#publish ??= this.topics.announce('rosgraph_msgs/msg/Clock', topic);
  }

  /** True once this node publishes. */
  get isOpen(): boolean {
    return this.#publish !== undefined;
  }

  /** Name of another node that publishes `/clock`; undefined when none is discovered. */
  other(): string | undefined {
    return this.topics.otherPublishersOf(topic)[0];
  }

  /** @param timeNs simulated time, ns. */
  publish(timeNs: bigint): void {
    this.#lastNs = timeNs;
    this.#isMoving = true;
    this.#send(timeNs);
  }

  /**
   * Publishes the last time once more, for nodes that came since, unless it was published since the last call.
   */
  repeat(): void {
    if (this.#lastNs !== undefined && !this.#isMoving) this.#send(this.#lastNs);
    this.#isMoving = false;
  }

  #send(timeNs: bigint): void {
    const writer = new CdrWriter().begin();
    writeTime(writer, timeNs);
    this.#publish?.(Buffer.from(writer.finish()));
  }
}
