import { describe, expect, it } from 'vitest';
import type { StartWriter } from '../../../src/node/middleware/start-writer.js';
import { WakeUps } from '../../../src/node/middleware/wake-ups.js';
import { StillPacer } from '../../support/still-pacer.js';
import { MS, S, TestClocks } from '../core/support.js';

/** The wake-ups of a session that asks for 20 ms from now on, each time. */
function bench(
  startWriter: (Pick<StartWriter, 'wakeAtNs' | 'isAhead'> & Partial<StartWriter>) | null = null,
  { hangLimitNs = null }: { hangLimitNs?: bigint | null } = {},
) {
  const clocks = new TestClocks(1_000n * S, 1_700_000_000n * S);
  const pacer = new ArmedPacer();
  const woken: bigint[] = [];
  const served: boolean[] = [];
  let idle = 0;
  const session = {
    get wakeAtNs() {
      return (woken.at(-1) ?? begunNs) + 20n * MS;
    },
  };
  const begunNs = clocks.monotonicNs;
  const wakeUps = new WakeUps({
    session: session as never,
    pacer,
    clocks: { monotonicNs: () => clocks.monotonicNs, realtimeNs: () => clocks.realtimeNs },
    startWriter: startWriter && {
      get wakeAtNs() {
        return startWriter.wakeAtNs;
      },
      get isAhead() {
        return startWriter.isAhead;
      },
      writeDue: () => undefined,
      cancel: () => startWriter.cancel?.(),
    },
    wake: (now) => woken.push(now.monotonicNs),
    onTick: () => undefined,
    beforeWake: () => undefined,
    onAwake: (_, isServed) => void served.push(isServed),
    onStall: () => undefined,
    hangLimitNs,
    onIdle: () => idle++,
  });
  const tickAt = (atNs: bigint) => {
    clocks.monotonicNs = begunNs + atNs;
    pacer.tick({ deadlineNs: 0n, wokeAtNs: clocks.monotonicNs, realtimeNs: 0n });
  };
  wakeUps.arm();
  return {
    pacer,
    wakeUps,
    tickAt,
    served: () => served,
    woken: () => woken.map((atNs) => atNs - begunNs),
    isCatchingUp: (atNs: bigint) => wakeUps.isCatchingUp(begunNs + atNs),
    begunNs,
    idle: () => idle,
  };
}

class ArmedPacer extends StillPacer {
  armedNs = 0n;

  override arm(deadlineNs?: bigint): void {
    this.armedNs = deadlineNs ?? 0n;
  }
}

