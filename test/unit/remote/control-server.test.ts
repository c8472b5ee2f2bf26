import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';

import {
  sendControlRequest,
  startControlServer,
  type ControlReply,
  type ControlRequest,
  type ControlServer,
  type ControlStatus,
} from '../../../src/remote/index.js';
import { HlcError } from '../../../src/errors/index.js';
import { socketPath, temporaryFolder, withCode } from './socket-folder.js';

const status: ControlStatus = {
  node_id: 'middleware',
  pid: 17,
  time_mode: 'simulated',
  phase: 'paused',
  time_ns: 123n,
  period_ns: 50n,
  start_signals: 3,
  controllers: [
    {
      id: 1,
      state: 'ready',
      latched: false,
      stopping: false,
      replies: 3,
      misses: 0,
    },
  ],
};
const done: ControlReply = { ok: true, status };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const start = async (
  path: string,
  onRequest: (request: ControlRequest) => ControlReply | Promise<ControlReply> = () => done,
): Promise<ControlServer> => {
  const server = await startControlServer({ path, onRequest });
  closers.push(() => server.close());
  return server;
};

const deferred = <T>() => {
  let resolve: ((value: T) => void) | undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve: (value: T) => resolve?.(value) };
};

/** A client that writes what it likes. */
const rawClient = async (path: string): Promise<Socket> => {
  const socket = connect({ path });
  closers.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

describe('a control server', () => {
  it('does nothing for an old request that lets vehicles move, and stops them at any age', async () => {
    const path = socketPath();
    const requests: string[] = [];
    await start(path, ({ command }) => {
      requests.push(command);
      return done;
    });
    const longAgo = String(process.hrtime.bigint() - 1_100_000_000n);
    const client = await rawClient(path);
    for (const request of [
      { command: 'step', count: 1 },
      { command: 'resume' },
      { command: 'runUntil', time_ns: '5' },
    ]) {
      client.write(`${JSON.stringify({ ...request, asked_at_ns: longAgo })}\n`);
    }
    client.end(`${JSON.stringify({ command: 'pause' })}\n${JSON.stringify({ command: 'stop' })}\n`);
    const replies = (await text(client))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ControlReply);
    const refused = { ok: false, code: 'HLC_CONTROL_LATE' };
    expect(replies).toMatchObject([refused, refused, refused, { ok: true }, { ok: true }]);
    expect(requests).toEqual(['pause', 'stop']);
    expect(await sendControlRequest(path, { command: 'resume' })).toMatchObject({ ok: true });
  });

  it('answers each request of each client', async () => {
    const path = socketPath();
    const requests: ControlRequest[] = [];
    await start(path, (request) => {
      requests.push(request);
      return done;
    });
    const all: ControlRequest[] = [
      { command: 'status' },
      { command: 'step', count: 2 },
      { command: 'runUntil', time_ns: 2n ** 62n },
    ];
    const replies = await Promise.all(all.map((request) => sendControlRequest(path, request)));
    expect(replies).toEqual([done, done, done]);
    expect(requests).toHaveLength(3);
    expect(requests).toEqual(expect.arrayContaining(all));
  });

  it('waits with its reply until it is there, and serves others meanwhile', async () => {
    const path = socketPath();
    const late: ControlReply = { ok: false, code: 'LATE', message: 'late' };
    const step = deferred<ControlReply>();
    await start(path, ({ command }) => (command === 'step' ? step.promise : done));
    const stepped = sendControlRequest(path, { command: 'step', count: 1 });
    expect(await sendControlRequest(path, { command: 'status' })).toEqual(done);
    step.resolve(late);
    expect(await stepped).toEqual(late);
  });

  it('replies in the order of the requests, also to a client that ends its side', async () => {
    const path = socketPath();
    let turn = Promise.resolve();
    await start(path, async ({ command }) => {
      const before = turn;
      turn = new Promise((resolve) => setImmediate(resolve));
      await before;
      return { ok: false, code: command, message: '' };
    });
    const socket = await rawClient(path);
    socket.end('{"command":"pause"}\n{"command":"status"}\n{"command":"resume"}\n');
    const codes = (await text(socket))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(codes).toMatchObject([{ code: 'pause' }, { code: 'status' }, { code: 'resume' }]);
  });

  it('reports an error of the catalogue in its words', async () => {
    const path = socketPath();
    await start(path, () => {
      throw new HlcError('HLC_CONTROL_REAL_TIME', {});
    });
    const { code, message } = new HlcError('HLC_CONTROL_REAL_TIME', {});
    const reply = await sendControlRequest(path, { command: 'pause' });
    expect(reply).toEqual({ ok: false, code, message });
  });

  it('reports any other error as well', async () => {
    const path = socketPath();
    await start(path, () => Promise.reject(new TypeError('x is not a function')));
    expect(await sendControlRequest(path, { command: 'pause' })).toEqual({
      ok: false,
      code: 'HLC_UNEXPECTED',
      message: expect.stringContaining('x is not a function') as string,
    });
  });

  it('reports a client what is wrong with a request, and takes the next one', async () => {
    const path = socketPath();
    await start(path);
    const socket = await rawClient(path);
    socket.end('stop\n{"command":"status"}\n');
    const [first = '', second = ''] = (await text(socket)).split('\n');
    expect(JSON.parse(first)).toMatchObject({ ok: false, code: 'HLC_CONTROL_REQUEST' });
    expect(JSON.parse(second)).toMatchObject({ ok: true });
  });

  it('drops a client whose line does not end', async () => {
    const path = socketPath();
    await start(path);
    const socket = await rawClient(path);
    socket.write('x'.repeat(4097));
    expect(JSON.parse(await text(socket))).toMatchObject({
      code: 'HLC_CONTROL_REQUEST',
      message: expect.stringContaining('longer than 4096 bytes') as string,
    });
    expect(await sendControlRequest(path, { command: 'status' })).toEqual(done);
  });

  it('goes on when a client goes away before its reply', async () => {
    const path = socketPath();
    const asked = deferred<ControlRequest>();
    const reply = deferred<ControlReply>();
    await start(path, (request) => {
      if (request.command === 'status') return done;
      asked.resolve(request);
      return reply.promise;
    });
    const socket = await rawClient(path);
    socket.write('{"command":"pause"}\n');
    await asked.promise;
    socket.destroy();
    await once(socket, 'close');
    reply.resolve(done);
    expect(await sendControlRequest(path, { command: 'status' })).toEqual(done);
  });

  it('drops its clients and removes its socket when it is closed', async () => {
    const path = socketPath();
    const server = await start(path, () => new Promise(() => undefined));
    const waiting = sendControlRequest(path, { command: 'step', count: 1 });
    const idle = await rawClient(path);
    const refused = expect(waiting).rejects.toThrow(withCode('HLC_CONTROL_ANSWER'));
    const ended = new Promise((resolve) => idle.resume().once('close', resolve));
    await server.close();
    await refused;
    await ended;
    expect(existsSync(path)).toBe(false);
    await server.close();
  });
});

