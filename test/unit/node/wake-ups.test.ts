import { describe, expect, it } from 'vitest';
import type { StartWriter } from '../../../src/node/middleware/start-writer.js';
import { WakeUps } from '../../../src/node/middleware/wake-ups.js';
import { StillPacer } from '../../support/still-pacer.js';
import { MS, S, TestClocks } from '../core/support.js';

/** The wake-ups of a session that asks for 20 ms from now on, each time. */
function bench(startWriter: Pick<StartWriter, 'wakeAtNs' | 'isAhead'> | null = null) {
  const clocks = new TestClocks(1_000n * S, 1_700_000_000n * S);
  const pacer = new ArmedPacer();
  const woken: bigint[] = [];
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
    startWriter: startWriter && { ...startWriter, writeDue: () => undefined },
    wake: (now) => woken.push(now.monotonicNs),
    onAwake: () => undefined,
    onStall: () => undefined,
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
    woken: () => woken.map((atNs) => atNs - begunNs),
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
