import { describe, expect, it } from 'vitest';
import { SecondsHistory } from '../../../src/observe/live/history.js';
import type { History } from '../../../src/observe/live/page-protocol.js';
import { usedMemory } from '../../support/collect-garbage.js';
import { LiveScript } from './live-script.js';

function read(parts: Iterable<string>): History {
  return JSON.parse([...parts].join('')) as History;
}

const none = { miss: [], refusal: [], stop: [] };

describe('the history', () => {
  it('has the longest times and the counts of each second, in the order of time', () => {
    const history = new SecondsHistory();
    history.start({ t: 5000, latenessMs: 0.2 });
    history.start({ t: 5900, latenessMs: 0.1 });
    history.reply({ id: 1, t: 5100, ms: 3.25 });
    history.reply({ id: 1, t: 5999, ms: 7.001 });
    history.reply({ id: 1, t: 5999, ms: 4 });
    history.mark({ kind: 'miss', id: 2, t: 6000 });
    history.mark({ kind: 'miss', id: 2, t: 6500 });
    history.mark({ kind: 'stop', id: 1, t: 6500 });
    // The clock was set back.
    history.mark({ kind: 'refusal', id: 1, t: 4000 });
    expect(read(history.json())).toEqual({
      seconds: [4, 5, 6],
      latenessMs: [null, 0.2, null],
      controllers: [
        { id: 1, ms: [null, 7.001, null], marks: { miss: [], refusal: [0, 1], stop: [2, 1] } },
        { id: 2, ms: [null, null, null], marks: { ...none, miss: [2, 2] } },
      ],
    });
  });

  it('has an early start signal, and is empty at first', () => {
    const history = new SecondsHistory();
    expect(read(history.json())).toEqual({ seconds: [], latenessMs: [], controllers: [] });
    history.start({ t: 0, latenessMs: -3 });
    expect(read(history.json())).toEqual({ seconds: [0], latenessMs: [-3], controllers: [] });
  });

  it('forgets all of a second after an hour', () => {
    const history = new SecondsHistory();
    history.start({ t: 0, latenessMs: 1 });
    for (const kind of ['miss', 'refusal', 'stop'] as const) history.mark({ kind, id: 1, t: 0 });
    for (let s = 0; s < 3600; s++) history.reply({ id: 1, t: s * 1000, ms: 1 });
    expect(read(history.json()).controllers[0]?.marks).toMatchObject({ stop: [0, 1] });
    history.reply({ id: 2, t: 3_600_000, ms: 1 });
    const { seconds, latenessMs, controllers } = read(history.json());
    expect([seconds[0], seconds.at(-1), seconds.length]).toEqual([1, 3600, 3600]);
    expect(latenessMs.every((ms) => ms === null)).toBe(true);
    const [one, two] = controllers;
    expect(one?.ms.at(-1)).toBe(null);
    expect(one?.marks).toEqual(none);
    expect(two?.ms.filter((ms) => ms !== null)).toEqual([1]);
  });

  it('of an hour of 100 controllers that miss now and then takes less than 8 MB', () => {
    const before = usedMemory();
    const history = new SecondsHistory();
    for (let t = 0; t < 2 * 3_600_000; t += 1000) {
      for (let id = 1; id <= 100; id++) {
        history.reply({ id, t, ms: 1.5 });
        if (t % 7000 === 0) history.mark({ kind: 'miss', id, t });
      }
    }
    expect(usedMemory() - before).toBeLessThan(8_000_000);
    const parts = [...history.json()];
    expect(parts.length).toBeGreaterThan(100);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(100_000);
    expect(read(parts).controllers).toHaveLength(100);
  });

  it('has the replies and misses of the tap', () => {
    const script = new LiveScript('real');
    const reply = { kind: 'replied', id: 3, tNowNs: 0n, replyTimeNs: 2_500_000n } as const;
    const missed = { kind: 'missed', tNowNs: 0n, misses: [{ id: 4, consecutive: 1 }] } as const;
    script.effects(7000, reply, missed);
    expect(read(script.view.historyJson())).toMatchObject({
      seconds: [7],
      controllers: [
        { id: 3, ms: [2.5] },
        { id: 4, ms: [null], marks: { miss: [0, 1] } },
      ],
    });
  });
});
