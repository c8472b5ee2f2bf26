import { expect, it } from 'vitest';
import type { EmergencyStop } from '../../../src/dds/index.js';
import { HangGuard } from '../../../src/node/middleware/hang-guard.js';

/** A hang guard, and what the pacer was called with. */
function begun() {
  const calls: string[] = [];
  const emergencyStop: Partial<EmergencyStop> = {
    armHangGuard: ({ afterNs, guarded }) => calls.push(`arm ${afterNs} ${guarded ?? '-'}`),
    beat: () => calls.push('beat'),
  };
  return { calls, hangGuard: new HangGuard(emergencyStop as EmergencyStop, 5n, 100n) };
}

const nothing = () => undefined;

it('says when a guard comes and goes, and beats in between', () => {
  const { calls, hangGuard } = begun();
  for (const isGuarded of [false, true, true, false]) hangGuard.beat(isGuarded, 100n, nothing);
  expect(calls).toEqual(['arm 5 false', 'beat', 'arm 5 true', 'beat', 'arm 5 false']);
});

it('has what a hang needs made before a beat counts, for a hang that begins now', () => {
  const { calls, hangGuard } = begun();
  const prepare = (silentNs: bigint) => calls.push(`${silentNs}, left ${hangGuard.leftNs(103n)}`);
  hangGuard.beat(false, 103n, prepare);
  expect(calls).toEqual(['arm 5 false', '3, left 5', 'beat']);
});

it('stays off once it is closed', () => {
  const { calls, hangGuard } = begun();
  hangGuard.close();
  hangGuard.beat(false, 100n, nothing);
  hangGuard.beat(true, 100n, nothing);
  expect(calls).toEqual(['arm 5 false', 'arm 0 -']);
});

it('says how long it takes until a hang counts', () => {
  const { hangGuard } = begun();
  expect(hangGuard.leftNs(102n)).toBe(3n);
  hangGuard.beat(false, 104n, nothing);
  expect(hangGuard.leftNs(104n)).toBe(5n);
  expect(hangGuard.leftNs(120n)).toBe(0n);
});
