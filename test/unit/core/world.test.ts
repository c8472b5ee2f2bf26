import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type VehicleSample, World, type WorldEntry } from '../../../src/core/world.js';

const sample = (vehicleId: number, createStampNs: bigint, validAfterNs: bigint, payload = '') => ({
  vehicleId,
  createStampNs,
  validAfterNs,
  payload,
});

/** What a start signal of this time lists; no earlier one follows. */
function snapshot<T>(world: World<T>, tNs: bigint): WorldEntry<T>[] {
  world.settle(tNs);
  return world.peek(tNs);
}

/** Payloads by vehicle; null for absent ones. */
const payloads = (world: World<string>, tNs: bigint) =>
  snapshot(world, tNs).map((entry) => (entry.present ? entry.payload : null));

/** The rule word for word: all samples are kept, and looked through. */
function oracle<T>(all: readonly VehicleSample<T>[], id: number, tNs: bigint): T | null {
  let best: VehicleSample<T> | null = null;
  for (const s of all) {
    if (s.vehicleId !== id || s.validAfterNs > tNs) continue;
    if (best === null || s.createStampNs >= best.createStampNs) best = s;
  }
  return best === null ? null : best.payload;
}

const randomSample = fc.record({
  vehicleId: fc.integer({ min: 1, max: 3 }),
  createStampNs: fc.bigInt({ min: 0n, max: 20n }),
  leadNs: fc.bigInt({ min: -10n, max: 20n }),
});

const toSample = ({ vehicleId, createStampNs, leadNs }: RandomSample, payload: number) => ({
  vehicleId,
  createStampNs,
  validAfterNs: createStampNs + leadNs,
  payload,
});
type RandomSample = typeof randomSample extends fc.Arbitrary<infer T> ? T : never;

describe('the world', () => {
  it('gives the sample with the highest create stamp that is valid', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 10n, 70n, 'a'));
    world.put(sample(1, 30n, 90n, 'b'));
    world.put(sample(1, 50n, 110n, 'c'));
    expect(payloads(world, 69n)).toEqual([null]);
    expect(payloads(world, 89n)).toEqual(['a']);
    expect(payloads(world, 110n)).toEqual(['c']);
  });

  it('lets the later arrival win a tie', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 10n, 20n, 'first'));
    world.put(sample(1, 10n, 20n, 'second'));
    expect(payloads(world, 20n)).toEqual(['second']);
  });

  it('does not go back to an older sample that arrives late', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 30n, 30n, 'new'));
    expect(payloads(world, 40n)).toEqual(['new']);
    world.put(sample(1, 20n, 20n, 'old'));
    expect(payloads(world, 41n)).toEqual(['new']);
  });

  it('orders the entries by id, each active id once, and ignores other vehicles', () => {
    const world = new World<string>([9, 2, 9, 4]);
    expect(world.put(sample(9, 0n, 0n, 'nine'))).toBe(true);
    expect(world.put(sample(3, 0n, 0n, 'three'))).toBe(false);
    expect(snapshot(world, 5n)).toEqual([
      { present: false, vehicleId: 2 },
      { present: false, vehicleId: 4 },
      { present: true, vehicleId: 9, createStampNs: 0n, ageNs: 5n, payload: 'nine' },
    ]);
  });

  it('keeps the last state of a vehicle that fell silent, with its age', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 10n, 10n, 'last'));
    expect(snapshot(world, 10n ** 12n)[0]).toMatchObject({
      payload: 'last',
      ageNs: 10n ** 12n - 10n,
    });
  });

  it('is the same as looking through all samples ever seen', () => {
    const happening = fc.oneof(
      { weight: 5, arbitrary: randomSample },
      { weight: 1, arbitrary: fc.record({ forwardNs: fc.bigInt({ min: 0n, max: 8n }) }) },
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
        const world = new World<number>([1, 2], 1000);
        const all: VehicleSample<number>[] = [];
        let tNs = 0n;
        for (const [i, it] of happenings.entries()) {
          if ('forwardNs' in it) {
            tNs += it.forwardNs;
            const got = snapshot(world, tNs).map((e) => (e.present ? e.payload : null));
            expect(got).toEqual([oracle(all, 1, tNs), oracle(all, 2, tNs)]);
          } else {
            const s = toSample(it, i);
            all.push(s);
            world.put(s);
          }
        }
      }),
    );
  });

  it('stays bounded when no snapshots are taken, and still has the newest state', () => {
    const world = new World<string>([1], 8);
    for (let i = 0n; i < 10_000n; i++) {
      const createNs = i * 20n;
      world.settle(createNs);
      world.put(sample(1, createNs, createNs + 60n, `${i}`));
    }
    expect(payloads(world, 9_999n * 20n)).toEqual(['9996']);
  });

  it('keeps what is valid when a vehicle floods it with samples of the far future', () => {
    const world = new World<string>([1], 8);
    world.put(sample(1, 10n, 10n, 'good'));
    world.settle(10n);
    for (let i = 0n; i < 100n; i++) world.put(sample(1, 10n ** 9n + i, 10n ** 9n + i, 'far'));
    expect(payloads(world, 20n)).toEqual(['good']);
    world.put(sample(1, 30n, 30n, 'better'));
    expect(payloads(world, 40n)).toEqual(['better']);
    expect(payloads(world, 10n ** 9n + 93n)).toEqual(['better']);
    expect(payloads(world, 10n ** 9n + 94n)).toEqual(['far']);
  });

  it('drops exactly what does not fit and could still be used', () => {
    const world = new World<string>([1], 4);
    for (let i = 0n; i < 10n; i++) world.put(sample(1, i, 100n + i));
    expect(snapshot(world, 105n)[0]?.present).toBe(false);
    expect(snapshot(world, 106n)[0]).toMatchObject({ createStampNs: 6n });
  });

  it('takes new samples after the clock was set back, and keeps the old until then', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 1_000_000n, 1_000_000n, 'before'));
    expect(snapshot(world, 1_000_100n)[0]).toMatchObject({ payload: 'before', ageNs: 100n });
    world.clockStepped(-900_000n);
    expect(snapshot(world, 100_200n)[0]).toMatchObject({ payload: 'before', ageNs: 200n });
    world.put(sample(1, 100_190n, 100_250n, 'after'));
    expect(payloads(world, 100_249n)).toEqual(['before']);
    expect(payloads(world, 100_250n)).toEqual(['after']);
  });

  it('takes new samples after its own clock was set forward alone', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 100n, 100n, 'before'));
    world.clockStepped(1_000_000n);
    world.put(sample(1, 200n, 200n, 'after, of a vehicle whose clock did not step'));
    expect(payloads(world, 1_000_200n)[0]).toMatch('after');
  });

  it('lets a sample that was not valid yet become valid at the same instant after a step', () => {
    const world = new World<string>([1]);
    world.put(sample(1, 1000n, 1060n, 'pending'));
    world.clockStepped(-500n);
    expect(payloads(world, 559n)).toEqual([null]);
    expect(payloads(world, 560n)).toEqual(['pending']);
  });
});
