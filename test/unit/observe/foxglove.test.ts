import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { FoxgloveClient, type Channel, type MessageData } from '@foxglove/ws-protocol';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { FoxgloveServer } from '../../../src/observe/foxglove/foxglove-server.js';
import { LiveView } from '../../../src/observe/live/live-view.js';
import { PageServer } from '../../../src/observe/server/page-server.js';
import type { TapRecord, TapSummary } from '../../../src/tap/index.js';
import { oneController } from '../../support/open-tap.js';
import { TappedNode } from '../../support/tapped-node.js';
import { eventfulRun, FrameRecorder } from '../../support/tapped-run.js';
import { LiveScript } from './live-script.js';

const subprotocols = ['foxglove.websocket.v1', 'foxglove.sdk.v1'];
const webPage = 'https://app.example';
const hello = { nodeId: 'middleware', timeMode: 'real' } as Extract<
  TapRecord,
  { type: 'hello' }
>['content'];

interface Served {
  readonly view: LiveView;
  readonly address: string;
  readonly port: string;
  readonly foxglove: FoxgloveServer;
  /** Shows a record to the page and to the Foxglove clients. */
  readonly record: (record: TapRecord) => void;
}

async function serve(): Promise<Served> {
  const view = new LiveView([0, 0, 1, 1]);
  const foxglove = new FoxgloveServer(view);
  const server = await PageServer.listen({
    port: 0,
    view,
    onControl: () => Promise.resolve({ isDone: false, text: '' }),
    finding: () => Promise.resolve(undefined),
    metrics: () => '',
    foxglove,
    foxgloveOrigins: [webPage],
  });
  onTestFinished(() => server.close());
  view.connected(hello);
  const { port } = new URL(server.address);
  const record = (each: TapRecord) => {
    view.record(each);
    foxglove.record(each);
  };
  return { view, foxglove, address: `ws://127.0.0.1:${port}/`, port, record };
}

function open(address: string, names: readonly string[], options: ClientOptions = {}): WebSocket {
  const socket = new WebSocket(address, [...names], options);
  onTestFinished(() => {
    socket.terminate();
  });
  return socket;
}

/** A client of Foxglove's own library, and what it gets. */
async function connect({ address }: Served, name = 'foxglove.sdk.v1') {
  const socket = open(address, [name]);
  const client = new FoxgloveClient({ ws: socket as never });
  const messages = new Map<string, MessageData[]>();
  const statuses: string[] = [];
  const topics = new Map<number, string>();
  client.on('status', ({ message }) => statuses.push(message));
  client.on('message', (message) => {
    const topic = topics.get(message.subscriptionId) ?? '';
    messages.set(topic, [...(messages.get(topic) ?? []), message]);
  });
  const channels = await new Promise<Channel[]>((resolve) => client.on('advertise', resolve));
  const subscribe = (...wanted: string[]) => {
    for (const { id, topic } of channels) {
      if (wanted.includes(topic)) topics.set(client.subscribe(id), topic);
    }
  };
  const got = (topic: string) => messages.get(topic) ?? [];
  return { socket, client, channels, subscribe, got, statuses };
}

function json({ data }: MessageData): Record<string, unknown> {
  return JSON.parse(
    Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString(),
  ) as Record<string, unknown>;
}

/** The HTTP status of a refused WebSocket. */
async function refusalOf(socket: WebSocket): Promise<number | undefined> {
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode?: number },
  ];
  return response.statusCode;
}

function logRecord(i: number): TapRecord {
  const content = { level: 40, time: new Date(i).toISOString(), msg: `event ${i}`, code: 'HLC_A' };
  return { type: 'log', content, frame: new Uint8Array() };
}

function summaryRecord(content: TapSummary): TapRecord {
  return { type: 'summary', content, frame: new Uint8Array() };
}

