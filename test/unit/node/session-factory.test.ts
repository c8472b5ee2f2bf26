import { describe, expect, it } from 'vitest';
import { cpmLabCommandRules } from '../../../src/core/index.js';
import { sessionSettings, stopAfter } from '../../../src/node/middleware/session-factory.js';
import { openSession } from '../../../src/tap/index.js';
import { parse } from '../config/parse.js';

const ms = 1_000_000n;
const parameters = { periodNs: 50n * ms, activeVehicleIds: [1, 2] };
const now = { realtimeNs: 1_700_000_000n * 1000n * ms, monotonicNs: 5n * ms };

function sessionOf(flags: string) {
  return openSession(sessionSettings(parse(flags), parameters, []), now);
}

describe('the session of a configuration', () => {
  it('is one in real time by default, and waits for controllers', () => {
    const { mode, session } = sessionOf('--vehicle-ids=1,2');
    expect([mode, session.phase]).toEqual(['real', 'waitingForControllers']);
  });

  it('is one in simulated time with --simulated-time', () => {
    const { mode, session } = sessionOf('--vehicle-ids=1,2 --simulated-time');
    expect([mode, session.phase]).toEqual(['simulated', 'waitingForControllers']);
  });

  it('has the period of the lab: an offset beyond it is refused', () => {
    expect(() => sessionOf('--offset-nanoseconds=50000000')).toThrow('offset');
    expect(() => sessionOf('--offset-nanoseconds=49999999')).not.toThrow();
  });

  it('ends by itself when no controller becomes ready in time', () => {
    const { session } = sessionOf('--ready-timeout-ms=100');
    expect(session.wakeAtNs).toBeLessThanOrEqual(now.monotonicNs + 100n * ms);
    const { session: endless } = sessionOf('--ready-timeout-ms=0');
    const later = { ...now, monotonicNs: now.monotonicNs + 1_000_000n * ms };
    expect(endless.handle({ kind: 'wake', now: later })).not.toContainEqual(
      expect.objectContaining({ kind: 'ended' }),
    );
  });
});

describe('the time from the last reply of a controller to the stop', () => {
  const rule = { policy: 'stop', missLimit: 3, holdPeriods: 5 } as const;

  it('is the given one', () => {
    const config = parse('--period-ms=50 --stop-after-ms=300');
    expect(stopAfter(config, rule, 50n * ms)).toBe(300n * ms);
  });

  it('is two periods at least: the lab may give a longer period', () => {
    const config = parse('--stop-after-ms=300');
    expect(stopAfter(config, rule, 400n * ms)).toBe(800n * ms);
  });

  it('follows from the miss limit and the period without one', () => {
    const config = parse('--period-ms=50');
    const short = stopAfter(config, rule, 50n * ms) ?? 0n;
    const long = stopAfter(config, { ...rule, missLimit: 6 }, 50n * ms) ?? 0n;
    expect(short).toBeGreaterThan(150n * ms);
    expect(long).toBe(short + 150n * ms);
  });

  it('does not exist in simulated time', () => {
    expect(stopAfter(parse('--period-ms=50 --simulated-time'), rule, 50n * ms)).toBeNull();
  });
});

describe('the checks with --compat=cpm-lab', () => {
  it('are those of the original, and those that the file names', () => {
    const files = { 'lab.yaml': 'checks: { tooFast: reject }' };
    const { safety } = parse('--compat=cpm-lab --config=lab.yaml', { files });
    expect(safety.policies).toEqual({ ...cpmLabCommandRules.policies, tooFast: 'reject' });
  });
});
