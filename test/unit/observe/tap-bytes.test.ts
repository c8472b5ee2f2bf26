import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { TapBytes } from '../../../src/observe/tap/tap-bytes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const megabyte = 1_000_000;

/** A reader, and the other end of its connection. */
async function connected(pauseMs: number): Promise<{ bytes: TapBytes; other: Socket }> {
  const file = path.join(temporaryFolder(), 'a.tap');
  const server = createServer().listen(file);
  await once(server, 'listening');
  const [bytes, [other]] = await Promise.all([
    TapBytes.open(file, pauseMs),
    once(server, 'connection') as Promise<[Socket]>,
  ]);
  onTestFinished(() => {
    bytes.close();
    server.close();
  });
  return { bytes, other };
}

it('gives what comes during a pause together, and then the end', async () => {
  const { bytes, other } = await connected(100);
  other.write('first');
  expect(String(await bytes.next())).toBe('first');
  const next = bytes.next();
  for (const text of ['some', 'more']) {
    other.write(text);
    for (let i = 0; i < 10; i++) await turn();
  }
  other.end();
  expect(String(await next)).toBe('somemore');
  expect(await bytes.next()).toBeUndefined();
});

it('reads no further when nothing is taken, and goes on', async () => {
  const { bytes, other } = await connected(0);
  other.end(Buffer.alloc(4 * megabyte));
  for (let i = 0; i < 1000; i++) await turn();
  const first = await bytes.next();
  expect(first?.length).toBeLessThan(megabyte);
  let size = 0;
  for (let next = first; next !== undefined; next = await bytes.next()) size += next.length;
  expect(size).toBe(4 * megabyte);
});