describe('the wake-ups of a session', () => {
  it('come when it asks for them', () => {
    const { pacer, tickAt, woken, begunNs } = bench();
    expect(pacer.armedNs - begunNs).toBe(20n * MS);
    tickAt(20n * MS);
    tickAt(41n * MS);
    expect(woken()).toEqual([20n * MS, 41n * MS]);
    expect(pacer.armedNs - begunNs).toBe(61n * MS);
  });

  it('do not come any more once it is closed, not even one that was under way', () => {
    const { pacer, wakeUps, tickAt, woken, served, idle } = bench();
    const { armedNs } = pacer;
    wakeUps.close();
    tickAt(20n * MS);
    wakeUps.hold(MS);
    expect([woken(), served(), idle()]).toEqual([[], [], 0]);
    expect(pacer.armedNs).toBe(armedNs);
  });

  it('come four times within the limit of a hang', () => {
    const { pacer, tickAt, begunNs } = bench(null, { hangLimitNs: 40n * MS });
    expect(pacer.armedNs - begunNs).toBe(10n * MS);
    tickAt(10n * MS);
    expect(pacer.armedNs - begunNs).toBe(20n * MS);
  });

  it('come after what was received meanwhile, when the thread stood still', () => {
    const { pacer, wakeUps, tickAt, woken, begunNs } = bench();
    tickAt(20n * MS);
    tickAt(500n * MS);
    expect(woken()).toEqual([20n * MS]);
    // Events that are delivered now do not bring the wake-up forward.
    wakeUps.arm();
    expect(pacer.armedNs - begunNs).toBe(525n * MS);
    tickAt(525n * MS);
    expect(woken()).toEqual([20n * MS, 525n * MS]);
  });

  it('show a stall from its first event on, which may come before the tick, until it has caught up', () => {
    const { tickAt, woken, isCatchingUp } = bench();
    tickAt(20n * MS);
    expect(isCatchingUp(220n * MS)).toBe(false);
    expect(isCatchingUp(221n * MS)).toBe(true);
    tickAt(222n * MS);
    expect(isCatchingUp(246n * MS)).toBe(true);
    expect(woken()).toEqual([20n * MS]);
    tickAt(247n * MS);
    expect(isCatchingUp(247n * MS)).toBe(false);
    expect(woken()).toEqual([20n * MS, 247n * MS]);
  });

  it('come at every second tick at least, when every tick is late', () => {
    const { pacer, tickAt, woken, begunNs } = bench();
    for (let i = 1n; i <= 10n; i++) tickAt(i * 300n * MS);
    expect(woken()).toEqual([600n, 1200n, 1800n, 2400n, 3000n].map((atMs) => atMs * MS));
    expect(pacer.armedNs - begunNs).toBe(3020n * MS);
  });

  it('show that the thread is awake while the session is held, and give it no time', () => {
    const { pacer, wakeUps, tickAt, woken, served, begunNs } = bench(null, {
      hangLimitNs: 100n * MS,
    });
    tickAt(20n * MS);
    wakeUps.hold(150n * MS);
    while (pacer.armedNs - begunNs < 170n * MS) tickAt(pacer.armedNs - begunNs);
    expect(served()).toEqual([20n, 45n, 70n, 95n, 120n, 145n].map(() => true));
    expect(woken()).toEqual([20n * MS]);
    expect(pacer.armedNs - begunNs).toBe(170n * MS);
    tickAt(170n * MS);
    expect(woken()).toEqual([20n * MS, 170n * MS]);
  });

  it('drop the plan when the pacer is ahead for long, and come when its start signals are handled', () => {
    let cancelled = 0;
    const writer = {
      wakeAtNs: null,
      isAhead: true,
      cancel: () => {
        cancelled++;
      },
    };
    const { tickAt, woken } = bench(writer);
    // As with a period of 1 ms on a machine that takes longer than that for a tick.
    for (let atMs = 20n; atMs < 270n; atMs++) tickAt(atMs * MS);
    expect(cancelled).toBe(0);
    tickAt(270n * MS);
    expect(cancelled).toBe(1);
    // All that went out was reported before the next tick.
    writer.isAhead = false;
    tickAt(271n * MS);
    expect(woken()).toEqual([271n * MS]);
    writer.isAhead = true;
    tickAt(291n * MS);
    writer.isAhead = false;
    tickAt(292n * MS);
    expect(woken()).toEqual([271n * MS, 292n * MS]);
    expect(cancelled).toBe(1);
  });

  it('come soon when every tick is late and the pacer goes on writing', () => {
    const writer = {
      wakeAtNs: null,
      isAhead: true,
      cancel: () => {
        writer.isAhead = false;
      },
    };
    const { tickAt, woken, served } = bench(writer);
    for (let i = 1n; i <= 3n; i++) tickAt(i * 300n * MS);
    expect(woken()).toEqual([900n * MS]);
    // The thread counts as alive only where the session supervises.
    expect(served()).toEqual([false, false, true]);
  });

  it.each([
    { where: 'in simulated time', writer: null, times: 0 },
    { where: 'with a start signal to write', writer: { wakeAtNs: 1n, isAhead: false }, times: 0 },
    { where: 'before startSent is handled', writer: { wakeAtNs: null, isAhead: true }, times: 0 },
    { where: 'while the pacer writes', writer: { wakeAtNs: null, isAhead: false }, times: 1 },
  ])('are idle $times times $where', ({ writer, times }) => {
    const { tickAt, idle } = bench(writer);
    tickAt(20n * MS);
    expect(idle()).toBe(times);
  });
});
