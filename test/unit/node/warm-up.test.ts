import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SentSlot, TimedPlan } from '../../../src/dds/index.js';
import type { NodeEffect, SessionObserver } from '../../../src/node/observers/session-observer.js';
import { Rehearsal } from '../../../src/node/middleware/rehearsal.js';
import { createWarmUps, WarmUp } from '../../../src/node/middleware/warm-up.js';
import { sessionSettings } from '../../../src/node/middleware/session-factory.js';
import { commandsOfAllKinds } from '../../support/commands.js';
import { StillPacer } from '../../support/still-pacer.js';
import { TappedNode } from '../../support/tapped-node.js';
import { parse } from '../config/parse.js';

afterEach(() => vi.restoreAllMocks());

const us = 1_000n;
const ms = 1_000n * us;

/** A warm-up with a start signal every 10 ms, prepared 2 ms before. */
class Trial {
  nowNs = 0n;
  durationNs = 100n * us;
  readonly played: string[][] = [];
  readonly warmUp = new WarmUp(
    () => this.nowNs,
    (kinds) => {
      this.nowNs += this.durationNs;
      this.played.push([...kinds]);
    },
  );

  effect(effect: object): void {
    this.warmUp.effect(effect as NodeEffect);
  }

  /** A period up to the preparation of the next start signal. */
  period(replies: number, kind = 'trajectory'): void {
    this.effect({ kind: 'startSignalSent' });
    for (let i = 0; i < replies; i++) {
      this.effect({ kind: 'forwardCommand', command: { kind } });
      this.effect({ kind: 'replied' });
    }
    this.nowNs = (this.nowNs / (10n * ms) + 1n) * 10n * ms;
    this.effect({ kind: 'prepareStart', slots: { first: { notBeforeNs: this.nowNs + 2n * ms } } });
  }

  /** @returns how many periods were played. */
  idle(lateNs = 0n): number {
    const before = this.played.length;
    this.nowNs += lateNs;
    this.warmUp.idle();
    return this.played.length - before;
  }
}

describe('the warm-up', () => {
  it('plays once for each start signal, with the kinds of commands in use', () => {
    const trial = new Trial();
    trial.period(1);
    expect(trial.idle()).toBe(1);
    expect(trial.idle()).toBe(0);
    trial.period(1, 'direct');
    expect(trial.idle()).toBe(1);
    expect(trial.played).toEqual([['trajectory'], ['trajectory', 'direct']]);
  });

  it('does not play before a command was forwarded, nor without a prepared start signal', () => {
    const trial = new Trial();
    expect(trial.idle()).toBe(0);
    trial.period(0);
    expect(trial.idle()).toBe(0);
  });

  it.each([
    { lateNs: 1_400n * us, played: 1 },
    { lateNs: 1_401n * us, played: 0 },
    { lateNs: 2n * ms, played: 0 },
    { lateNs: 30n * ms, played: 0 },
  ])('plays $played times in a wake-up that is late by $lateNs ns', ({ lateNs, played }) => {
    const trial = new Trial();
    trial.period(1);
    expect(trial.idle(lateNs)).toBe(played);
    trial.period(1);
    expect(trial.idle()).toBe(1);
  });

  it('does not play after the start signal went out, or was cancelled', () => {
    const trial = new Trial();
    for (const kind of ['startSignalSent', 'cancelStart']) {
      trial.period(1);
      trial.effect({ kind });
      expect(trial.idle()).toBe(0);
    }
  });

  it('does not play while a reply is awaited', () => {
    const trial = new Trial();
    const played = [2, 1, 1, 2].map((replies) => {
      trial.period(replies);
      return trial.idle();
    });
    expect(played).toEqual([1, 0, 1, 1]);
  });

  it('rests after a period that took long: it takes one part of 25 of the time at most', () => {
    const trial = new Trial();
    trial.durationNs = 1n * ms;
    let played = 0;
    for (let i = 0; i < 300; i++) {
      trial.period(1);
      played += trial.idle();
    }
    expect(played).toBe(100);
  });
});

/** A pacer whose thread writes start signals; the test says when. */
class WritingPacer extends StillPacer {
  /** Samples as they were handed over. */
  readonly samples: Uint8Array[] = [];
  #plan: TimedPlan | null = null;
  #index = -1;
  #onSent: (sent: SentSlot) => void = () => undefined;

  override readonly timedWriter = {
    schedule: (plan: TimedPlan) => {
      this.#plan = plan;
      this.samples.push(new Uint8Array(plan.bytes));
      return true;
    },
    lastIndex: () => this.#index,
    cancel: () => {
      this.#plan = null;
    },
    onSent: (listener: (sent: SentSlot) => void) => {
      this.#onSent = listener;
    },
  };

  /** @returns true when a start signal was due. */
  write(nowNs: bigint): boolean {
    const plan = this.#plan;
    if (plan === null || nowNs < plan.slot.notBeforeNs) return false;
    this.#plan = null;
    const { index, value } = plan.slot;
    this.#index = index;
    this.#onSent({ plan: plan.plan, index, value, monotonicNs: nowNs, realtimeNs: nowNs });
    return true;
  }
}

/** Five periods with states and commands: all events and effects, and the samples handed over. */
async function session(): Promise<{ seen: unknown[]; samples: Uint8Array[] }> {
  const seen: unknown[] = [];
  const observer: SessionObserver = {
    name: 'all',
    handled: (event, effects) => void seen.push(structuredClone({ event, effects })),
  };
  const pacer = new WritingPacer();
  const node = new TappedNode('--vehicle-ids=1', observer, pacer);
  await node.ready();
  for (let started = 0; started < 5;) {
    await node.pass(ms);
    if (!pacer.write(node.nowNs)) continue;
    started++;
    await node.state(started);
    for (const command of commandsOfAllKinds(1, node.nowNs)) await node.command(command);
  }
  return { seen, samples: pacer.samples };
}

describe('the rehearsals of a running middleware', () => {
  it('change nothing in its session', async () => {
    const play = vi.spyOn(Rehearsal.prototype, 'play');
    const rehearsed = await session();
    // The first periods are those of the start-up.
    expect(play.mock.calls.length - 4).toBe(4);
    play.mockImplementation(() => undefined);
    expect(rehearsed).toEqual(await session());
  });

  it('end at a fault, and the session goes on', async () => {
    let faults = 0;
    vi.spyOn(Rehearsal.prototype, 'play').mockImplementation((kinds) => {
      // Those of the start-up play an array of kinds.
      if (!(kinds instanceof Set)) return;
      faults++;
      throw new Error('a fault in a rehearsal');
    });
    const { samples } = await session();
    expect({ faults, startSignals: samples.length }).toEqual({ faults: 1, startSignals: 5 });
  });

  it('are none in simulated time', () => {
    const parameters = { periodNs: 10n * ms, activeVehicleIds: [1, 2] };
    const settings = (flags: string) => sessionSettings(parse(flags), parameters, []);
    expect(createWarmUps(settings('--vehicle-ids=1,2'), () => 0n)).toHaveLength(1);
    expect(createWarmUps(settings('--vehicle-ids=1,2 --simulated-time'), () => 0n)).toEqual([]);
  });
});
