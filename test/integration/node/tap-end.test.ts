import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NodeEvent } from '../../../src/node/observers/session-observer.js';
import { FrameSplitter, RecordReader } from '../../../src/tap/index.js';
import { accepted, openTap, stoppedReader } from '../../support/open-tap.js';

const at = { monotonicNs: 5n, realtimeNs: 6n };
const wake: NodeEvent = { kind: 'wake', now: at };

/** A reader that pauses for so long after each read takes a second for all that waits in a tap. */
const slowReadMs = 50;

// Not with the unit tests, which run at idle priority: these need the processor in time.
describe('the end of a tap', () => {
  it('waits for a reader that is slow and goes on reading', async () => {
    const { tap, path } = await openTap();
    const socket = await stoppedReader(path);
    await accepted(tap);
    for (let i = 0; i < 30_000; i++) tap.handled(wake, [], at);
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      socket.pause();
      timer = setTimeout(() => socket.resume(), slowReadMs);
    });
    onTestFinished(() => clearTimeout(timer));
    const ended = once(socket, 'end');
    socket.resume();
    const begun = Date.now();
    await tap.close();
    expect(Date.now() - begun).toBeGreaterThan(400);
    await ended;
    const frames = new FrameSplitter().push(Buffer.concat(chunks));
    expect(new RecordReader().read(frames.at(-1) ?? Buffer.alloc(0)).type).toBe('end');
  });

  it('cuts off a reader that reads nothing', async () => {
    const { tap, path } = await openTap();
    const socket = await stoppedReader(path);
    await accepted(tap);
    for (let i = 0; i < 30_000; i++) tap.handled(wake, [], at);
    const begun = Date.now();
    await tap.close();
    expect(Date.now() - begun).toBeLessThan(4000);
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
  });
});
