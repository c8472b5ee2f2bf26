import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../../src/core/index.js';
import type { TimeEffect } from '../../../../src/lab/control/participants.js';
import { SimulatedTime } from '../../../../src/lab/control/simulated-time.js';

/** The times of the triggers among the effects. */
function triggers(effects: readonly TimeEffect[]): bigint[] {
  return effects.flatMap((effect) => (effect.kind === 'trigger' ? [effect.nextStartNs] : []));
}

/** A time that runs, with these participants waiting for these steps. */
function running(nextStartsNs: Readonly<Record<string, bigint>>): SimulatedTime {
  const time = new SimulatedTime({ expected: Object.keys(nextStartsNs) });
  time.start();
  for (const [sourceId, ns] of Object.entries(nextStartsNs)) time.readySignal(sourceId, ns);
  return time;
}

describe('simulated time of the lab control', () => {
  it('begins no step before it is started', () => {
    const time = new SimulatedTime({});
    expect(triggers(time.readySignal('middleware', 1n))).toEqual([]);
    expect(triggers(time.start())).toEqual([1n]);
  });

  it('begins no step before all expected participants have signed in', () => {
    const time = new SimulatedTime({ expected: ['a', 'b'] });
    time.start();
    expect(triggers(time.readySignal('a', 5n))).toEqual([]);
    expect(triggers(time.readySignal('c', 4n))).toEqual([]);
    expect(triggers(time.readySignal('b', 7n))).toEqual([4n]);
  });

  it('waits for a first participant when it expects none by name', () => {
    const time = new SimulatedTime({});
    expect(triggers(time.start())).toEqual([]);
    expect(triggers(time.readySignal('a', 0n))).toEqual([0n]);
  });

  it('goes on to the earliest wanted step when no participant works', () => {
    const time = running({ a: 1n, b: 1n, c: 30n });
    expect(triggers(time.readySignal('a', 11n))).toEqual([]);
    expect(triggers(time.readySignal('b', 21n))).toEqual([11n]);
    expect(triggers(time.readySignal('a', 40n))).toEqual([21n]);
    expect(time.participants()).toEqual([
      { sourceId: 'a', nextStartNs: 40n, state: 'waiting' },
      { sourceId: 'b', nextStartNs: 21n, state: 'working' },
      { sourceId: 'c', nextStartNs: 30n, state: 'waiting' },
    ]);
  });

  it('sends the trigger again to a participant that missed it or joined meanwhile', () => {
    const time = running({ a: 10n });
    expect(triggers(time.readySignal('a', 10n))).toEqual([10n]);
    expect(triggers(time.readySignal('b', 10n))).toEqual([10n]);
    expect(triggers(time.readySignal('a', 20n))).toEqual([]);
    expect(triggers(time.readySignal('b', 15n))).toEqual([15n]);
  });

  it('repeats the trigger with every ready signal, as the lab does, only with repeatTriggers', () => {
    for (const repeatTriggers of [false, true]) {
      const time = new SimulatedTime({ expected: ['a', 'b'], repeatTriggers });
      time.start();
      time.readySignal('a', 10n);
      time.readySignal('b', 10n);
      expect(triggers(time.readySignal('a', 20n))).toEqual(repeatTriggers ? [10n] : []);
      expect(triggers(time.readySignal('b', 20n))).toEqual([20n]);
    }
  });

  it('is held up by a participant that wants a step of the past, until it is forgotten', () => {
    const time = running({ a: 10n });
    const [reported] = time.readySignal('late', 5n);
    expect(reported).toEqual({
      kind: 'participant',
      participant: { sourceId: 'late', nextStartNs: 5n, state: 'out-of-sync' },
    });
    expect(triggers(time.readySignal('a', 20n))).toEqual([]);
    expect(triggers(time.forget('late'))).toEqual([20n]);
  });

  it('goes on without an expected participant that is forgotten before it signed in', () => {
    const time = new SimulatedTime({ expected: ['a', 'b'] });
    time.start();
    time.readySignal('a', 3n);
    expect(triggers(time.forget('b'))).toEqual([3n]);
  });

  it('throws away a ready signal for an earlier step than its sender asked for before', () => {
    const time = running({ a: 10n });
    time.readySignal('a', 20n);
    expect(time.readySignal('a', 10n)).toEqual([
      { kind: 'old-ready-signal', sourceId: 'a', nextStartNs: 10n },
    ]);
    expect(time.participants()[0]?.nextStartNs).toBe(20n);
  });

  it('begins no step while it is paused, and goes on when it is started again', () => {
    const time = running({ a: 10n });
    time.pause();
    expect(triggers(time.readySignal('a', 20n))).toEqual([]);
    expect(triggers(time.start())).toEqual([20n]);
    expect(triggers(time.readySignal('a', 30n))).toEqual([30n]);
  });

  it('begins as many steps as are ordered, each when all wait', () => {
    const time = new SimulatedTime({});
    time.readySignal('a', 10n);
    expect(triggers(time.step(2))).toEqual([10n]);
    expect(triggers(time.readySignal('a', 20n))).toEqual([20n]);
    expect(triggers(time.readySignal('a', 30n))).toEqual([]);
    expect(triggers(time.step(1))).toEqual([30n]);
    expect(triggers(time.step(1))).toEqual([]);
    expect(triggers(time.readySignal('a', 40n))).toEqual([40n]);
    expect(triggers(time.readySignal('a', 50n))).toEqual([]);
  });

  it('says whether time waits for a participant that left', () => {
    const time = running({ a: 10n, b: 30n });
    const holds = (sourceId: string) =>
      time.left(sourceId).map((effect) => effect.kind === 'participant-left' && effect.holdsTime);
    expect(holds('a')).toEqual([true]);
    time.readySignal('a', stopSymbol);
    expect(holds('a')).toEqual([false]);
    time.forget('b');
    expect(holds('b')).toEqual([false]);
    time.readySignal('b', 40n);
    time.stop();
    expect(holds('b')).toEqual([false]);
  });

  it('begins no step after the stop, which may be repeated', () => {
    const time = running({ a: 10n });
    expect(triggers(time.stop())).toEqual([stopSymbol]);
    expect(triggers(time.readySignal('a', 10n))).toEqual([]);
    expect(triggers(time.readySignal('a', 20n))).toEqual([]);
    expect(triggers(time.start())).toEqual([]);
    expect(triggers(time.stop())).toEqual([stopSymbol]);
  });

  it('does not stop all because a participant asks for the stop symbol', () => {
    const time = running({ a: 10n });
    expect(triggers(time.readySignal('a', stopSymbol))).toEqual([]);
    expect(triggers(time.readySignal('b', 20n))).toEqual([20n]);
  });

  it('gives every participant its own steps, in order and none left out', () => {
    const participant = fc.record({
      offset: fc.bigInt(0n, 50n),
      period: fc.bigInt(1n, 20n),
      steps: fc.integer({ min: 1, max: 8 }),
    });
    const scenario = fc.record({
      participants: fc.array(participant, { minLength: 1, maxLength: 5 }),
      choices: fc.infiniteStream(fc.nat()),
      repeatTriggers: fc.boolean(),
    });
    fc.assert(
      fc.property(scenario, ({ participants, choices, repeatTriggers }) => {
        const members = participants.map((p, i) => ({ ...p, id: `p${i}`, wanted: p.offset }));
        const done = new Map<string, bigint[]>(members.map(({ id }) => [id, []]));
        const time = new SimulatedTime({ expected: members.map(({ id }) => id), repeatTriggers });
        const queue: bigint[] = [...triggers(time.start())];
        for (const { id, wanted } of members) queue.push(...triggers(time.readySignal(id, wanted)));
        let working: typeof members = [];
        let last = -1n;
        for (;;) {
          for (const now of queue.splice(0)) {
            // A repeat is ignored: only those that work on it want it.
            if (now === last) continue;
            expect(working).toEqual([]);
            expect(now).toBeGreaterThan(last);
            expect(members.every(({ wanted }) => wanted >= now)).toBe(true);
            last = now;
            working = members.filter(({ wanted }) => wanted === now);
          }
          if (working.length === 0) break;
          const [choice = 0] = choices.take(1);
          const [member] = working.splice(choice % working.length, 1);
          if (!member) throw new Error('No participant works.');
          const steps = done.get(member.id) ?? [];
          steps.push(member.wanted);
          member.wanted = steps.length < member.steps ? member.wanted + member.period : stopSymbol;
          queue.push(...triggers(time.readySignal(member.id, member.wanted)));
        }
        for (const { id, offset, period, steps } of members) {
          const own = Array.from({ length: steps }, (_, k) => offset + BigInt(k) * period);
          expect(done.get(id)).toEqual(own);
        }
      }),
    );
  });
});
