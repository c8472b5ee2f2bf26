import { beforeEach, describe, expect, it } from 'vitest';

import { decodeDatagram } from '../../../../src/gateways/cave/protocol/datagram.js';
import { StepQueue } from '../../../../src/gateways/cave/protocol/step-queue.js';
import { datagram, vehicle } from './messages.js';

const ageOutMs = 1000;
const stepNs = 20_000_000n;
const disconnect = Buffer.of(1);
const reset = Buffer.of(11);

let events: string[] = [];
let pending = new Set<number>();
/** What the rate limit of the server does not apply to. */
let exempt: string[] = [];

function newQueue(clients: number): StepQueue {
  return new StepQueue(
    {
      deliver: (endpoint, bytes, isHeld) => {
        const read = decodeDatagram(bytes);
        const what = read.kind === 'element' ? read.element.chTime.toFixed(2) : read.kind;
        events.push(`${endpoint} ${what}`);
        if (isHeld) exempt.push(`${endpoint} ${what}`);
      },
      claim: (number) => pending.delete(number),
      refused: (endpoint, cause) => events.push(`refused ${endpoint}: ${cause}`),
      dropped: (endpoint) => events.push(`dropped ${endpoint}`),
    },
    { clients, ageOutMs },
  );
}

const taken = () => events.splice(0);

/** Begins a step, and says of it when it is complete. */
function step(queue: StepQueue, index: number, nowMs = 0): Promise<void> {
  return queue.step(BigInt(index) * stepNs, nowMs).then(() => void events.push(`step ${index}`));
}

const state = (number: number, chTime: number) => datagram.vehicle(number, 7, chTime);

/** A heartbeat with bytes that mean nothing. */
function longDatagram(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes[0] = 5;
  return bytes;
}

beforeEach(() => {
  events = [];
  exempt = [];
  pending = new Set([0, 1]);
});

