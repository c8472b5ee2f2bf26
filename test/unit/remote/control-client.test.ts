import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { sendControlRequest } from '../../../src/remote/index.js';
import { socketPath, temporaryFolder, withCode } from './socket-folder.js';

describe('a control client', () => {
  it('says when no middleware is there', async () => {
    const path = socketPath();
    const request = sendControlRequest(path, { command: 'status' });
    await expect(request).rejects.toThrow(withCode('HLC_CONTROL_NOBODY', path));
  });

  it('says when what is there cannot be a middleware', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const request = { command: 'status' } as const;
    await expect(sendControlRequest(file, request)).rejects.toThrow(withCode('HLC_CONTROL_NOBODY'));
    await expect(sendControlRequest(join(file, 'a.sock'), request)).rejects.toThrow(
      withCode('HLC_CONTROL_SOCKET', 'ENOTDIR'),
    );
    await expect(sendControlRequest('x'.repeat(108), request)).rejects.toThrow(
      withCode('HLC_CONTROL_SOCKET', '108 bytes'),
    );
  });

  it.each([
    ['hello\n', 'it is no JSON'],
    ['', 'it ended before'],
    ['{"ok":', 'it ended before'],
    ['x'.repeat(1_048_577), 'a line of more than 1048576 bytes'],
  ])('says when the answer is none', async (answer, cause) => {
    const path = socketPath();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    onTestFinished(() => void server.close());
    await once(server.listen(path), 'listening');
    const request = sendControlRequest(path, { command: 'status' });
    await expect(request).rejects.toThrow(withCode('HLC_CONTROL_ANSWER', cause));
  });
});
