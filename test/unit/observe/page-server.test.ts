import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toMs } from '../../../src/core/index.js';
import { readFinding, writeFinding } from '../../../src/observe/finding-file.js';
import { FoxgloveServer } from '../../../src/observe/foxglove/foxglove-server.js';
import { LiveView } from '../../../src/observe/live/live-view.js';
import type { PageUpdate } from '../../../src/observe/live/page-protocol.js';
import { metricsText } from '../../../src/observe/metrics/metrics-text.js';
import { controlMiddleware } from '../../../src/observe/run-observer.js';
import { PageServer } from '../../../src/observe/server/page-server.js';
import { startControlServer, type ControlRequest } from '../../../src/remote/index.js';
import type { TapRecord } from '../../../src/tap/index.js';
import { oneFinding } from '../../support/one-finding.js';
import { oneController, remoteAgent } from '../../support/open-tap.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Served {
  readonly server: PageServer;
  readonly view: LiveView;
  readonly host: string;
  readonly controlSocket: string;
  readonly requests: ControlRequest[];
}

/** A page server on a free port, and the control socket of a middleware. */
async function serve(): Promise<Served> {
  const folder = path.join(temporaryFolder(), 'sockets');
  mkdirSync(folder, { mode: 0o700 });
  const controlSocket = path.join(folder, 'a.sock');
  const requests: ControlRequest[] = [];
  const control = await startControlServer({
    path: controlSocket,
    onRequest: (wanted) => {
      requests.push(wanted);
      const status = { node_id: 'm', pid: 1, time_mode: 'real', phase: 'running' } as const;
      const figures = { time_ns: null, period_ns: 1n, start_signals: 0, controllers: [] };
      return { ok: true, status: { ...status, ...figures } };
    },
  });
  onTestFinished(() => control.close());
  const view = new LiveView();
  const metrics = () => metricsText(view);
  const foxglove = new FoxgloveServer(view);
  const onControl = (wanted: string) => controlMiddleware(controlSocket, wanted);
  const finding = (id: number) => readFinding(controlSocket, id);
  const settings = { onControl, finding, metrics, foxglove, foxgloveOrigins: [] };
  const server = await PageServer.listen({ port: 0, view, ...settings });
  onTestFinished(() => server.close());
  return { server, view, host: new URL(server.address).host, controlSocket, requests };
}

async function ask(
  { server }: Served,
  options: RequestOptions,
  body?: string,
): Promise<{ readonly response: IncomingMessage; readonly body: string }> {
  const asking = request(server.address, { agent: false, ...options });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { response, body: await text(response) };
}

/** The cookie that a browser gets for the control address. */
async function cookieOf(served: Served): Promise<string> {
  const { search } = new URL(served.server.controlAddress);
  const { response } = await ask(served, { path: `/${search}` });
  expect([response.statusCode, response.headers.location]).toEqual([303, '/']);
  const [cookie = ''] = response.headers['set-cookie'] ?? [];
  expect(cookie).toContain('HttpOnly; SameSite=Strict');
  return cookie.split(';')[0] ?? '';
}

const json = { 'content-type': 'application/json' };
const pause = JSON.stringify({ command: 'pause' });

