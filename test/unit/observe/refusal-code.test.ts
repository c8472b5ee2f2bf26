import { pino } from 'pino';
import { expect, it } from 'vitest';
import { checkCodes, type Violation } from '../../../src/core/index.js';
import { SessionLog } from '../../../src/node/observers/session-log.js';
import { errorPage } from '../../../src/observe/error-page.js';
import { eventView } from '../../../src/observe/live/page-views.js';
import type { ReceivedCommand } from '../../../src/sides/index.js';
import type { TapLog } from '../../../src/tap/index.js';

const command = { writerGuid: '01'.repeat(16) } as ReceivedCommand;
const unknown: Violation = {
  check: 'unknownVehicle',
  code: checkCodes.unknownVehicle,
  details: { vehicleId: 7 },
};
const noPeriod: Violation = {
  check: 'noPeriod',
  code: checkCodes.noPeriod,
  details: { vehicleId: 7 },
};

/** What the page gets of this effect. */
function shown(effect: Parameters<SessionLog['effect']>[0]) {
  const entries: TapLog[] = [];
  const write = (line: string) => void entries.push(JSON.parse(line) as TapLog);
  const log = new SessionLog(pino({}, { write }), () => 0n, { lab: 0, controllers: 1 });
  log.effect(effect);
  return entries.map(eventView);
}

it('a refused command has the code of the check that refused it, and the page of errors an entry for it', () => {
  const violations = [noPeriod, unknown];
  const [event] = shown({ kind: 'refuseCommand', id: 7, code: unknown.code, command, violations });
  expect(event).toMatchObject({ level: 40, code: 'HLC_COMMAND_UNKNOWN_VEHICLE' });
  expect(event?.text).toContain('vehicle 7');
  expect(errorPage()).toContain('<h3 id="hlc_command_unknown_vehicle">');
});

it('a command that was forwarded in spite of a failed check has the code of the first one', () => {
  const [event] = shown({ kind: 'flagCommand', id: 7, command, violations: [noPeriod, unknown] });
  expect(event?.code).toBe('HLC_COMMAND_NO_PERIOD');
});
