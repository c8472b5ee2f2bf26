import type { HlcError } from '../../errors/index.js';
import { attemptWrite, type TopicErrors } from '../../sides/index.js';
import type { RunStatistics } from '../observers/run-statistics.js';
import type { SessionLog } from '../observers/session-log.js';

/** Counts and logs what goes wrong on topics. */
export interface CountedTopicErrors extends TopicErrors {
  /**
   * Does a write; a reader that holds it up, and bytes that it refuses, are counted and logged.
   * @returns false when the write failed.
   */
  attempt(write: () => void): boolean;
}

export function countedTopicErrors(statistics: RunStatistics, log: SessionLog): CountedTopicErrors {
  const errors: TopicErrors = {
    malformed(topic, writerGuid, cause) {
      statistics.samplesMalformed.add(topic);
      log.malformed(topic, writerGuid, cause);
    },
    incompatibleQos: (topic, end, policy) => log.incompatibleQos(topic, end, policy),
    lost: (topic, reason, total) => log.lost(topic, reason, total),
    writeFailed(error: HlcError) {
      // A node of ROS 2 closes before the lab side does: what the lab sends meanwhile is passed on no more.
      if (error.code === 'HLC_CLOSED') return;
      statistics.writesFailed.add(error.code);
      log.writeFailed(error);
    },
  };
  return { ...errors, attempt: (write) => attemptWrite(errors, write) };
}