describe('the page server', () => {
  it('listens on this machine only, and says so in its headers', async () => {
    const served = await serve();
    const { response, body } = await ask(served, {});
    expect(served.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(body).toContain('<div id="app">');
    expect(response.headers['content-security-policy']).toContain("default-src 'self'");
  });

  it.each([
    ['another host', { host: 'example.org' }],
    ['no port in its host', { host: '127.0.0.1' }],
    ['the origin of another page', { origin: 'http://example.org' }],
    ['a request of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_, headers) => {
    const served = await serve();
    for (const target of ['/live', '/history', '/metrics']) {
      expect((await ask(served, { path: target, headers })).response.statusCode).toBe(403);
    }
  });

  it('passes a request for control on when host, origin and token are right', async () => {
    const served = await serve();
    const cookie = await cookieOf(served);
    const headers = { ...json, cookie, origin: `http://${served.host}` };
    const options = { method: 'POST', path: '/control', headers };
    const { response, body } = await ask(served, options, pause);
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ ok: true });
    expect(served.requests).toEqual([{ command: 'pause' }]);
  });

  it('passes on when a request was made, so that one which waited is refused', async () => {
    const served = await serve();
    const headers = {
      ...json,
      cookie: await cookieOf(served),
      origin: `http://${served.host}`,
    };
    const resume = (asked: object) => {
      const body = JSON.stringify({ command: 'resume', ...asked });
      return ask(served, { method: 'POST', path: '/control', headers }, body);
    };
    const nowNs = process.hrtime.bigint();
    const late = await resume({ asked_at_ns: String(nowNs - 3_000_000_000n) });
    expect(late.response.statusCode).toBe(409);
    expect(JSON.parse(late.body)).toMatchObject({ code: 'HLC_CONTROL_LATE' });
    expect(served.requests).toEqual([]);
    for (const asked of [{ asked_at_ns: String(nowNs) }, {}]) {
      expect((await resume(asked)).response.statusCode).toBe(200);
    }
  });

  it('gives its monotonic time with each update', async () => {
    const served = await serve();
    const before = toMs(process.hrtime.bigint());
    const asking = request(served.server.address, { agent: false, path: '/live' });
    asking.on('error', () => undefined);
    asking.end();
    onTestFinished(() => void asking.destroy());
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const [chunk] = (await once(response, 'data')) as [Buffer];
    const { sentAtMs } = JSON.parse(chunk.toString().slice('data: '.length)) as PageUpdate;
    expect(sentAtMs).toBeGreaterThanOrEqual(before);
    expect(sentAtMs).toBeLessThanOrEqual(toMs(process.hrtime.bigint()));
  });

  it.each([
    ['no cookie', { cookie: '' }],
    ['a wrong token', { cookie: 'hlc_control_1=abc' }],
    ['no origin', { origin: undefined }],
    ['the origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['the origin of another site', { origin: 'http://example.org' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['the content of a form', { 'content-type': 'text/plain' }],
  ])('refuses a request for control with %s', async (_, change) => {
    const served = await serve();
    const cookie = await cookieOf(served);
    const all = { ...json, cookie, origin: `http://${served.host}`, ...change };
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value));
    const options = { method: 'POST', path: '/control', headers };
    const { response } = await ask(served, options, pause);
    expect([403, 415]).toContain(response.statusCode);
    expect(served.requests).toEqual([]);
  });

  it('answers a request for control that is too long', async () => {
    const served = await serve();
    const cookie = await cookieOf(served);
    const headers = { ...json, cookie, origin: `http://${served.host}` };
    const options = { method: 'POST', path: '/control', headers };
    for (const length of [5000, 5_000_000]) {
      const { response } = await ask(served, options, 'x'.repeat(length));
      expect(response.statusCode).toBe(413);
    }
    expect(served.requests).toEqual([]);
  });

  it('ends although a client keeps the socket of a refused upgrade open', async () => {
    const { server, host } = await serve();
    const socket = connect({ port: Number(new URL(server.address).port), allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    const upgrade = ['connection: upgrade', 'upgrade: websocket', 'origin: http://example.org'];
    socket.write(['GET / HTTP/1.1', `host: ${host}`, ...upgrade, '', ''].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 403 /);
    await server.close();
  });

  it('refuses a token that is wrong, and a request that is no command', async () => {
    const served = await serve();
    expect((await ask(served, { path: '/?token=abc' })).response.statusCode).toBe(403);
    const cookie = await cookieOf(served);
    const headers = { ...json, cookie, origin: `http://${served.host}` };
    const { response, body } = await ask(
      served,
      { method: 'POST', path: '/control', headers },
      '{"command":"fly"}',
    );
    expect([response.statusCode, body]).toEqual([
      409,
      expect.stringContaining('HLC_CONTROL_REQUEST'),
    ]);
  });

  it('gives the history as JSON', async () => {
    const { response, body } = await ask(await serve(), { path: '/history' });
    expect(response.headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({ seconds: [], latenessMs: [], controllers: [] });
  });

  it('gives the errors with an anchor for each code', async () => {
    const { body } = await ask(await serve(), { path: '/errors' });
    expect(body).toContain('id="hlc_tap_full"');
  });

  it('gives what a check found about a controller, and refuses what is no finding', async () => {
    const served = await serve();
    const answer = async (id: string) => {
      const { response, body } = await ask(served, { path: `/finding?id=${id}` });
      return [response.statusCode, body.startsWith('{') ? JSON.parse(body) : body] as const;
    };
    expect(await answer('7')).toEqual([200, 'null']);
    await writeFinding(served.controlSocket, oneFinding([7]));
    expect(await answer('7')).toEqual([200, oneFinding([7])]);
    expect((await answer('../a'))[0]).toBe(404);
    writeFileSync(path.join(`${served.controlSocket}.findings`, '8.json'), '{"time":"now"}');
    expect(await answer('8')).toEqual([409, expect.stringMatching(/8\.json.*HLC_FINDING_FILE/)]);
  });

  it('refuses the page after the 32nd', async () => {
    const served = await serve();
    const codes: (number | undefined)[] = [];
    for (let i = 0; i < 33; i++) {
      const asking = request(served.server.address, { agent: false, path: '/live' });
      asking.on('error', () => undefined);
      asking.end();
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      codes.push(response.statusCode);
      onTestFinished(() => void asking.destroy());
    }
    expect(codes.filter((code) => code === 200)).toHaveLength(32);
    expect(codes.at(-1)).toBe(503);
  });
});

const hello = {
  nodeId: 'middleware',
  timeMode: 'real',
} as Extract<TapRecord, { type: 'hello' }>['content'];

function record(type: 'summary' | 'log' | 'remoteAgents', content: unknown): TapRecord {
  return { type, content, frame: new Uint8Array() } as TapRecord;
}

describe('the updates of a page', () => {
  it('have the counts of the summary', () => {
    const view = new LiveView();
    view.connected(hello);
    const page = view.open(false);
    view.record(record('summary', oneController));
    const { status } = view.take(page) ?? {};
    expect(status).toMatchObject({ refused: { HLC_COMMAND_TOO_OLD: 3 }, startSignals: 9 });
    expect(status?.controllers).toMatchObject([
      { id: 1, replies: 7, misses: 2, refusals: 3, safeStops: 1 },
    ]);
  });

  it('have the vehicles of other simulations until the next middleware', () => {
    const view = new LiveView();
    view.connected(hello);
    view.record(record('remoteAgents', { agents: [remoteAgent] }));
    const page = view.open(false);
    expect(view.take(page)?.remoteAgents).toEqual([remoteAgent]);
    view.record(record('remoteAgents', { agents: [] }));
    expect(view.take(page)?.remoteAgents).toEqual([]);
    view.record(record('remoteAgents', { agents: [remoteAgent] }));
    view.connected(hello);
    expect(view.take(view.open(false))?.remoteAgents).toEqual([]);
  });

  it('name the controller of an entry of the log', () => {
    const view = new LiveView();
    view.connected(hello);
    const page = view.open(false);
    const entry = { level: 30, time: '2026-01-01T00:00:00.000Z', controller: 2 };
    view.record(record('log', { ...entry, msg: 'controller is ready' }));
    view.record(record('log', { ...entry, msg: 'controller 2 is late' }));
    const texts = view.take(page)?.events?.map(({ text: shown }) => shown);
    expect(texts).toEqual(['controller is ready, controller 2', 'controller 2 is late']);
  });

  it('of one that reads nothing are bounded, and count what they lose', () => {
    const view = new LiveView();
    view.connected(hello);
    const page = view.open(false);
    const sent = 5000;
    for (let i = 0; i < sent; i++) {
      const msg = `entry ${i}`;
      view.record(record('log', { level: 30, time: '2026-01-01T00:00:00.000Z', msg }));
    }
    const { events = [], lost = 0 } = view.take(page) ?? {};
    expect(events.length).toBeLessThanOrEqual(1000);
    expect(events.at(-1)?.text).toBe(`entry ${sent - 1}`);
    expect(events.length + lost).toBe(sent);
  });
});
