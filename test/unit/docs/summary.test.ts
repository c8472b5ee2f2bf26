import { describe, expect, it } from 'vitest';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { summaryText } from '../../../src/node/host/summary-text.js';
import { codeBlocks, pageOf } from '../../support/markdown.js';

/** The fields of an object with their places; `ID` stands for a vehicle id. */
function fieldsOf(value: object, place = ''): string[] {
  return Object.entries(value).flatMap(([key, field]: [string, unknown]) => {
    const name = place + (/^\d+$/.test(key) ? 'ID' : key);
    if (typeof field !== 'object' || field === null) return [name];
    const byId = Object.keys(field).some((inner) => /^\d+$/.test(inner));
    const leaf = byId || Object.keys(field).length === 0;
    return [...(leaf ? [name] : []), ...fieldsOf(field, `${name}.`)];
  });
}

function summaryOfARun() {
  const statistics = new RunStatistics([1]);
  statistics.event({
    kind: 'vehicleState',
    sample: {
      vehicleId: 1,
      createStampNs: 0n,
      validAfterNs: 0n,
      payload: { vehicleId: 1, body: new Uint8Array() },
    },
    motion: { speedMps: 0, pose: { x: 0, y: 0, yaw: 0 }, createStampNs: 0n },
    odometerM: 0,
    bytes: new Uint8Array(),
    receivedAtNs: 0n,
  });
  return statistics.summary();
}

describe('docs/reference/summary.md', () => {
  it('has one row for each field of the summary', () => {
    const rows = Array.from(
      pageOf('docs/reference/summary.md').text.matchAll(/^\| `([\w.]+)`/gm),
      ([, field = '']) => field,
    );
    expect(rows.sort()).toEqual(fieldsOf(summaryOfARun()).sort());
  });
});

describe('README.md', () => {
  it('shows a summary that has the lines of today', () => {
    const labelsOf = (text: string) =>
      new Set(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(/ {2,}/)[0]?.replace(/\d+$/, 'ID')),
      );
    const shown = codeBlocks(pageOf('README.md'), 'text').map(({ text }) => labelsOf(text));
    expect(shown).toEqual([labelsOf(summaryText(summaryOfARun()))]);
  });
});
