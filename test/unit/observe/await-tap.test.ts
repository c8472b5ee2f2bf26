import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { awaitTap } from '../../../src/observe/index.js';
import { waitingReaderPath } from '../../../src/tap/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { closedTap } from '../../support/open-tap.js';

const never = new AbortController().signal;
const forever = { waitMs: 0, stopped: never };

describe('a reader that waits for a tap', () => {
  it('is connected when the tap listens, and leaves no socket', async () => {
    const { tap, path: tapPath } = closedTap();
    const waiting = awaitTap(tapPath, forever);
    const socket = waitingReaderPath(tapPath, process.pid);
    await expect.poll(() => existsSync(socket)).toBe(true);
    await tap.listen();
    expect(tap.wantsSamples).toBe(true);
    const connection = await waiting;
    connection.close();
    expect(existsSync(socket)).toBe(false);
  });

  it('is not waited for without end, and not at all when it was killed', async () => {
    const { tap, path: tapPath } = closedTap();
    const silent = createServer();
    silent.listen({ path: waitingReaderPath(tapPath, 1) });
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const killed = waitingReaderPath(tapPath, 2);
    const script = `require('net').createServer().listen({ path: '${killed}' }, () => console.log(1))`;
    const program = new ChildProgram('the reader', process.execPath, ['-e', script], '');
    await program.stdout.until(() => true);
    program.signal('SIGKILL');
    await program.ended;
    expect(existsSync(killed)).toBe(true);
    const begun = performance.now();
    await tap.listen();
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(tap.wantsSamples).toBe(false);
    await expect.poll(() => existsSync(killed)).toBe(false);
  });

  it('finds a tap that listens already', async () => {
    const { tap, path: tapPath } = closedTap();
    await tap.listen();
    const connection = await awaitTap(tapPath, forever);
    expect(connection.hello.controlSocket).toBe(path.join(path.dirname(tapPath), 'lab.sock'));
    connection.close();
  });

  it('ends its wait after the given time', async () => {
    const { path: tapPath } = closedTap();
    await expect(awaitTap(tapPath, { waitMs: 60, stopped: never })).rejects.toMatchObject({
      code: 'HLC_TAP_NOBODY',
    });
  });
});
