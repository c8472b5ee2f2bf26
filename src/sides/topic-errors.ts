import { HlcError, isHlcError } from '../errors/index.js';

/** Receives what goes wrong on topics. */
export interface TopicErrors {
  /** A sample was dropped: it is no message of the topic's type. */
  malformed(topicName: string, writerGuid: string, cause: string): void;
  /** A peer's endpoint does not match, since a QoS policy does not fit. */
  incompatibleQos(topicName: string, end: 'reader' | 'writer', policy: string): void;
  /** A write was refused, or a reader held it up. */
  writeFailed(error: HlcError): void;
  /** Messages were lost on the network, or because this process was too slow. */
  lost(topicName: string, reason: 'network' | 'overflow', total: number): void;
}

/** Reports what goes wrong as errors with a code; lost messages are not reported. */
export function reportedTopicErrors(report: (error: HlcError) => void): TopicErrors {
  return {
    malformed: (topic, writerGuid, cause) =>
      report(new HlcError('HLC_SAMPLE_MALFORMED', { topic, writerGuid, cause })),
    incompatibleQos: (topic, end, policy) =>
      report(new HlcError('HLC_PEER_QOS', { topic, end, policy })),
    writeFailed: report,
    lost: () => undefined,
  };
}

/**
 * Does a write, and reports its failure.
 * @returns false when the write failed.
 * @throws what the write throws beside an HlcError.
 */
export function attemptWrite(errors: Pick<TopicErrors, 'writeFailed'>, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!isHlcError(error)) throw error;
    errors.writeFailed(error);
    return false;
  }
}
