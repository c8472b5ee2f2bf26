import fc from 'fast-check';
import type { StepControl } from '../../../src/core/index.js';
import { MS, S } from './support.js';

export const P = 50n * MS;
export const offset = 120n * MS;
export const ids = [0, 1, 2];

/** What can happen to a running middleware. Ids 0 to 2 are assigned, 3 and 4 are not. */
export type Happening =
  | { readonly do: 'pass'; readonly ns: bigint }
  | { readonly do: 'ready' | 'lost'; readonly id: number }
  | { readonly do: 'resume' }
  /** A guard has stopped the vehicle. */
  | { readonly do: 'guardStop'; readonly id: number }
  /** A command created so far from the time of the present step. */
  | { readonly do: 'command'; readonly id: number; readonly aheadNs: bigint }
  /** All that live reply. */
  | { readonly do: 'allReply' }
  | { readonly do: 'again' }
  | { readonly do: 'control'; readonly control: StepControl }
  /** A trigger of the lab for this many periods after the wanted time. */
  | { readonly do: 'trigger'; readonly periods: number }
  | { readonly do: 'stopTrigger' };

const id = fc.integer({ min: 0, max: 4 });
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ns: fc.bigInt({ min: 0n, max: 2n * S }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ready' as const), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lost' as const), id }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      id,
      aheadNs: fc.oneof(
        { weight: 5, arbitrary: fc.constant(0n) },
        { weight: 1, arbitrary: fc.bigInt({ min: -2n * P, max: 2n * P }) },
      ),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ do: 'allReply' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'again' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'resume' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('guardStop' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('control' as const),
      control: fc.oneof<fc.Arbitrary<StepControl>[]>(
        fc.constant({ kind: 'pause' }),
        fc.constant({ kind: 'resume' }),
        fc.record({ kind: fc.constant('step' as const), count: fc.integer({ min: 1, max: 3 }) }),
        fc.record({
          kind: fc.constant('runUntil' as const),
          tNs: fc.bigInt({ min: 0n, max: offset + 10n * P }),
        }),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('trigger' as const),
      periods: fc.constantFrom(0, 0, 0, 0, 1, -1),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'stopTrigger' as const }) },
);
