import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { runObserver } from '../../../src/observe/run-observer.js';
import { FrameWriter, keptPriority, tapFormat } from '../../../src/tap/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Longer than several attempts to find a middleware take. */
const watchedMs = 1000;

it('a tap of another version is named on the page, and is not asked five times per second', async () => {
  const folder = temporaryFolder();
  const frames = new FrameWriter();
  frames.plain('hello', { format: tapFormat, version: 99 }, keptPriority);
  const hello = frames.take();
  let connections = 0;
  const tap = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
    socket.end(hello);
  });
  tap.listen(path.join(folder, 'a.tap'));
  await once(tap, 'listening');
  onTestFinished(() => void tap.close());

  const stop = new AbortController();
  const problems: string[] = [];
  let address = '';
  const ended = runObserver({
    controlSocket: path.join(folder, 'a.sock'),
    port: 0,
    mayMove: false,
    track: [],
    foxgloveOrigins: [],
    stopped: stop.signal,
    onListening: (page) => ({ address } = page),
    onProblem: ({ code }) => problems.push(code),
  });
  await expect.poll(() => problems).toEqual(['HLC_TAP_VERSION']);
  await wait(watchedMs);
  expect(connections).toBe(1);
  const page = await fetch(new URL('/live', address), { signal: stop.signal });
  const body = page.body as ReadableStream<Uint8Array> | null;
  const first = await body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toMatch(
    /"problem":"The tap .* has format 99, .* \[HLC_TAP_VERSION\]"/,
  );
  stop.abort();
  await ended;
});
