import type { HlcError } from '../core/errors/index.js';

/** What goes wrong on a topic. */
export interface TopicErrors {
  /** A sample was dropped: it is no message of the topic's type. */
  malformed(topicName: string, writerGuid: string, cause: string): void;
  /** A peer's endpoint does not match ours, since a QoS policy does not fit. */
  incompatibleQos(topicName: string, end: 'reader' | 'writer', policy: string): void;
  /** A write was refused, or a reader held it up. */
  writeFailed(error: HlcError): void;
  /**
   * Does a write; a reader that holds it up, and bytes that it refuses, are reported and counted.
   * @returns false when the write failed.
   */
  attempt(write: () => void): boolean;
  /** Messages were lost on the network, or because this process was too slow. */
  lost(topicName: string, reason: 'network' | 'overflow', total: number): void;
}
