import { describe, expect, it } from 'vitest';

import { nearestName } from '../../../src/config/sources/nearest-name.js';

const names = ['periods', 'period-ms', 'dds-domain', 'domain-number', 'table', 'node-id'];

describe('the nearest name', () => {
  it.each([
    ['period', 'period-ms'],
    ['perids', 'periods'],
    ['preiod-ms', 'period-ms'],
    ['PERIOD_MSS', 'period-ms'],
    ['domain', 'domain-number'],
    ['number', 'domain-number'],
    ['tabel', 'table'],
    ['id', 'node-id'],
    ['tab', 'table'],
    ['tablecloth', 'table'],
  ])('of %s is %s', (given, nearest) => {
    expect(nearestName(given, names)).toBe(nearest);
  });

  it.each(['', 'x', 'summary', 'ode', 'a'.repeat(10_000)])('of %s is none', (given) => {
    expect(nearestName(given, names)).toBeUndefined();
  });
});
