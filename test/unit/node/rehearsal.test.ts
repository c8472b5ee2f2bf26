import { expect, it } from 'vitest';
import { rehearse } from '../../../src/node/middleware/rehearsal.js';
import { sessionSettings } from '../../../src/node/middleware/session-factory.js';
import { parse } from '../config/parse.js';

const ms = 1_000_000n;

function forwarded(flags: string, periodMs = 50n): number {
  const parameters = { periodNs: periodMs * ms, activeVehicleIds: [1, 2] };
  return rehearse(sessionSettings(parse(flags), parameters, []));
}

it.each([
  { flags: '--vehicle-ids=1,2' },
  { flags: '--vehicle-ids=1,2 --compat=cpm-lab' },
  { flags: '--vehicle-ids=1,2 --wait-for-start=true --periods=3 --admit=any' },
  { flags: `--vehicle-ids=${Array.from({ length: 255 }, (_, i) => i).join(',')}` },
  { flags: '--vehicle-ids=1,2', periodMs: 1n },
  { flags: '--vehicle-ids=1,2', periodMs: 5000n },
  { flags: '--vehicle-ids=1,2 --overrun-policy=halt --miss-policy=hold' },
])('forwards four commands to each of two vehicles in 4 periods: $flags', ({ flags, periodMs }) => {
  expect(forwarded(flags, periodMs)).toBe(4 * 2 * 4);
});

it('plays with a single vehicle', () => {
  expect(forwarded('--vehicle-ids=7')).toBe(4 * 4);
});

it('does nothing in simulated time', () => {
  expect(forwarded('--vehicle-ids=1,2 --simulated-time')).toBe(0);
});
