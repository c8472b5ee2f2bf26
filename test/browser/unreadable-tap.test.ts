import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FrameWriter, keptPriority, tapFormat } from '../../src/tap/index.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

it('the page says that the middleware is of another version', async () => {
  const folder = temporaryFolder();
  const frames = new FrameWriter();
  frames.plain('hello', { format: tapFormat, version: 99 }, keptPriority);
  const hello = frames.take();
  const tap = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(hello);
  });
  tap.listen(path.join(folder, 'a.tap'));
  await once(tap, 'listening');
  onTestFinished(() => void tap.close());
  const { address } = await startObserver(path.join(folder, 'a.sock'));
  const { page } = await openPage();
  await page.goto(address);
  await expect
    .poll(() => page.getByTestId('notice').textContent())
    .toMatch(/^The observer cannot read the middleware: The tap .* has format 99/);
  expect(await page.getByTestId('connection').textContent()).toBe('cannot read the middleware');
});