async function recordsOfRun(): Promise<TapRecord[]> {
  const recorder = new FrameRecorder();
  await eventfulRun(new TappedNode('--vehicle-ids=1', recorder), false);
  return recorder.records();
}

describe('the Foxglove server', () => {
  it.each(subprotocols)('gives all samples in CDR to a client of %s', async (name) => {
    const served = await serve();
    const { socket, channels, subscribe, got } = await connect(served, name);
    expect(socket.protocol).toBe(name);
    const records = await recordsOfRun();
    const sampled = channels.filter(({ encoding }) => encoding === 'cdr');
    subscribe(...sampled.map(({ topic }) => topic));
    // The subscriptions are there when the answer to a wrong request is.
    await answered(socket);
    for (const each of records) served.record(each);
    await expect.poll(() => got('/lab/vehicleState').length).toBeGreaterThan(5);
    for (const { topic, schema, schemaEncoding } of sampled) {
      expect(schemaEncoding).toBe('ros2msg');
      const reader = new MessageReader(parse(schema, { ros2: true }));
      for (const { data } of got(topic)) expect(reader.readMessage(data)).toBeTypeOf('object');
    }
    const [state] = got('/lab/vehicleState');
    const { schema = '' } = sampled.find(({ topic }) => topic === '/lab/vehicleState') ?? {};
    const reader = new MessageReader(parse(schema, { ros2: true }));
    expect(state && reader.readMessage(state.data)).toMatchObject({ vehicle_id: 1 });
    expect(got('/controllers/vehicleStateList').length).toBeGreaterThan(5);
    expect(got('/lab/vehicleCommandDirect').length).toBeGreaterThan(0);
  });

  it('gives scene, log and events as JSON', async () => {
    const served = await serve();
    const { socket, subscribe, got } = await connect(served);
    subscribe('/scene', '/log', '/events');
    await answered(socket);
    for (const each of await recordsOfRun()) served.record(each);
    served.record(logRecord(7));
    const entities = () => got('/scene').flatMap((each) => json(each).entities as { id: string }[]);
    const kinds = () => new Set(got('/events').map((each) => json(each).kind));
    // The last ones of an update.
    await expect.poll(kinds).toEqual(new Set(['miss', 'refusal', 'stop']));
    expect(entities().find(({ id }) => id === 'vehicle 1')).toMatchObject({
      frame_id: 'map',
      arrows: [{ pose: { position: { z: 0 } } }],
      texts: [{ text: '1' }],
    });
    expect(entities().map(({ id }) => id)).toContain('track');
    expect(got('/log').map(json)).toContainEqual(
      expect.objectContaining({ level: 3, message: 'event 7 [HLC_A]' }),
    );
  });

  it('shows vehicles for a second, and again when one is stopped', async () => {
    const served = await serve();
    const { socket, subscribe, got } = await connect(served);
    served.record(summaryRecord(oneController));
    subscribe('/scene');
    await answered(socket);
    const script = new LiveScript('real', served.view).state(5000, { vehicle_id: 1 });
    served.record(summaryRecord(oneController));
    script.state(5050, { vehicle_id: 1 });
    const entities = () =>
      got('/scene').flatMap(
        (each) => json(each).entities as { id: string; lifetime: object; texts: object[] }[],
      );
    const vehicle = () => entities().findLast(({ id }) => id === 'vehicle 1');
    await expect.poll(vehicle).toMatchObject({ texts: [{ text: '1' }] });
    expect(vehicle()?.lifetime).toEqual({ sec: 1, nsec: 0 });
    expect(entities().find(({ id }) => id === 'track')?.lifetime).toEqual({ sec: 0, nsec: 0 });
    const controllers = oneController.controllers.map((each) => ({ ...each, stopping: true }));
    served.record(summaryRecord({ ...oneController, controllers }));
    await expect.poll(vehicle).toMatchObject({ texts: [{ text: '1 stopped' }] });
  });

  it('drops samples for a client that does not read, says so, and keeps every event', async () => {
    const served = await serve();
    const { socket, subscribe, got, statuses } = await connect(served);
    subscribe('/lab/vehicleState', '/log');
    await answered(socket);
    // Larger than any, to fill the buffers of the kernel soon.
    const sample = { topic: 'vehicleState', bytes: new Uint8Array(100_000) };
    const at = { monotonicNs: 1n, realtimeNs: 1n };
    const large = { type: 'event', kind: 'vehicleState', at, sample } as TapRecord;
    socket.pause();
    const events = 300;
    for (let i = 0; i < events; i++) {
      served.record(logRecord(i));
      served.foxglove.record(large);
    }
    socket.resume();
    await expect.poll(() => got('/log').length, { timeout: 20_000 }).toBe(events);
    expect(got('/log').map((each) => json(each).message)).toEqual(
      Array.from({ length: events }, (_, i) => `event ${i} [HLC_A]`),
    );
    await expect.poll(() => statuses.join()).toMatch(/\d+ messages were dropped/);
    expect(got('/lab/vehicleState').length).toBeLessThan(events);
  });

  it('refuses what a client publishes, and stays', async () => {
    const { client, socket, statuses, subscribe, channels } = await connect(await serve());
    const channelId = client.advertise({ topic: '/a', encoding: 'json', schemaName: 'a' });
    client.sendMessage(channelId, new Uint8Array([1]));
    client.setParameters([{ name: 'a', value: 1 }]);
    socket.send('{');
    await expect.poll(() => statuses.length).toBe(4);
    expect(new Set(statuses)).toEqual(new Set(['this server only takes subscriptions']));
    subscribe(channels[0]?.topic ?? '');
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it('refuses other subprotocols, hosts and origins, and too many clients', async () => {
    const { address, port } = await serve();
    expect(await refusalOf(open(address, ['foxglove.websocket.v9']))).toBe(400);
    expect(await refusalOf(open(address, []))).toBe(400);
    const wrong = [
      { headers: { host: 'example.org' } },
      { origin: 'http://example.org' },
      { origin: 'http://127.0.0.1:1' },
    ];
    for (const options of wrong) {
      expect(await refusalOf(open(address, subprotocols, options))).toBe(403);
    }
    for (const origin of [webPage, `http://127.0.0.1:${port}`]) {
      await once(open(address, subprotocols, { origin }), 'open');
    }
    for (let i = 2; i < 16; i++) await once(open(address, subprotocols), 'open');
    expect(await refusalOf(open(address, subprotocols))).toBe(503);
  });

  it('has the topics of the shipped layout', async () => {
    const { channels } = await connect(await serve());
    const layout = readFileSync(
      new URL('../../../launch/foxglove/layout.json', import.meta.url),
      'utf8',
    );
    const used = layout.match(/(?<=")\/[\w/]+/g) ?? [];
    expect(used).toHaveLength(4);
    const topics = channels.map(({ topic }) => topic);
    expect(used.filter((topic) => !topics.includes(topic))).toEqual([]);
  });

  it('shows stopped vehicles in another colour', async () => {
    const served = await serve();
    const { socket, subscribe, got } = await connect(served);
    subscribe('/scene');
    await answered(socket);
    const [controller] = oneController.controllers;
    if (controller === undefined) throw new Error('there is no controller');
    const stopped = { ...oneController, controllers: [{ ...controller, latched: true }] };
    served.record({ type: 'summary', content: stopped, frame: new Uint8Array() });
    for (const each of await recordsOfRun()) served.record(each);
    await expect
      .poll(() =>
        got('/scene')
          .map((each) => JSON.stringify(json(each)))
          .join(),
      )
      .toContain('1 stopped');
  });
});

/** Settles when the server has handled all that the client sent. */
async function answered(socket: WebSocket): Promise<void> {
  socket.ping();
  await once(socket, 'pong');
}