describe('the socket of a control server', () => {
  it('and its new folder are for this user alone', async () => {
    const folder = join(temporaryFolder(), 'one', 'two');
    await start(join(folder, 'a.sock'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a.sock')).mode & 0o777).toBe(0o600);
  });

  it('is not taken from another process', async () => {
    const path = socketPath();
    await start(path);
    await expect(start(path)).rejects.toThrow(withCode('HLC_CONTROL_BUSY', path));
    expect(await sendControlRequest(path, { command: 'status' })).toEqual(done);
  });

  it('replaces that of a process which was killed', async () => {
    const path = socketPath();
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', script])).toThrow();
    expect(statSync(path).isSocket()).toBe(true);
    await start(path);
    expect(await sendControlRequest(path, { command: 'status' })).toEqual(done);
  });

  it('does not replace a file of another kind', async () => {
    const path = socketPath();
    writeFileSync(path, 'precious');
    await expect(start(path)).rejects.toThrow(
      withCode('HLC_CONTROL_SOCKET', 'there is a file that is no socket'),
    );
    expect(existsSync(path)).toBe(true);
  });

  it('is not made where other users could replace it', async () => {
    const folder = join(temporaryFolder(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    await expect(start(join(folder, 'a.sock'))).rejects.toThrow(
      withCode('HLC_CONTROL_SOCKET', `other users may write in the folder ${folder}`),
    );
    chmodSync(folder, 0o1777);
    await start(join(folder, 'a.sock'));
    expect(readdirSync(folder)).toEqual(['a.sock']);
  });

  it('is not made where there can be no folder', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(start(join(file, 'a.sock'))).rejects.toThrow(
      withCode('HLC_CONTROL_SOCKET', 'ENOTDIR'),
    );
  });

  it('is not made with a path that no socket can have', async () => {
    const folder = temporaryFolder();
    await expect(start(join(folder, 'x'.repeat(108)))).rejects.toThrow(
      withCode('HLC_CONTROL_SOCKET', 'of a socket has at most 107'),
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
