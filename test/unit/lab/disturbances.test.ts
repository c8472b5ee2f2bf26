import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Disturbances, RandomStream, undisturbed } from '../../../src/lab/index.js';

const samples = 20_000;
const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 });

function fates(disturbances: Disturbances, vehicleId: number, count: number): boolean[] {
  return Array.from({ length: count }, () => disturbances.loses('state', vehicleId));
}

/** Standard deviations that the rate of n independent losses may be off before we call it wrong. */
const sigmas = 4.5;

describe('losses', () => {
  it.each([0.01, 0.1, 0.5, 0.9])('happen at the rate of %d, for several seeds', (loss) => {
    for (const one of [0, 1, 2, 3, 77, 2 ** 31 - 1]) {
      const lost = fates(new Disturbances({ ...undisturbed, seed: one, loss }), 1, samples);
      const rate = lost.filter(Boolean).length / samples;
      const deviation = Math.sqrt((loss * (1 - loss)) / samples);
      expect(Math.abs(rate - loss)).toBeLessThan(sigmas * deviation);
    }
  });

  it('hit everything at 1 and nothing at 0', () => {
    for (const loss of [0, 1]) {
      const lost = fates(new Disturbances({ ...undisturbed, loss }), 1, 1000);
      expect(new Set(lost)).toEqual(new Set([loss === 1]));
    }
  });

  it('are independent from one sample to the next', () => {
    const lost = fates(new Disturbances({ ...undisturbed, seed: 5, loss: 0.5 }), 1, samples);
    const same = lost.filter((one, index) => index > 0 && one === lost[index - 1]).length;
    expect(Math.abs(same / samples - 0.5)).toBeLessThan(sigmas * Math.sqrt(0.25 / samples));
  });

  it('are the same for the same seed, whatever the other vehicles do meanwhile', () => {
    fc.assert(
      fc.property(seed, fc.array(fc.nat(3), { minLength: 50, maxLength: 50 }), (one, others) => {
        const settings = { ...undisturbed, seed: one, loss: 0.3 };
        const alone = new Disturbances(settings);
        const among = new Disturbances(settings);
        for (const drawn of others) {
          for (let other = 0; other < drawn; other++) among.loses('state', 7 + other);
          among.loses('direct', 1);
          expect(among.loses('state', 1)).toBe(alone.loses('state', 1));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('differ between seeds, vehicles and channels', () => {
    const settings = { ...undisturbed, loss: 0.5 };
    const lists = [
      fates(new Disturbances({ ...settings, seed: 1 }), 1, 64),
      fates(new Disturbances({ ...settings, seed: 2 }), 1, 64),
      fates(new Disturbances({ ...settings, seed: 1 }), 2, 64),
    ];
    const disturbances = new Disturbances({ ...settings, seed: 1 });
    lists.push(Array.from({ length: 64 }, () => disturbances.loses('observation', 1)));
    expect(new Set(lists.map((list) => list.join())).size).toBe(lists.length);
  });
});

describe('noise', () => {
  const at = { vehicle_id: 1, pose: { x: 1, y: 2, yaw: 3 } };

  it('has the wanted spread along both axes, and no bias', () => {
    const stateNoise = 0.02;
    const disturbances = new Disturbances({ ...undisturbed, seed: 3, stateNoise });
    const off = Array.from({ length: samples }, () => disturbances.measured('state', at).pose);
    for (const axis of ['x', 'y'] as const) {
      const errors = off.map((pose) => (pose[axis] - at.pose[axis]) / stateNoise);
      const mean = errors.reduce((sum, one) => sum + one, 0) / samples;
      const variance = errors.reduce((sum, one) => sum + one ** 2, 0) / samples;
      const beyond = errors.filter((one) => Math.abs(one) > 1.96).length / samples;
      expect(Math.abs(mean)).toBeLessThan(sigmas / Math.sqrt(samples));
      expect(Math.abs(variance - 1)).toBeLessThan(sigmas * Math.sqrt(2 / samples));
      expect(Math.abs(beyond - 0.05)).toBeLessThan(sigmas * Math.sqrt(0.0475 / samples));
    }
    expect(new Set(off.map(({ yaw }) => yaw))).toEqual(new Set([3]));
  });

  it('does not touch a sample when there is none', () => {
    expect(new Disturbances(undisturbed).measured('state', at)).toBe(at);
  });

  it('does not depend on what is lost', () => {
    const noisy = { ...undisturbed, seed: 4, stateNoise: 0.1 };
    const [calm, lossy] = [new Disturbances(noisy), new Disturbances({ ...noisy, loss: 0.5 })];
    for (let index = 0; index < 20; index++) {
      lossy.loses('state', 1);
      expect(lossy.measured('state', at)).toEqual(calm.measured('state', at));
    }
  });
});

describe('a stream of random numbers', () => {
  it('stays between 0 and 1', () => {
    fc.assert(
      fc.property(seed, fc.string(), (one, name) => {
        const stream = new RandomStream(one, name);
        for (let index = 0; index < 20; index++) {
          const value = stream.uniform();
          expect(value >= 0 && value < 1).toBe(true);
        }
      }),
    );
  });

  it('begins equally everywhere, seed by seed', () => {
    const firsts = Array.from({ length: samples }, (_, one) =>
      new RandomStream(one, 'a').uniform(),
    );
    const tenths = Array.from({ length: 10 }, (_, i) => {
      return firsts.filter((value) => Math.floor(value * 10) === i).length / samples;
    });
    for (const share of tenths) {
      expect(Math.abs(share - 0.1)).toBeLessThan(sigmas * Math.sqrt(0.09 / samples));
    }
  });
});
