import { beforeEach, describe, expect, it } from 'vitest';

import { decodeDatagram } from '../../../../src/gateways/cave/protocol/datagram.js';
import { StepQueue } from '../../../../src/gateways/cave/protocol/step-queue.js';
import { datagram } from './messages.js';

const ageOutMs = 1000;
const stepNs = 20_000_000n;
const disconnect = Buffer.of(1);

let events: string[] = [];
let pending = new Set<number>();

function newQueue(clients: number): StepQueue {
  return new StepQueue(
    {
      deliver: (endpoint, bytes) => {
        const read = decodeDatagram(bytes);
        const what = read.kind === 'element' ? read.element.chTime.toFixed(2) : read.kind;
        if (read.kind === 'element') pending.delete(read.element.connectionNumber);
        events.push(`${endpoint} ${what}`);
      },
      isPending: (number) => pending.has(number),
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

beforeEach(() => {
  events = [];
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

  it('refuses the number of another client, and a client that is far ahead', () => {
    const queue = newQueue(1);
    queue.offer('c0', state(0, 1), 0);
    queue.offer('x', state(0, 1), 0);
    expect(taken()).toEqual(['refused x: connection 0 belongs to another end point']);
    for (let i = 1; i <= 1000; i++) queue.offer('c0', state(0, 1 + i), 0);
    expect(taken()).toEqual(['refused c0: it is more than 1000 datagrams ahead of simulated time']);
  });

  it('leaves datagrams without a connection to the server', () => {
    const queue = newQueue(1);
    queue.offer('x', disconnect, 0);
    queue.offer('x', state(8, 1), 0);
    expect(taken()).toEqual(['x disconnect', 'x 1.00']);
  });
});
