import { describe, expect, it } from 'vitest';
import { StateOrder } from '../../../../src/core/stop/state-order.js';
import { MS, S } from '../support.js';
import { T0 } from './motion-arbitraries.js';

/** The states of a vehicle, with instants of their reception in ms. */
class States {
  readonly #order = new StateOrder();
  atMs = 0n;

  isNew(stampNs: bigint, passedMs = 20n): boolean {
    this.atMs += passedMs;
    return this.#order.isNew(stampNs, this.atMs * MS);
  }

  /** States at 50 Hz whose stamps rise from this one on; which of them are new. */
  rising(fromNs: bigint, count: number): boolean[] {
    return Array.from({ length: count }, (_, i) => this.isNew(fromNs + BigInt(i) * 20n * MS));
  }
}

describe('a state', () => {
  it('is new while the stamps rise, and old when it comes once more, or late', () => {
    const states = new States();
    expect(states.rising(T0, 3)).toEqual([true, true, true]);
    for (const stampNs of [T0 + 40n * MS, T0 + 20n * MS, T0]) {
      expect(states.isNew(stampNs)).toBe(false);
    }
    expect(states.isNew(T0 + 41n * MS)).toBe(true);
  });

  it('stays old however often it comes', () => {
    const states = new States();
    states.rising(T0, 50);
    for (let i = 0n; i < 200n; i++) {
      // The newest one, an older one, and two older ones in turn.
      for (const ms of [980n, 500n, 100n + 20n * (i % 2n)]) {
        expect(states.isNew(T0 + ms * MS)).toBe(false);
      }
    }
  });

  it('is old among many that are sent once more at once', () => {
    const states = new States();
    states.rising(T0, 50);
    for (let i = 0n; i < 49n; i++) expect(states.isNew(T0 + i * 20n * MS, 0n)).toBe(false);
  });

  it('is new without a stamp', () => {
    const states = new States();
    expect([0n, 0n, T0, 0n, T0].map((stampNs) => states.isNew(stampNs))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['a step back of the clock', T0 - 3600n * S],
    ['a clock that begins at 0', 5n * S],
    ['one stamp of a far future', null],
  ])('is new again 0.3 s after %s', (_, fromNs) => {
    const states = new States();
    states.rising(T0, 50);
    if (fromNs === null) expect(states.isNew(2n ** 63n)).toBe(true);
    const after = states.rising(fromNs ?? T0 + 2n * S, 30);
    expect(after.indexOf(true)).toBe(15);
    expect(after.slice(15)).not.toContain(false);
  });

  it('does not begin a new time line while newer ones come', () => {
    const states = new States();
    for (let i = 0n; i < 100n; i++) {
      expect(states.isNew(T0 + i * 40n * MS)).toBe(true);
      expect(states.isNew(T0 - 100n * S + i * 40n * MS)).toBe(false);
    }
  });
});
