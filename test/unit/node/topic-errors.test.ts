import { pino } from 'pino';
import { expect, it } from 'vitest';
import { HlcError } from '../../../src/errors/index.js';
import { countedTopicErrors } from '../../../src/node/middleware/topic-errors.js';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { SessionLog } from '../../../src/node/observers/session-log.js';

it.each([
  ['of a writer that cannot write are logged and counted', 'HLC_DDS_WRITE', 1],
  ['of a side that closes are neither', 'HLC_CLOSED', 0],
] as const)('failed writes %s', (_, code, count) => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = new SessionLog(pino({}, { write }), () => 0n, { lab: 0, controllers: 1 });
  const statistics = new RunStatistics([1]);
  const errors = countedTopicErrors(statistics, log);
  const error =
    code === 'HLC_CLOSED'
      ? new HlcError(code, { what: 'writer' })
      : new HlcError(code, { topic: 'systemTrigger', cause: 'timeout' });
  const written = errors.attempt(() => {
    throw error;
  });
  expect(written).toBe(false);
  expect(lines).toHaveLength(count);
  expect(statistics.writesFailed.counts()).toEqual(count === 0 ? {} : { [code]: count });
});
