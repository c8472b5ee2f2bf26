import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Command,
  cpmLabCommandRules,
  defaultCommandRules,
  type LockStepConfig,
  type LockStepEvent,
  type ResumePolicy,
  type SupervisionConfig,
} from '../../../src/core/index.js';
import { P, offset, ids, type Happening, happening } from './lock-step-happenings.js';
import { Model } from './lock-step-model.js';
import {
  loggedOnly,
  MS,
  only,
  S,
  speedCommand,
  stops,
  unsupervised,
  type TestEffect,
} from './support.js';

const stopping = (resume: ResumePolicy): SupervisionConfig => {
  const rule = { policy: 'stop', missLimit: 3, graceNs: 0n, holdPeriods: 1, resume } as const;
  return { ruleOf: () => ({ ...rule, stopAfterNs: null }), stops, latched: [] };
};
const stopAuto = stopping('auto');
const stopManual = stopping('manual');

const config: fc.Arbitrary<LockStepConfig> = fc.record({
  vehicleIds: fc.constant(ids),
  activeVehicleIds: fc.constant([0, 1]),
  periodNs: fc.constant(P),
  offsetNs: fc.constant(offset),
  timeSource: fc.oneof<fc.Arbitrary<LockStepConfig['timeSource']>[]>(
    fc.constant({ kind: 'lab' }),
    fc.record({
      kind: fc.constant('self' as const),
      realTimeFactor: fc.constantFrom(null, 1, 10),
      untilNs: fc.constantFrom(null, null, offset + 6n * P),
    }),
  ),
  periods: fc.constantFrom(null, null, 7),
  readyTimeoutNs: fc.constant(null),
  startTimeoutNs: fc.constant(null),
  replyTimeout: fc.constantFrom(
    null,
    { afterNs: 300n * MS, policy: 'wait' as const },
    { afterNs: 300n * MS, policy: 'drop' as const },
    { afterNs: 3n * S, policy: 'halt' as const },
  ),
  admit: fc.constant('listed' as const),
  listAdmitted: fc.constant(false),
  endTimeoutNs: fc.constantFrom(3n * S, 100n * MS),
  supervision: fc.constantFrom(loggedOnly, stopAuto, stopManual),
  rules: fc.constantFrom(defaultCommandRules, defaultCommandRules, cpmLabCommandRules),
});

const allReady: Happening[] = ids.map((i) => ({ do: 'ready', id: i }));

describe('any lock-step session', () => {
  it('holds its invariants in whatever happens', () => {
    fc.assert(
      fc.property(
        config,
        fc.constantFrom<Happening[]>([], allReady, allReady),
        fc.array(happening, { maxLength: 80, size: 'max' }),
        (c, first, rest) => {
          const model = new Model(c);
          for (const h of [...first, ...rest]) model.apply(h);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('gives the same sequence of times, states and commands whatever the real time between', () => {
    const pauses = fc.array(fc.bigInt({ min: 0n, max: 10n * S }), { minLength: 40 });
    const plain: LockStepConfig = {
      vehicleIds: ids,
      activeVehicleIds: ids,
      periodNs: P,
      offsetNs: offset,
      timeSource: { kind: 'self', realTimeFactor: null, untilNs: null },
      periods: 5,
      readyTimeoutNs: null,
      startTimeoutNs: null,
      replyTimeout: null,
      rules: defaultCommandRules,
      ...unsupervised,
    };
    const run = (waits: readonly bigint[]): TestEffect[] => {
      const model = new Model(plain);
      const reported: TestEffect[] = [];
      const waiting = waits.values();
      const give = (event: LockStepEvent<string, string, Command>) => {
        const effects = model.session.handle(event);
        reported.push(
          ...effects.filter((e) => e.kind === 'sendStartSignal' || e.kind === 'forwardCommand'),
        );
        model.nowNs += waiting.next().value ?? 0n;
      };
      for (const i of ids) {
        give({
          kind: 'readySignal',
          sourceId: `hlc_${i}`,
          writer: null,
          receivedAtNs: model.nowNs,
        });
      }
      for (let k = 0n; k < 5n; k++) {
        const t = offset + k * P;
        for (const i of ids) {
          const sample = {
            vehicleId: i,
            createStampNs: t,
            validAfterNs: t + P,
            payload: `${i} at ${t}`,
          };
          const motion = { speedMps: 0, pose: { x: 0, y: 0, yaw: 0 }, createStampNs: t };
          give({ kind: 'vehicleState', sample, motion, receivedAtNs: model.nowNs });
        }
        for (const i of ids) {
          give({
            kind: 'command',
            command: speedCommand(i, t),
            writer: null,
            receivedAtNs: model.nowNs,
            atNs: model.nowNs,
          });
        }
      }
      return reported;
    };
    const reference = run([]);
    expect(only(reference, 'sendStartSignal')).toHaveLength(5);
    expect(only(reference, 'forwardCommand')).toHaveLength(15);
    fc.assert(
      fc.property(pauses, (waits) => {
        expect(run(waits)).toEqual(reference);
      }),
      { numRuns: 30 },
    );
  });
});
