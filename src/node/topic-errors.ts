import { type HlcError, isHlcError } from '../core/errors/index.js';
import type { RunStatistics } from './run-statistics.js';
import type { SessionLog } from './session-log.js';
import type { TopicErrors } from '../sides/index.js';

/** Counts what goes wrong on topics, and logs it. */
export function countedTopicErrors(statistics: RunStatistics, log: SessionLog): TopicErrors {
  const writeFailed = (error: HlcError) => {
    statistics.writesFailed.add(error.code);
    log.writeFailed(error);
  };
  return {
    malformed(topic, writerGuid, cause) {
      statistics.samplesMalformed.add(topic);
      log.malformed(topic, writerGuid, cause);
    },
    incompatibleQos: (topic, end, policy) => log.incompatibleQos(topic, end, policy),
    lost: (topic, reason, total) => log.lost(topic, reason, total),
    writeFailed,
    attempt(write) {
      try {
        write();
        return true;
      } catch (error) {
        if (!isHlcError(error)) throw error;
        writeFailed(error);
        return false;
      }
    },
  };
}