describe('a queue of steps', () => {
  it('delivers client by client what belongs to a step, in whatever order it came', async () => {
    const runOf = async (order: readonly number[]) => {
      pending = new Set([0, 1]);
      const queue = newQueue(2);
      const first = step(queue, 0);
      // The clocks of the clients begin at times of their own.
      for (const i of order) queue.offer(`c${i}`, state(i, [5, 0.02][i] ?? 0), 0);
      await first;
      for (const i of order) queue.offer(`c${i}`, state(i, [5.02, 0.04][i] ?? 0), 0);
      await step(queue, 1);
      return taken();
    };
    const first = await runOf([0, 1]);
    const second = await runOf([1, 0]);
    expect(first).toEqual(['c0 5.00', 'c1 0.02', 'step 0', 'c0 5.02', 'c1 0.04', 'step 1']);
    expect(second).toEqual(first);
  });

  it('holds what is ahead, and delivers at once what is between two steps', async () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    queue.offer('c0', state(0, 1.02), 0);
    await step(queue, 0);
    expect(taken()).toEqual(['c0 1.00', 'step 0']);
    await step(queue, 1);
    expect(taken()).toEqual(['c0 1.02', 'step 1']);
    const third = step(queue, 2);
    queue.offer('c0', state(0, 1.03), 0);
    expect(taken()).toEqual(['c0 1.03']);
    queue.offer('c0', state(0, 1.06), 0);
    await third;
    expect(taken()).toEqual(['step 2']);
  });

  it('waits for the first step until all clients have joined', async () => {
    const queue = newQueue(2);
    const first = step(queue, 0);
    queue.offer('c0', state(0, 1), 0);
    await Promise.resolve();
    expect(taken()).toEqual([]);
    queue.offer('c1', state(1, 1), 0);
    await first;
    expect(taken()).toEqual(['c0 1.00', 'c1 1.00', 'step 0']);
  });

  it('lets a client leave after its last state', async () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    queue.offer('c0', state(0, 1.02), 0);
    queue.offer('c0', disconnect, 0);
    await step(queue, 0);
    await step(queue, 1);
    await step(queue, 2);
    expect(taken()).toEqual(['c0 1.00', 'step 0', 'c0 1.02', 'step 1', 'c0 disconnect', 'step 2']);
  });

  it('leaves to the rate limit what did not wait, except that a client leaves', async () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    await step(queue, 0);
    const second = step(queue, 1);
    queue.offer('c0', state(0, 1.01), 0);
    queue.offer('c0', disconnect, 0);
    await second;
    expect(taken()).toEqual(['c0 1.00', 'step 0', 'c0 1.01', 'c0 disconnect', 'step 1']);
    expect(exempt).toEqual(['c0 1.00', 'c0 disconnect']);
  });

  it('waits no longer for a client that is silent', async () => {
    const queue = newQueue(2);
    queue.offer('c0', state(0, 1), 0);
    queue.offer('c1', state(1, 1), 0);
    await step(queue, 0);
    taken();
    const second = step(queue, 1, 500);
    queue.offer('c1', state(1, 1.02), 600);
    queue.expire(1500);
    expect(taken()).toEqual([]);
    queue.expire(1501);
    await second;
    expect(taken()).toEqual(['dropped c0', 'c1 1.02', 'step 1']);
  });

  it('lets a client leave that is too far ahead, and refuses what it sends later', async () => {
    const queue = newQueue(1);
    for (let i = 0; i < 1000; i++) queue.offer('c0', state(0, 1 + i / 50), 0);
    queue.offer('c0', disconnect, 0);
    queue.offer('c0', state(0, 30), 0);
    expect(taken()).toEqual(['refused c0: it has left']);
    await step(queue, 50 * 2000);
    expect(taken().slice(-2)).toEqual(['c0 disconnect', 'step 100000']);
  });

  it('refuses the number of another client, and a client that is far ahead', () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    queue.offer('x', state(0, 1), 0);
    expect(taken()).toEqual(['refused x: connection 0 belongs to another end point']);
    for (let i = 1; i <= 1000; i++) queue.offer('c0', state(0, 1 + i / 50), 0);
    expect(taken()).toEqual([
      'refused c0: it is more than 1000 datagrams and messages ahead of simulated time',
    ]);
  });

  it('goes on with the time of a client that has begun again after a reset', async () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 600), 0);
    await step(queue, 0);
    queue.offer('c0', reset, 0);
    queue.offer('c0', state(0, 0), 0);
    queue.offer('c0', state(0, 0.02), 0);
    await step(queue, 1);
    expect(taken()).toEqual(['c0 600.00', 'step 0', 'c0 reset', 'c0 0.00', 'c0 0.02', 'step 1']);
    const third = step(queue, 2);
    queue.offer('c0', state(0, 0.04), 0);
    await third;
    expect(taken()).toEqual(['c0 0.04', 'step 2']);
  });

  it('counts the first chTime of a client, and not a message before it', async () => {
    const queue = newQueue(1);
    const first = step(queue, 0);
    queue.offer('c0', datagram.dsrc(0, 'hello'), 0);
    await Promise.resolve();
    expect(taken()).toEqual([]);
    queue.offer('c0', state(0, 1000), 0);
    await first;
    expect(taken()).toEqual(['c0 dsrc', 'c0 1000.00', 'step 0']);
    queue.offer('c0', state(0, 1000.02), 0);
    await step(queue, 1);
    expect(taken()).toEqual(['c0 1000.02', 'step 1']);
  });

  it('does not wait for a client without a chTime, and removes it when it is silent', async () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    queue.offer('c1', datagram.dsrc(1, 'hello'), 0);
    await step(queue, 0);
    queue.offer('c0', state(0, 1.02), 0);
    await step(queue, 1);
    taken();
    queue.expire(1000);
    expect(taken()).toEqual([]);
    queue.expire(1001);
    expect(taken()).toEqual(['dropped c1']);
  });

  it('refuses times that are no times, and those far ahead, and does not wait for their client', async () => {
    const queue = newQueue(2);
    for (const chTime of [1e308, -1e308, 1e11]) queue.offer('c0', state(0, chTime), 0);
    expect(taken()).toEqual(
      [1e308, -1e308, 1e11].map(
        (chTime) => `refused c0: the chTime ${chTime} is no time in seconds`,
      ),
    );
    queue.offer('c0', state(0, 1), 0);
    queue.offer('c1', state(1, 1), 0);
    await step(queue, 0);
    taken();
    queue.offer('c0', state(0, 1.7e9), 500);
    expect(taken()).toEqual(['refused c0: its chTime is more than 60 s ahead of simulated time']);
    const second = step(queue, 1, 500);
    queue.offer('c0', state(0, 1.7e9), 1400);
    queue.offer('c1', state(1, 1.02), 1400);
    taken();
    queue.expire(1501);
    await second;
    expect(taken()).toEqual(['dropped c0', 'c1 1.02', 'step 1']);
  });

  it('delivers the disconnect of a client that has sent a time far ahead', async () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    await step(queue, 0);
    queue.offer('c0', state(0, 1.7e9), 0);
    queue.offer('c0', disconnect, 0);
    await step(queue, 1);
    await step(queue, 2);
    expect(taken()).toContain('c0 disconnect');
  });

  it('refuses a client that is far ahead with messages between vehicles', () => {
    const queue = newQueue(1);
    queue.offer('c0', datagram.packetWithDsrc(0, 499, vehicle(0, 1, 1)), 0);
    queue.offer('c0', datagram.packetWithDsrc(0, 499, vehicle(0, 1, 2)), 0);
    expect(taken()).toEqual([]);
    queue.offer('c0', state(0, 3), 0);
    expect(taken()).toEqual([expect.stringContaining('refused c0: it is more than 1000')]);
  });

  it('refuses datagrams beyond 64 MiB in all, but not those of a client that has fewer than its share', async () => {
    pending = new Set(Array.from({ length: 6 }, (_, number) => number));
    const queue = newQueue(6);
    const long = longDatagram(60_000);
    for (let number = 0; number < 4; number++) queue.offer(`c${number}`, state(number, 1), 0);
    for (let number = 0; number < 2; number++) {
      for (let i = 0; i < 600; i++) queue.offer(`c${number}`, long, 0);
    }
    const refused = taken();
    expect(new Set(refused)).toEqual(
      new Set(['refused c1: clients are more than 64 MiB of datagrams ahead of simulated time']),
    );
    expect(1200 - refused.length).toBe(Math.floor((64 * 1024 * 1024) / long.length));
    // A client that is there, and new ones, have their shares.
    for (let i = 0; i < 100; i++) queue.offer('c2', long, 0);
    for (const number of [4, 5]) queue.offer(`c${number}`, state(number, 1), 0);
    expect(taken()).toEqual([]);
    await step(queue, 0);
    taken();
    for (let i = 0; i < 100; i++) queue.offer('c1', long, 0);
    expect(taken()).toEqual([]);
  });

  it('leaves datagrams without a connection to the server', () => {
    const queue = newQueue(1);
    queue.offer('x', disconnect, 0);
    queue.offer('x', state(8, 1), 0);
    expect(taken()).toEqual(['x disconnect', 'x 1.00']);
  });
});
