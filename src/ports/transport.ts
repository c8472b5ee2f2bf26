import type { HlcError } from '../errors/index.js';
import type { QosPolicies } from './qos.js';

/**
 * The port to one side (one DDS domain, or one ROS 2 context). Its adapters move CDR bytes
 * (OMG DDS-XTypes 1.3, section 7.4: XCDR1, final types, with the 4-byte encapsulation header);
 * types and codecs are the business of the caller.
 */
export interface Transport {
  /**
   * True when samples name their writer. False when only the topic is known: the writer of every
   * sample is then `unknownWriter`, its source timestamp 0, and a reader cannot distinguish reliable
   * writers from others (`ignoreReliableWriters` is refused).
   */
  readonly knowsWriters: boolean;
  /** @throws HlcError `HLC_DDS_ENTITY` when the QoS or the type is refused. */
  createWriter(topic: TopicSpec, qos: QosPolicies, listener?: WriterListener): TransportWriter;
  /** @throws HlcError `HLC_DDS_ENTITY` when the QoS or the type is refused. */
  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options?: ReaderOptions,
  ): TransportReader;
  /** Closes the endpoints and then the side itself; closing twice is allowed. */
  close(): void;
}

/** A topic: its name and the name of its type, both as the wire contract in `idl/` spells them. */
export interface TopicSpec {
  readonly name: string;
  readonly typeName: string;
}

export interface ReaderOptions {
  /**
   * Ignore what reliable writers send. For a best-effort reader that stands beside a reliable one
   * on the same topic, so that no sample arrives twice.
   */
  readonly ignoreReliableWriters?: boolean;
  /** Ignore what writers of the same participant send, where the transport can. */
  readonly ignoreOwnWriters?: boolean;
  /**
   * Give up reliability when a best-effort writer appears, so that samples of both kinds of writers arrive
   * from then on. For a reliable reader of a transport that cannot have two side by side.
   */
  readonly yieldToBestEffort?: boolean;
}

/**
 * When a sample is sent that is written while received samples are handled:
 * - `with-all`: with all that is written meanwhile;
 * - `with-others`: with what follows from the received samples after this one; without any at once.
 *
 * None waits longer than until the last received sample is handled.
 */
export type SendOrder = 'with-all' | 'with-others';

export interface TransportWriter {
  readonly topic: TopicSpec;
  /** The writer that carries the samples of this one unchanged, where it is not the last. */
  readonly carrier?: TransportWriter;
  /** How many readers are matched now. */
  readonly matchedReaders: number;
  /**
   * Writes one sample. Without `order` it is sent at once, after all that was written before.
   * @param bytes CDR with encapsulation header; read during the call only.
   * @throws HlcError `HLC_DDS_WRITE` when the bytes do not begin as plain CDR, or when a reliable write
   *   stayed blocked for longer than the maximal blocking time.
   */
  write(bytes: Uint8Array, order?: SendOrder): void;
  /** The participants (GUID prefix, 24 hex digits) that have a matched reader now. */
  matchedParticipants(): ReadonlySet<string>;
  /** Closing twice is allowed. */
  close(): void;
}

export interface TransportReader {
  readonly topic: TopicSpec;
  /** How many writers are matched now. */
  readonly matchedWriters: number;
  /** The participants (GUID prefix, 24 hex digits) that have a matched writer now. */
  matchedParticipants(): ReadonlySet<string>;
  /** Closing twice is allowed; no listener is called after it. */
  close(): void;
}

/** The writer of a sample, known by its RTPS GUID (OMG DDSI-RTPS 2.5, section 8.2.4). */
export interface WriterIdentity {
  /** 32 hex digits: 24 of the participant's GUID prefix and 8 of the entity id. */
  readonly guid: string;
  readonly reliable: boolean;
}

/** A writer that nothing is known of (GUID_UNKNOWN, OMG DDSI-RTPS 2.5, section 8.2.4). */
export const unknownWriter: WriterIdentity = { guid: '0'.repeat(32), reliable: false };

export interface WriterChange {
  readonly writer: WriterIdentity;
  readonly joined: boolean;
}

export interface ReceivedSample {
  /** CDR with encapsulation header, native byte order. Valid during the call only: copy to keep. */
  readonly bytes: Uint8Array;
  readonly writer: WriterIdentity;
  /** Stamp of the writer's clock, ns since 1970; 0 when the transport does not know it. */
  readonly sourceTimestampNs: bigint;
  /** Monotonic clock of this machine at reception, ns, taken in the receiving thread. */
  readonly receivedAtNs: bigint;
}

/** Calls come one at a time, never from within a call to the transport. A throw is a fault. */
export interface ReaderListener {
  onSample(sample: ReceivedSample): void;
  /** A writer matched, or a matched one is gone: closed, or silent for its lease. */
  onMatched?(matchedWriters: number, change: WriterChange): void;
  /** A discovered writer offers QoS that does not satisfy this reader. */
  onIncompatibleQos?(event: IncompatibleQos): void;
  /** Samples never arrived, or were thrown away because this process was too slow. */
  onSampleLost?(event: SampleLost): void;
  /** Bytes that are no sample of this topic's type came from a matched writer, and were dropped. */
  onMalformed?(event: MalformedSample): void;
}

export interface WriterListener {
  /** The number of matched readers changed. */
  onMatched?(matchedReaders: number): void;
  /** A discovered reader requests QoS that this writer does not satisfy. */
  onIncompatibleQos?(event: IncompatibleQos): void;
  /** `HLC_DDS_WRITE`: what another thread was to write with this writer could not be written. */
  onWriteFailed?(error: HlcError): void;
}

export interface IncompatibleQos {
  /** Name of the policy that did not fit, as in OMG DDS 1.4, for example `RELIABILITY`. */
  readonly policy: string;
  /** Number of peers refused since this endpoint was made. */
  readonly total: number;
}

export interface SampleLost {
  readonly reason: 'network' | 'overflow';
  /** Samples lost for this reason since this endpoint was made. */
  readonly total: number;
}

export interface MalformedSample {
  /** GUID of the writer, 32 hex digits. */
  readonly writerGuid: string;
  /** What was wrong, in the words of the decoder. */
  readonly cause: string;
}
