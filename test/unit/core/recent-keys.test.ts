import { describe, expect, it } from 'vitest';
import { RecentKeys } from '../../../src/core/recent-keys.js';

describe('recent keys', () => {
  it('are new once, as long as they are remembered', () => {
    const keys = new RecentKeys(2);
    expect(['a', 'b', 'a', 'b'].map((key) => keys.add(key))).toEqual([true, true, false, false]);
    expect(keys.add('c')).toBe(true);
    expect(keys.add('b')).toBe(false);
    expect(keys.add('a')).toBe(true);
  });
});
