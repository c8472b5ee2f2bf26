import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignedIds, controllerIdOf, Readiness } from '../../../src/core/readiness.js';

describe('the readiness barrier', () => {
  it('opens when every assigned controller has sent its ready signal', () => {
    const readiness = new Readiness([1, 2, 5]);
    expect(readiness.ready(5)).toBe(true);
    expect(readiness.complete).toBe(false);
    expect(readiness.missing()).toEqual([1, 2]);
    expect(readiness.ready(5)).toBe(false);
    readiness.ready(1);
    readiness.ready(2);
    expect(readiness.complete).toBe(true);
    expect(readiness.missing()).toEqual([]);
  });

  it('closes again when a controller is gone', () => {
    const readiness = new Readiness([1, 2]);
    readiness.ready(1);
    readiness.ready(2);
    readiness.withdraw(2);
    expect(readiness.missing()).toEqual([2]);
    expect(readiness.ready(2)).toBe(true);
    expect(readiness.complete).toBe(true);
  });

  it('does not wait for a controller that is not listed', () => {
    const readiness = new Readiness([1]);
    readiness.ready(1);
    expect(readiness.ready(7)).toBe(false);
    readiness.withdraw(7);
    expect(readiness.complete).toBe(true);
  });

  it('reports an unknown source once', () => {
    const readiness = new Readiness([1]);
    expect(readiness.isFirstOf('hlc_7')).toBe(true);
    expect(readiness.isFirstOf('hlc_7')).toBe(false);
    expect(readiness.isFirstOf('middleware')).toBe(true);
  });

  it('remembers a bounded number of unknown sources', () => {
    const readiness = new Readiness([1]);
    const sources = Array.from({ length: 1000 }, (_, i) => `intruder ${i}`);
    expect(sources.filter((source) => readiness.isFirstOf(source))).toHaveLength(256);
  });

  it('opens exactly when the set of received ids covers the assigned ones', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
        fc.array(fc.integer({ min: 0, max: 6 })),
        (ids, heard) => {
          const readiness = new Readiness(assignedIds(ids));
          for (const id of heard) if (ids.includes(id)) readiness.ready(id);
          const missing = ids.filter((id) => !heard.includes(id)).sort((a, b) => a - b);
          expect(readiness.missing()).toEqual(missing);
          expect(readiness.complete).toBe(missing.length === 0);
        },
      ),
    );
  });
});

describe('the id in a ready signal', () => {
  it('is read for every id', () => {
    for (let id = 0; id <= 255; id++) expect(controllerIdOf(`hlc_${id}`)).toBe(id);
  });

  it('is nothing for any other text', () => {
    const wrong = ['hlc_256', 'hlc_01', 'hlc_', 'hlc_-1', 'hlc_1 ', ' hlc_1', 'hlc_1\n', 'HLC_1'];
    for (const text of [...wrong, 'hlc_+1', 'hlc_1e1', 'hlc_0x1', 'hlc_999', '1', '', 'hlc_١']) {
      expect(controllerIdOf(text), JSON.stringify(text)).toBeNull();
    }
  });
});

describe('the assigned ids', () => {
  it('are ascending, each once', () => {
    expect(assignedIds([10, 9, 255, 0, 9])).toEqual([0, 9, 10, 255]);
  });

  it('are refused when there is none, or one that no vehicle can have', () => {
    for (const ids of [[], [256], [-1], [1.5], [Number.NaN]]) {
      expect(() => assignedIds(ids)).toThrow('vehicle ids');
    }
  });
});
