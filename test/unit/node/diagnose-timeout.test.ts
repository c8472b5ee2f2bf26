import { pino } from 'pino';
import { expect, it } from 'vitest';
import { diagnoseTimeout } from '../../../src/node/middleware/diagnose-timeout.js';
import type { DiscoveredDomain } from '../../../src/ports/index.js';
import {
  controllerSide,
  discoveredOn,
  labSide,
  participant,
  readyWriter,
} from '../diagnosis/discovered.js';

interface Line {
  readonly msg: string;
  readonly finding: { readonly kind: string };
}

/** The sentence of a time-out of ready signals, and the lines of the log. */
function diagnose(discovered: DiscoveredDomain | undefined) {
  const lines: Line[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Line) });
  const sentence = diagnoseTimeout(
    { local: controllerSide, other: labSide, discovered: () => discovered },
    { topic: 'readyStatus', what: 'the ready signals of controllers 1', otherIds: ['hlc_9'] },
    log,
  );
  return { sentence, lines };
}

it('logs every reason, and returns the most likely one with its advice', () => {
  const unfit = participant({ ...readyWriter, typeName: 'cpm::ReadyStatus' });
  const { sentence, lines } = diagnose(discoveredOn(1, unfit));
  expect(lines.map(({ finding }) => finding.kind)).toEqual(['typeMismatch', 'otherIds']);
  expect(sentence).toBe(lines[0]?.msg);
  expect(sentence).toMatch(/ has the type cpm::ReadyStatus, .*; use the type ReadyStatus of idl\//);
});

it('names another way to look over a transport without a list of participants', () => {
  const { sentence, lines } = diagnose(undefined);
  expect(sentence).toContain('ros2 topic info --verbose');
  expect(lines).toEqual([]);
});
