import { describe, expect, it } from 'vitest';
import { StateDelay } from '../../../../src/core/stop/state-delay.js';
import { MS, S } from '../support.js';
import { T0 } from './motion-arbitraries.js';

/** States at 50 Hz; with instants of their reception. */
class States {
  readonly delay = new StateDelay();
  sentNs = 0n;

  /** Sends for this long; each state has this delay, ns. @returns by how much each counts as older than its reception. */
  send(forNs: bigint, delayNs: bigint, stampsFromNs = T0): bigint[] {
    const ages: bigint[] = [];
    for (const endNs = this.sentNs + forNs; this.sentNs < endNs; this.sentNs += 20n * MS) {
      const atNs = this.sentNs + delayNs;
      ages.push(atNs - this.delay.instantOf(stampsFromNs + this.sentNs, atNs));
    }
    return ages;
  }
}

const all = (ages: bigint[]) => [...new Set(ages)];

describe('a state', () => {
  it('is of its reception, whatever the difference of the clocks is', () => {
    expect(all(new States().send(S, 5n * MS))).toEqual([0n]);
    expect(all(new States().send(S, 5n * MS, T0 + 3600n * S))).toEqual([0n]);
  });

  it('is of its reception with a jitter below 0.1 s', () => {
    const states = new States();
    for (const ms of [5n, 90n, 20n, 101n, 5n])
      expect(all(states.send(20n * MS, ms * MS))).toEqual([0n]);
  });

  it('is older when it waited', () => {
    const states = new States();
    states.send(S, 5n * MS);
    const [first = 0n] = states.send(20n * MS, 3000n * MS);
    expect(first).toBeGreaterThan(2900n * MS);
    expect(first).toBeLessThan(2996n * MS);
  });

  it('comes at once with others after a suspension: each is of its own time', () => {
    const states = new States();
    states.send(S, 0n);
    const wakesNs = 3n * S;
    for (let sentNs = states.sentNs; sentNs < wakesNs - 200n * MS; sentNs += 20n * MS) {
      const ofNs = states.delay.instantOf(T0 + sentNs, wakesNs);
      expect(ofNs - sentNs).toBeGreaterThanOrEqual(0n);
      expect(ofNs - sentNs).toBeLessThan(30n * MS);
    }
    states.sentNs = wakesNs;
    expect(all(states.send(S, 0n))).toEqual([0n]);
  });

  it('counts as before when the clock of the vehicle is set, back or forwards', () => {
    const states = new States();
    states.send(S, 5n * MS);
    expect(all(states.send(S, 5n * MS, T0 - 10n * S))).toEqual([0n]);
    expect(all(states.send(S, 5n * MS, T0 + 20n * S))).toEqual([0n]);
  });

  it('is of its reception again when a delay lasts', () => {
    const states = new States();
    states.send(S, 5n * MS);
    expect(states.send(100n * MS, 305n * MS)[0]).toBeGreaterThan(290n * MS);
    expect(states.send(30n * S, 305n * MS).at(-1)).toBe(0n);
  });

  it('is of its reception without a stamp', () => {
    const delay = new StateDelay();
    delay.instantOf(T0, 0n);
    expect(delay.instantOf(0n, 5n * S)).toBe(5n * S);
  });
});
