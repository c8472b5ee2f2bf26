import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectTap, type TapConnection, type TapRecord } from '../../../src/observe/index.js';
import type { NodeEvent, PerformedEffect } from '../../../src/node/observers/session-observer.js';
import { TapClient } from '../../../src/node/tap/tap-client.js';
import {
  FrameSplitter,
  FrameWriter,
  keptPriority,
  needsAll,
  RecordReader,
} from '../../../src/tap/index.js';
import { ChildProgram } from '../../support/child-program.js';
import {
  accepted,
  oneController,
  openTap,
  remoteAgent,
  stoppedReader,
} from '../../support/open-tap.js';
import { eventfulRun } from '../../support/tapped-run.js';
import { TappedNode } from '../../support/tapped-node.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const at = { monotonicNs: 5n, realtimeNs: 6n };
const noBytes = new Uint8Array();
const wake: NodeEvent = { kind: 'wake', now: at };
const missed: PerformedEffect = {
  effect: { kind: 'missed', tNowNs: 1n, misses: [{ id: 1, consecutive: 1 }] },
  performed: { written: true, latenessNs: 0n },
};

async function read(path: string): Promise<TapConnection> {
  const connection = await connectTap(path);
  onTestFinished(() => connection.close());
  return connection;
}

async function all(connection: TapConnection): Promise<TapRecord[]> {
  const records: TapRecord[] = [];
  for await (const some of connection.records()) records.push(...some);
  return records;
}

