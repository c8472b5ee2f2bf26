import fc from 'fast-check';
import type { VehiclesStoppedEvent } from '../../../src/core/index.js';
import { MS, S } from './support.js';

export const P = 50n * MS;
export const offset = 3n * MS;

/** What can happen to a running middleware. Ids 0 to 2 are assigned, 3 and 4 are not. */
export type Happening =
  | { readonly do: 'pass'; readonly ns: bigint }
  /** Up to the next instant at which the session wants to be woken. */
  | { readonly do: 'tick' }
  /** The process does not get to run for this long. */
  | { readonly do: 'stall'; readonly ns: bigint }
  | { readonly do: 'clockJump'; readonly ns: bigint }
  /** The ready signal of a controller, and the end of its process. */
  | { readonly do: 'ready' | 'lost'; readonly id: number }
  /** The same of a second process that says it is this controller. */
  | { readonly do: 'intruderReady' | 'intruderLost' | 'intruderCommand'; readonly id: number }
  | { readonly do: 'resume'; readonly ids: readonly number[] | 'all' }
  | {
      readonly do: 'vehiclesStopped';
      readonly cause: VehiclesStoppedEvent['cause'];
      readonly ids: readonly number[] | 'all';
    }
  | { readonly do: 'vehicleState'; readonly id: number; readonly speedMps: number }
  /** A command with a create stamp so far from the time of the last start signal. */
  | { readonly do: 'command'; readonly id: number; readonly ageNs: bigint }
  /** A command that was received a while ago and is handed over only now. */
  | { readonly do: 'lateHandOver'; readonly id: number; readonly receivedAgoNs: bigint }
  | { readonly do: 'again' }
  | { readonly do: 'trigger'; readonly inNs: bigint }
  | { readonly do: 'stopTrigger' };

const id = fc.integer({ min: 0, max: 4 });
const upTo = (max: bigint) => fc.bigInt({ min: 0n, max });
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pass' as const), ns: upTo(2n * P) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'tick' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stall' as const), ns: upTo(6n * P) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clockJump' as const),
      ns: fc.oneof(
        fc.bigInt({ min: -2n * P, max: 2n * P }),
        fc.constantFrom(S, -S, 3600n * S, -3600n * S),
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ready' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lost' as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('intruderReady', 'intruderLost', 'intruderCommand'),
      id,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resume' as const),
      ids: fc.oneof(
        fc.constant('all' as const),
        id.map((one) => [one]),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('vehiclesStopped' as const),
      cause: fc.constantFrom('stalled' as const, 'stalledOnPlan' as const, 'guard' as const),
      ids: fc.oneof(
        fc.constant('all' as const),
        id.map((one) => [one]),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('vehicleState' as const),
      id,
      speedMps: fc.constantFrom(0, 1),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      id,
      ageNs: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0n) },
        { weight: 1, arbitrary: fc.bigInt({ min: -S, max: S }) },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lateHandOver' as const),
      id,
      receivedAgoNs: upTo(2n * MS),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'again' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('trigger' as const),
      inNs: fc.bigInt({ min: -S, max: S }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'stopTrigger' as const }) },
);

/** The second process that says it is a controller. */
export const intruderOf = (id: number): number => id + 16;
