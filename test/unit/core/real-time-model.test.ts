import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cpmLabCommandRules,
  defaultCommandRules,
  type RealTimeConfig,
  type SupervisionConfig,
} from '../../../src/core/index.js';
import { P, offset, type Happening, happening } from './real-time-happenings.js';
import { Model } from './real-time-model.js';
import { cpmLabLatestStart, defaultLatestStart } from '../../../src/core/start-plan.js';
import { loggedOnly, MS, S, stops, unsupervised } from './support.js';

const supervised: fc.Arbitrary<SupervisionConfig> = fc
  .record({
    policy: fc.constantFrom('hold' as const, 'stop' as const),
    missLimit: fc.integer({ min: 1, max: 3 }),
    stopAfterNs: fc.constantFrom(null, 3n * P),
    graceNs: fc.constantFrom(0n, 4n * P),
    holdPeriods: fc.integer({ min: 1, max: 2 }),
    resume: fc.constantFrom('manual' as const, 'trigger' as const, 'auto' as const),
  })
  .map((rule) => ({ ruleOf: () => rule, stops, latched: [] }));

const config: fc.Arbitrary<RealTimeConfig> = fc.record({
  vehicleIds: fc.constant([0, 1, 2]),
  activeVehicleIds: fc.constant([0, 1]),
  periodNs: fc.constant(P),
  offsetNs: fc.constant(offset),
  waitForStart: fc.boolean(),
  periods: fc.constantFrom(null, null, 5),
  readyTimeoutNs: fc.constant(null),
  startTimeoutNs: fc.constant(null),
  listeningNs: fc.constant(0n),
  overrun: fc.constant({ kind: 'skip' as const }),
  latestStartNs: fc.constantFrom(defaultLatestStart(P), cpmLabLatestStart(P)),
  admit: fc.constant('listed' as const),
  listAdmitted: fc.constant(false),
  supervision: fc.oneof(fc.constant(loggedOnly), supervised),
  rules: fc.constantFrom(defaultCommandRules, defaultCommandRules, cpmLabCommandRules),
  judgeDelayNs: fc.constantFrom(0n, MS, MS),
  endTimeoutNs: fc.constantFrom(3n * S, 100n * MS),
});

/** Most runs begin with the way into the running phase. */
const opening: fc.Arbitrary<Happening[]> = fc.constantFrom<Happening[]>(
  [],
  [0, 1, 2].map((i) => ({ do: 'ready', id: i })),
  [...[0, 1, 2].map((i) => ({ do: 'ready' as const, id: i })), { do: 'trigger', inNs: 0n }],
  [{ do: 'trigger', inNs: 0n }, ...[0, 1, 2].map((i) => ({ do: 'ready' as const, id: i }))],
);

describe('any real-time session', () => {
  it('holds its invariants in whatever happens', () => {
    fc.assert(
      fc.property(
        config,
        opening,
        fc.array(happening, { maxLength: 80, size: 'max' }),
        (c, first, rest) => {
          const model = new Model(c);
          for (const h of [...first, ...rest]) model.apply(h);
          model.finish();
        },
      ),
      { numRuns: 400 },
    );
  });

  it('reports every withheld reply and no other, when nothing disturbs it', () => {
    const replies = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 3 });
    fc.assert(
      fc.property(replies, fc.bigInt({ min: 0n, max: P - 1n }), (rounds, delayNs) => {
        const model = new Model({
          vehicleIds: [0, 1, 2],
          activeVehicleIds: [],
          periodNs: P,
          offsetNs: offset,
          waitForStart: false,
          periods: rounds.length,
          readyTimeoutNs: null,
          startTimeoutNs: null,
          listeningNs: 0n,
          overrun: { kind: 'skip' },
          latestStartNs: defaultLatestStart(P),
          rules: defaultCommandRules,
          judgeDelayNs: MS,
          ...unsupervised,
        });
        for (const i of [0, 1, 2]) model.apply({ do: 'ready', id: i });
        while (model.periods.length === 0) model.pass(MS / 4n);
        // To just after the first start signal, by the clock of the model.
        const firstNs = model.periods[0]?.dueAtNs ?? 0n;
        rounds.forEach((round, k) => {
          const atNs = firstNs + BigInt(k) * P;
          if (model.clocks.monotonicNs < atNs) model.pass(atNs - model.clocks.monotonicNs);
          const replyAtNs = atNs + delayNs;
          if (model.clocks.monotonicNs < replyAtNs)
            model.pass(replyAtNs - model.clocks.monotonicNs);
          round.forEach((replied, i) => {
            if (replied) model.apply({ do: 'command', id: i, ageNs: 0n });
          });
        });
        model.pass(2n * P + 3n * S);
        expect(model.finished).toBe(true);
        for (const { id: reported, replies: counted, misses } of model.session.controllers()) {
          const given = rounds.filter((round) => round[reported]).length;
          expect([counted, misses]).toEqual([given, rounds.length - given]);
        }
      }),
    );
  });
});