describe('a tap', () => {
  it('looks at no event while it has no reader', async () => {
    const { tap } = await openTap();
    const untouched = new Proxy(wake, {
      get: () => {
        throw new Error('the event was looked at');
      },
    });
    tap.handled(untouched, [], at);
    expect(tap.wantsSamples).toBe(false);
  });

  it('closes itself at a fault of its own, reports it once, and throws nothing', async () => {
    const faults: unknown[] = [];
    let broken = false;
    const summary = () => {
      if (broken) throw new Error('broken');
      return oneController;
    };
    const { tap, path } = await openTap(summary, (fault) => faults.push(fault));
    const connection = await read(path);
    await accepted(tap);
    broken = true;
    // The next reader is greeted with a summary.
    connect({ path }).on('error', () => undefined);
    await expect(all(connection)).rejects.toThrow('switched off');
    expect(faults).toEqual([new Error('broken')]);
    expect(tap.wantsSamples).toBe(false);
    tap.handled(wake, [missed], at);
    await tap.close();
    expect(faults).toHaveLength(1);
  });

  it('gives a reader the run from its begin to its end', async () => {
    const { tap, path } = await openTap();
    const connection = await read(path);
    await accepted(tap);
    await eventfulRun(new TappedNode('--active-vehicle-ids=1', tap), false);
    tap.logged('{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"hello"}');
    const reading = all(connection);
    await tap.close();
    const records = await reading;
    const types = records.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['hello', 'summary', 'session']);
    expect(types.slice(-3)).toEqual(['log', 'summary', 'end']);
    const numbers = records.flatMap((record) => (record.type === 'event' ? [record.number] : []));
    expect(numbers).toEqual(numbers.map((_, i) => BigInt(i)));
  });

  it('gives a reader that comes later the log so far and the number of the next event', async () => {
    const { tap, path } = await openTap();
    await eventfulRun(new TappedNode('--active-vehicle-ids=1', tap), false);
    tap.logged('{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"hello"}');
    const connection = await read(path);
    await accepted(tap);
    const reading = all(connection);
    await tap.close();
    const [, session, log] = await reading;
    expect(session?.type === 'session' && session.content.nextEvent).toBeGreaterThan(100n);
    expect(log?.type === 'log' && log.content.msg).toBe('hello');
  });

  it('gives a reader the vehicles of other simulations until they are gone', async () => {
    let agents = [remoteAgent];
    const { tap, path } = await openTap(undefined, undefined, () => agents);
    const connection = await read(path);
    await accepted(tap);
    tap.remoteAgentsChanged();
    // Too soon after the one before.
    tap.remoteAgentsChanged();
    // Without a list: a gateway that is killed sends none. The next summary has it.
    agents = [];
    const lists: unknown[] = [];
    for await (const records of connection.records()) {
      for (const record of records) {
        if (record.type === 'remoteAgents') lists.push(record.content.agents);
      }
      if (lists.length === 3) break;
    }
    // With the greeting, with the change, and with the summary.
    expect(lists).toEqual([[remoteAgent], [remoteAgent], []]);
  });

  it.each([
    { flags: '', afterStartMs: 10 },
    { flags: '--simulated-time --time-source=self', afterStartMs: 20 },
  ])('writes frames after $afterStartMs ms with "$flags"', async ({ flags, afterStartMs }) => {
    const { tap, path } = await openTap();
    await read(path);
    await accepted(tap);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const send = vi.spyOn(TapClient.prototype, 'send');
    onTestFinished(() => {
      vi.useRealTimers();
      send.mockRestore();
    });
    new TappedNode(flags, tap);
    vi.advanceTimersByTime(25);
    send.mockClear();
    tap.handled(wake, [missed], at);
    vi.advanceTimersByTime(25);
    expect(send).toHaveBeenCalledTimes(1);
    tap.handled(wake, [missed], at);
    vi.advanceTimersByTime(5);
    tap.handled(
      { kind: 'startSent', plan: 1, index: 0, tNowNs: 1n, now: at, atNs: 1n, bytes: noBytes },
      [],
      at,
    );
    vi.advanceTimersByTime(afterStartMs - 1);
    expect(send).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('drops bulk first for a reader that does not read, and counts what it drops', async () => {
    const { tap, path } = await openTap();
    const socket = await stoppedReader(path);
    await accepted(tap);
    const sent = { wake: 0, missed: 0 };
    for (let i = 0; i < 60_000; i++) {
      tap.handled(wake, [], at);
      sent.wake++;
      if (i % 100 !== 0) continue;
      tap.handled(wake, [missed], at);
      sent.wake++;
      sent.missed++;
    }
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = once(socket, 'end');
    socket.resume();
    const closing = tap.close();
    await ended;
    await closing;
    const reader = new RecordReader();
    const records = new FrameSplitter()
      .push(Buffer.concat(chunks))
      .map((frame) => reader.read(frame));
    const got = { wake: 0, missed: 0 };
    const dropped: Record<string, number> = {};
    for (const record of records) {
      if (record.type === 'event') got.wake++;
      if (record.type === 'effect') got.missed++;
      if (record.type !== 'dropped') continue;
      for (const { kind, count } of record.content.records) dropped[kind] = count;
    }
    expect(got.missed).toBe(sent.missed);
    expect(dropped.missed).toBeUndefined();
    expect(dropped.wake).toBeGreaterThan(10_000);
    expect(got.wake + (dropped.wake ?? 0)).toBe(sent.wake);
  });

  it('drops events last, and bounds what waits', async () => {
    const { tap, path } = await openTap();
    const before = process.memoryUsage().arrayBuffers;
    await stoppedReader(path);
    await accepted(tap);
    for (let i = 0; i < 200_000; i++) tap.handled(wake, [missed], at);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    await tap.close();
  });

  it('keeps nothing of frames that it dropped for a reader that is stopped', () => {
    let written: () => void = () => undefined;
    const write = (_: Buffer, done: () => void) => (written = done);
    const socket = { once: () => undefined, write, destroyed: false } as unknown as Socket;
    const client = new TapClient(socket);
    const frames = new FrameWriter();
    frames.plain('stalled', { stallNs: 1n }, 0);
    const frame = frames.take();
    const joined = vi.spyOn(Buffer, 'concat');
    onTestFinished(() => joined.mockRestore());
    const sent = 500_000;
    for (let i = 0; i < sent; i++) client.send(frame);
    joined.mockClear();
    written();
    // The oldest that wait, after the count of those that were dropped.
    const most = Math.max(...joined.mock.calls.map(([chunks]) => chunks.length));
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThan(sent / 10);
  });

  it('takes no reader any more while it ends the others', async () => {
    const { tap, path } = await openTap();
    const socket = await stoppedReader(path);
    await accepted(tap);
    for (let i = 0; i < 30_000; i++) tap.handled(wake, [], at);
    const ended = once(socket, 'close');
    const closing = tap.close();
    await expect(connectTap(path)).rejects.toMatchObject({ code: 'HLC_TAP_NOBODY' });
    expect(tap.wantsSamples).toBe(true);
    socket.resume();
    await ended;
    await closing;
  });

  it('refuses the ninth reader with a code, and serves the first of a thousand', async () => {
    const { tap, path } = await openTap();
    const first = await read(path);
    for (let i = 0; i < 7; i++) await read(path);
    await expect(connectTap(path)).rejects.toMatchObject({ code: 'HLC_TAP_FULL' });
    for (let i = 0; i < 1000; i++) {
      const socket = connect({ path });
      socket.resume();
      await once(socket, 'close');
    }
    tap.handled(wake, [], at);
    const reading = all(first);
    await tap.close();
    expect((await reading).map(({ type }) => type)).toContain('event');
  });

  it('ends although the ninth reader keeps its half of the connection open', async () => {
    const { tap, path } = await openTap();
    for (let i = 0; i < 8; i++) await read(path);
    const ninth = connect({ path, allowHalfOpen: true });
    ninth.resume();
    onTestFinished(() => void ninth.destroy());
    await once(ninth, 'end');
    await tap.close();
  });

  it('ends a reader that sends something', async () => {
    const { tap, path } = await openTap();
    const socket = connect({ path });
    socket.resume();
    await accepted(tap);
    socket.write('hello');
    await once(socket, 'close');
    await expect.poll(() => tap.wantsSamples).toBe(false);
  });
});

describe('a reader of a tap', () => {
  /** A server that sends this to each client. */
  const server = async (bytes: Buffer): Promise<string> => {
    const place = path.join(temporaryFolder(), 'a.tap');
    const listening = createServer((socket) => socket.end(bytes)).listen(place);
    await once(listening, 'listening');
    onTestFinished(() => void listening.close());
    return place;
  };
  const frame = (type: 'hello' | 'end', content: unknown) => {
    const frames = new FrameWriter();
    frames.plain(type, content, keptPriority);
    return frames.take();
  };

  it('says when no middleware is there', async () => {
    const nowhere = path.join(temporaryFolder(), 'a.tap');
    await expect(connectTap(nowhere)).rejects.toMatchObject({ code: 'HLC_TAP_NOBODY' });
  });

  it('says the same when the middleware ends as it connects', async () => {
    const place = path.join(temporaryFolder(), 'a.tap');
    const listening = createServer().listen(place);
    await once(listening, 'listening');
    const connecting = connectTap(place);
    // In the same turn, with the connection in the queue of the kernel.
    listening.close();
    await expect(connecting).rejects.toMatchObject({ code: 'HLC_TAP_NOBODY' });
  });

  it('says the same when the middleware ends before it accepts the connection', async () => {
    const place = path.join(temporaryFolder(), 'a.tap');
    const blocks = `console.log(1); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`;
    const script = `require('net').createServer().listen('${place}', () => { ${blocks} })`;
    const program = new ChildProgram('the middleware', process.execPath, ['-e', script], '');
    await program.stdout.until(() => true);
    const connecting = connectTap(place);
    for (let i = 0; i < 10; i++) await turn();
    program.signal('SIGKILL');
    await expect(connecting).rejects.toMatchObject({ code: 'HLC_TAP_NOBODY' });
  });

  it('names both versions when they differ', async () => {
    const hello = frame('hello', { format: 'hlc-middleware tap', version: 9 });
    await expect(connectTap(await server(hello))).rejects.toMatchObject({
      code: 'HLC_TAP_VERSION',
      details: { version: '9', wanted: 2 },
    });
  });

  it.each([
    ['bytes that are no frames', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['another greeting', frame('hello', { format: 'something else', version: 1 })],
  ])('refuses %s', async (_, bytes) => {
    await expect(connectTap(await server(bytes))).rejects.toMatchObject({
      code: 'HLC_TAP_FORMAT',
    });
  });

  it('says when the middleware is gone without an end', async () => {
    await expect(connectTap(await server(Buffer.alloc(0)))).rejects.toMatchObject({
      code: 'HLC_TAP_LOST',
    });
  });
});

describe('a tap in simulated time', () => {
  const state = Buffer.alloc(1000);

  /** A session that steps for a stopped reader, which may have asked for everything. */
  async function openStepping(waitMs: number, asks: boolean) {
    const onSlowReader = vi.fn();
    const { tap, path } = await openTap(undefined, undefined, undefined, { waitMs, onSlowReader });
    const socket = await stoppedReader(path);
    await accepted(tap);
    if (asks) socket.write(Uint8Array.of(needsAll));
    let handled = 0;
    const step = async () => {
      for (let i = 0; i < 100; i++) {
        handled++;
        const event = { kind: 'vehicleState', receivedAtNs: 1n, bytes: state } as unknown;
        tap.handled(event as NodeEvent, [], at);
      }
      await wait(1);
    };
    const stepUntilHeld = async () => {
      while (tap.timeHold() === undefined) await step();
    };
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const read = () => void socket.resume();
    const records = () => {
      const reader = new RecordReader();
      return new FrameSplitter().push(Buffer.concat(chunks)).map((frame) => reader.read(frame));
    };
    const readOrDropped = () => {
      let sum = 0;
      for (const record of records()) {
        if (record.type === 'event') sum++;
        if (record.type !== 'dropped') continue;
        for (const { count } of record.content.records) sum += count;
      }
      return sum;
    };
    const reader = { socket, read, records, readOrDropped };
    return { ...reader, tap, step, handled: () => handled, stepUntilHeld, onSlowReader };
  }

  it('holds time until a reader that must have everything has it', async () => {
    const run = await openStepping(60_000, true);
    for (let i = 0; i < 3; i++) {
      await run.stepUntilHeld();
      const hold = run.tap.timeHold();
      run.read();
      await hold;
      expect(run.tap.timeHold()).toBeUndefined();
      run.socket.pause();
    }
    run.read();
    await run.tap.close();
    const records = run.records();
    const numbers = records.flatMap((each) => (each.type === 'event' ? [each.number] : []));
    expect(numbers.length).toBeGreaterThan(500);
    expect(numbers).toEqual(numbers.map((_, i) => BigInt(i)));
    expect(run.onSlowReader).not.toHaveBeenCalled();
  });

  it('holds it no longer than declared, then drops and says so once, until the reader is back', async () => {
    const run = await openStepping(50, true);
    for (let i = 0; i < 2; i++) {
      await run.stepUntilHeld();
      await run.tap.timeHold();
      expect(run.onSlowReader).toHaveBeenCalledOnce();
      for (let steps = 0; steps < 30; steps++) {
        await run.step();
        expect(run.tap.timeHold()).toBeUndefined();
      }
      run.read();
      // When it has read what waited, time waits for it again.
      await expect.poll(run.readOrDropped).toBe(run.handled());
      run.socket.pause();
    }
  });

  it.each([
    ['that has not asked', 60_000, false],
    ['in real time, and ends one that asks', 0, true],
  ])('holds it for no reader %s', async (_, waitMs, asks) => {
    const run = await openStepping(waitMs, asks);
    for (let steps = 0; steps < 30; steps++) {
      await run.step();
      expect(run.tap.timeHold()).toBeUndefined();
    }
    if (asks) {
      run.read();
      await once(run.socket, 'close');
    }
  });

  it('holds it no longer for a reader that is gone', async () => {
    const run = await openStepping(60_000, true);
    await run.stepUntilHeld();
    const hold = run.tap.timeHold();
    run.socket.destroy();
    await hold;
    expect(run.tap.timeHold()).toBeUndefined();
    expect(run.onSlowReader).not.toHaveBeenCalled();
  });
});
