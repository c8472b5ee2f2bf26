import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  startControlServer,
  type ControlReply,
  type ControlRequest,
  type ControlServer,
  type ControlStatus,
} from '../../../src/remote/index.js';
import { HlcError } from '../../../src/errors/index.js';
import { remoteAgent } from '../../support/open-tap.js';
import { run } from './run.js';

const status: ControlStatus = {
  node_id: 'middleware_1,2',
  pid: 4711,
  time_mode: 'simulated',
  phase: 'waitingForTrigger',
  time_ns: 150_000_001n,
  period_ns: 16_666_667n,
  start_signals: 4,
  controllers: [
    {
      id: 1,
      state: 'ready',
      latched: false,
      stopping: false,
      replies: 4,
      misses: 0,
    },
    {
      id: 2,
      state: 'dead',
      latched: false,
      stopping: false,
      replies: 1,
      misses: 3,
    },
  ],
};

const statusLines = `middleware_1,2 (pid 4711): simulated time, waiting for trigger
start signals: 4, the last one for 150000001 ns; period: 16.666667 ms
controller 1: ready, replies: 4, misses: 0
controller 2: dead, replies: 1, misses: 3
`;

let folder: string;
let server: ControlServer;
let requests: ControlRequest[];
let reply: ControlReply;

beforeEach(async () => {
  folder = mkdtempSync('/tmp/hlc-cli-');
  requests = [];
  reply = { ok: true, status };
  server = await startControlServer({
    path: join(folder, 'hlc-middleware', 'lab.sock'),
    onRequest: (request) => {
      requests.push(request);
      return reply;
    },
  });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('the commands for a running middleware', () => {
  it.each<[commandLine: string, request: ControlRequest]>([
    ['status', { command: 'status' }],
    ['pause', { command: 'pause' }],
    ['resume', { command: 'resume' }],
    ['step', { command: 'step', count: 1 }],
    ['step 20', { command: 'step', count: 20 }],
    ['run-until 0', { command: 'runUntil', time_ns: 0n }],
    ['run-until 9223372036854775807', { command: 'runUntil', time_ns: 2n ** 63n - 1n }],
  ])('%s sends one request and shows how things stand', async (commandLine, request) => {
    const outcome = await run(`${commandLine} --control-socket=${server.path}`);
    expect(outcome).toMatchObject({ exitCode: 0, out: statusLines, error: '' });
    expect(requests).toEqual([request]);
  });

  it.each([
    ['status --node-id=lab', {}, ''],
    ['status --node-id lab', {}, ''],
    ['status', { HLC_MIDDLEWARE_NODE_ID: 'lab' }, ''],
    ['status --config=lab.yaml', {}, 'node-id: lab\nperiod-ms: 50'],
  ])('find it as the middleware does: %s with %j', async (commandLine, variables, file) => {
    const environment = { XDG_RUNTIME_DIR: folder, ...variables };
    const outcome = await run(commandLine, { environment, readFile: () => file });
    expect(outcome).toMatchObject({ exitCode: 0, error: '' });
    expect(requests).toEqual([{ command: 'status' }]);
  });

  it('show the vehicles of other simulations', async () => {
    const unmapped = { ...remoteAgent, agent: 3, vehicle_id: null, kind: 'copter' } as const;
    reply = { ok: true, status: { ...status, remote_agents: [remoteAgent, unmapped] } };
    const { out } = await run(`status --control-socket=${server.path}`);
    expect(out).toBe(
      `${statusLines}agent 1.2 of synchrono_gateway_3: wheeled, vehicle 10, 6 wheels, sedan.obj, rim.obj
agent 1.3 of synchrono_gateway_3: copter, 6 wheels, sedan.obj, rim.obj
`,
    );
  });

  it('print the state as JSON on request', async () => {
    const known = { ...status, remote_agents: [remoteAgent] };
    reply = { ok: true, status: known };
    const { out } = await run(`status --json --control-socket=${server.path}`);
    expect(JSON.parse(out)).toEqual({ ...known, time_ns: '150000001', period_ns: '16666667' });
  });

  it('name what is not known yet', async () => {
    reply = {
      ok: true,
      status: { ...status, time_mode: 'real', time_ns: null, period_ns: null, controllers: [] },
    };
    const { out } = await run(`status --control-socket=${server.path}`);
    expect(out).toBe(
      'middleware_1,2 (pid 4711): real time, waiting for trigger\nstart signals: 4; period: not known yet\n',
    );
  });

  it('end with exit code 1 and the sentence of a refusal', async () => {
    const { code, message } = new HlcError('HLC_CONTROL_REAL_TIME', {});
    reply = { ok: false, code, message };
    expect(await run(`pause --control-socket=${server.path}`)).toMatchObject({
      exitCode: 1,
      out: '',
      error: `hlc-middleware: ${message} [HLC_CONTROL_REAL_TIME]\n`,
    });
  });

  it('end with exit code 1 and one sentence when no middleware listens', async () => {
    const path = join(folder, 'b.sock');
    expect(await run(`pause --control-socket=${path}`)).toMatchObject({
      exitCode: 1,
      out: '',
      error: `hlc-middleware: No middleware listens at the control socket ${path}; start one, or name the right one with --node-id or --control-socket. [HLC_CONTROL_NOBODY]\n`,
    });
  });

  it.each([
    ['step 0', 'HLC_CONFIG_VALUE', 'The value "0" of step is refused: it must be a whole number'],
    ['step 1.5', 'HLC_CONFIG_VALUE', 'The value "1.5" of step is refused'],
    ['step 9007199254740992', 'HLC_CONFIG_VALUE', 'from 1 to 9007199254740991'],
    ['run-until soon', 'HLC_CONFIG_VALUE', 'The value "soon" of run-until is refused'],
    ['run-until 9223372036854775808', 'HLC_CONFIG_VALUE', 'from 0 to 9223372036854775807'],
    ['status --control-socket=off', 'HLC_CONTROL_OFF', 'names no socket'],
    ['status --config=none.yaml', 'HLC_CONFIG_FILE_READ', 'none.yaml'],
  ])('end with exit code 2: %s', async (commandLine, code, words) => {
    const outcome = await run(commandLine);
    expect(outcome).toMatchObject({ exitCode: 2, out: '' });
    expect(outcome.error).toContain(words);
    expect(outcome.error).toMatch(new RegExp(` \\[${code}\\]\n$`));
    expect(requests).toEqual([]);
  });
});
