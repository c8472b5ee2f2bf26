import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Handshakes } from '../../../../src/gateways/cave/handshake.js';

const request = Buffer.of(8);
let numbers: (number | null)[] = [];
let refused: string[] = [];
let handshakes = newHandshakes();

function newHandshakes(): Handshakes {
  return new Handshakes({
    accept: () => numbers.shift() ?? null,
    refused: (address, cause) => void refused.push(`${address}: ${cause}`),
  });
}

/** A TCP connection as the gateway sees it. */
class Connection extends Duplex {
  readonly written: number[] = [];

  override _read(): void {
    // The test pushes.
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(...bytes);
    done();
  }
}

function connect(address: string): Connection {
  const connection = new Connection();
  handshakes.add(connection, address);
  return connection;
}

/** Lets streams deliver what they have. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  numbers = [7];
  refused = [];
  handshakes = newHandshakes();
});

afterEach(() => {
  handshakes.close();
  vi.useRealTimers();
});

it('answers a request with the number of the connection', async () => {
  const client = connect('a');
  client.push(request);
  await settled();
  expect(client.written).toEqual([9, 7, 0, 0, 0]);
  expect(client.writableEnded).toBe(true);
  expect(refused).toEqual([]);
});

it('declines another code, and a client too many', async () => {
  numbers = [];
  const [other, late] = [connect('a'), connect('b')];
  other.push(Buffer.of(3));
  late.push(request);
  await settled();
  expect([other.written, late.written]).toEqual([[10], [10]]);
  expect(refused).toEqual([
    'a: code 3 is no connection request',
    'b: the server has as many clients as it can have',
  ]);
});

it('closes a silent connection after 5 s', async () => {
  const silent = connect('a');
  vi.advanceTimersByTime(4999);
  expect(silent.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(silent.destroyed).toBe(true);
  await settled();
  expect(refused).toEqual(['a: no connection request came for 5000 ms']);
});

it('closes a connection after 5 s that sends byte after byte', async () => {
  const slow = connect('a');
  for (let ms = 0; ms < 5000; ms += 500) {
    slow.push(request);
    await settled();
    expect(slow.destroyed).toBe(false);
    vi.advanceTimersByTime(500);
  }
  expect(slow.destroyed).toBe(true);
  expect(slow.written).toEqual([9, 7, 0, 0, 0]);
  expect(refused).toEqual([]);
});

it('keeps 64 connections, and closes the oldest one in favour of a new one', async () => {
  const silent = Array.from({ length: 300 }, (_, i) => connect(`silent ${i}`));
  const client = connect('good');
  expect(silent.findIndex(({ destroyed }) => !destroyed)).toBe(300 - 63);
  expect(silent.filter(({ destroyed }) => !destroyed)).toHaveLength(63);
  client.push(request);
  await settled();
  expect(client.written).toEqual([9, 7, 0, 0, 0]);
  expect(refused).toHaveLength(300 - 63);
  expect(refused[0]).toBe('silent 0: 64 newer connections came before its connection request');
});

it('has no timer left for connections that are closed', async () => {
  const client = connect('a');
  connect('b');
  client.destroy();
  handshakes.close();
  await settled();
  expect(vi.getTimerCount()).toBe(0);
});
