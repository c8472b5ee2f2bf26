import { beforeEach, describe, expect, it } from 'vitest';

import { FrameExchange, holdMs } from '../../../../src/gateways/carla/frame-exchange.js';
import type { Step, StepResult } from '../../../../src/controller/index.js';

const full = { motorThrottle: 1, steeringServo: 0.5 };
const half = { motorThrottle: 0.5, steeringServo: 0 };
const commandOf = ({ motorThrottle, steeringServo }: typeof full) => ({
  kind: 'direct',
  vehicle_id: 3,
  motor_throttle: motorThrottle,
  steering_servo: steeringServo,
});

let nowMs = 0;
let exchange = new FrameExchange(3, () => nowMs);
let shown: bigint[] = [];
let abort = new AbortController();

beforeEach(() => {
  nowMs = 0;
  exchange = new FrameExchange(3, () => nowMs);
  shown = [];
});

function begin(synchronous: boolean): void {
  exchange.begin({ synchronous, send: ({ tNowNs }) => void shown.push(tNowNs) });
}

/** A start signal; the step before is aborted, as the SDK does it. */
function step(tNowNs: bigint): StepResult | Promise<StepResult> {
  abort.abort();
  abort = new AbortController();
  const nothing = new Map<number, never>();
  return exchange.onStep({
    tNowNs,
    periodNs: 1n,
    vehicles: nothing,
    observations: nothing,
    activeVehicleIds: [],
    signal: abort.signal,
  } satisfies Step);
}

describe('a synchronous client', () => {
  it('answers the step whose frame it has', async () => {
    begin(true);
    const first = step(1n);
    expect(shown).toEqual([1n]);
    exchange.onControl(full);
    expect(await first).toEqual(commandOf(full));
  });

  it('answers the newest step with a late control, and sees that step then', async () => {
    begin(true);
    const first = step(1n);
    const second = step(2n);
    const third = step(3n);
    expect(shown).toEqual([1n]);
    exchange.onControl(full);
    expect([await first, await second, await third]).toEqual([
      undefined,
      undefined,
      commandOf(full),
    ]);
    expect(shown).toEqual([1n, 3n]);
    // The control of that frame comes when its step is answered: it does not answer the next one.
    exchange.onControl(half);
    const fourth = step(4n);
    expect(shown).toEqual([1n, 3n, 4n]);
    exchange.onControl(full);
    expect(await fourth).toEqual(commandOf(full));
  });

  it('may send a control before its frame', async () => {
    begin(true);
    exchange.onControl(full);
    expect(await step(1n)).toEqual(commandOf(full));
  });

  it('is silent from its frame to its control', () => {
    begin(true);
    void step(1n);
    nowMs = 400;
    expect(exchange.silentMs).toBe(400);
    exchange.onControl(full);
    expect(exchange.silentMs).toBe(0);
  });

  it('that ends its episode without a control sees the same step in the next one', async () => {
    begin(true);
    const open = step(1n);
    exchange.end();
    begin(true);
    expect(shown).toEqual([1n, 1n]);
    exchange.onControl(half);
    expect(await open).toEqual(commandOf(half));
  });

  it('between two episodes leaves the step open, which the next episode sees', async () => {
    begin(true);
    void step(1n);
    exchange.end();
    exchange.onControl(full);
    expect(exchange.silentMs).toBe(0);
    const open = step(2n);
    begin(true);
    expect(shown).toEqual([1n, 2n]);
    exchange.onControl(half);
    expect(await open).toEqual(commandOf(half));
  });
});

describe('an asynchronous client', () => {
  it('is not waited for; its last control holds for a bounded time', async () => {
    begin(false);
    expect(step(1n)).toEqual(commandOf({ motorThrottle: 0, steeringServo: 0 }));
    exchange.onControl(full);
    exchange.onControl(half);
    expect(step(2n)).toEqual(commandOf(half));
    nowMs = holdMs;
    expect(step(3n)).toEqual(commandOf(half));
    nowMs = holdMs + 1;
    const missed = step(4n);
    const open = step(5n);
    expect(shown).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(exchange.silentMs).toBe(0);
    expect(await missed).toBeUndefined();
    // Simulated time waits at this step.
    exchange.onControl(full);
    expect(await open).toEqual(commandOf(full));
    expect(step(6n)).toEqual(commandOf(full));
  });

  it('answers the open step at once when its episode begins', async () => {
    const open = step(1n);
    begin(false);
    expect(await open).toEqual(commandOf({ motorThrottle: 0, steeringServo: 0 }));
    expect(shown).toEqual([1n]);
  });
});
