import { describe, expect, it } from 'vitest';
import { unknownWriter } from '../../../src/ports/index.js';
import { WriterIdentities } from '../../../src/dds/writer-identities.js';

/** An event of the writer with this number, which counts how often its GUID is spelled out. */
function eventOf(number: bigint) {
  let spelled = 0;
  return {
    c: number,
    get guid() {
      spelled++;
      return `guid ${number}`;
    },
    reliableWriter: number % 2n === 0n,
    spelled: () => spelled,
  };
}

describe('the identities of writers', () => {
  it('are made once for each writer', () => {
    const identities = new WriterIdentities();
    const event = eventOf(4n);
    expect(identities.of(event)).toEqual({ guid: 'guid 4', reliable: true });
    expect(identities.of(event)).toBe(identities.of(eventOf(4n)));
    expect(event.spelled()).toBe(1);
    expect(identities.of(eventOf(0n))).toBe(unknownWriter);
  });

  it('are remembered in bounded number, and right beyond it', () => {
    const identities = new WriterIdentities(2);
    const events = [1n, 2n, 3n].map(eventOf);
    for (let round = 1; round <= 2; round++) {
      const guids = events.map((event) => identities.of(event).guid);
      expect(guids).toEqual(['guid 1', 'guid 2', 'guid 3']);
    }
    expect(events.map((event) => event.spelled())).toEqual([2, 2, 2]);
    identities.of(eventOf(3n));
    const newest = eventOf(2n);
    identities.of(newest);
    expect(newest.spelled()).toBe(0);
  });
});
