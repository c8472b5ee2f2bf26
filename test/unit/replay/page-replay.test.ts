import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PageUpdate } from '../../../src/observe/live/page-protocol.js';
import { PlaybackClock } from '../../../src/replay/playback-clock.js';
import { runPageReplay } from '../../../src/replay/index.js';
import { directCommand } from '../../support/commands.js';
import { recordTap } from '../../support/recorded-tap.js';
import { ScriptRecords, tNowOf } from './script-records.js';

const steps = 40;

/** The page of a recording of two seconds with one vehicle, and all that it gets. */
async function openPage() {
  const records = new ScriptRecords([1]);
  for (let step = 0; step < steps; step++) {
    records.step(step, [directCommand(1, tNowOf(step))], 2_000_000n);
    records.state(1, step, step);
  }
  const { file } = await recordTap(...records.records.map((each) => [each]));
  const end = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const address = await new Promise<string>((resolve, reject) => {
    const onListening = ({ controlAddress }: { controlAddress: string }) => resolve(controlAddress);
    ended = runPageReplay({ file, port: 0, stopped: end.signal, onListening });
    ended.catch(reject);
  });
  onTestFinished(async () => {
    end.abort();
    await ended;
  });
  const { headers } = await fetch(address, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const { origin } = new URL(address);
  const control = async (request: object) => {
    const body = JSON.stringify(request);
    const all = { cookie, origin, 'content-type': 'application/json' };
    return (await fetch(`${origin}/control`, { method: 'POST', headers: all, body })).status;
  };
  const updates: PageUpdate[] = [];
  void follow(await fetch(`${origin}/live`, { headers: { cookie } }), updates);
  const x = () => updates.flatMap(({ vehicles = [] }) => vehicles).at(-1)?.x;
  const playback = () => updates.findLast((each) => each.playback !== undefined)?.playback;
  const metrics = async () => (await fetch(`${origin}/metrics`)).text();
  return { control, updates, x, playback, metrics };
}

async function follow(response: Response, updates: PageUpdate[]): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const each of events) updates.push(JSON.parse(each.slice('data: '.length)) as PageUpdate);
  }
}

it('leaves nothing behind that keeps the process when the port is taken', async () => {
  const { file } = await recordTap(...new ScriptRecords([1]).records.map((each) => [each]));
  const other = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const before = process.getActiveResourcesInfo();
  const stopped = new AbortController().signal;
  const replay = runPageReplay({ file, port, stopped, onListening: () => undefined });
  await expect(replay).rejects.toMatchObject({ code: 'HLC_OBSERVE_LISTEN' });
  const timers = (all: readonly string[]) => all.filter((name) => name === 'Timeout').length;
  // Those of earlier tests may have ended meanwhile.
  expect(timers(process.getActiveResourcesInfo())).toBeLessThanOrEqual(timers(before));
});

describe('a recording on the page', () => {
  it('is played in its time, stands still, jumps in both directions, and has a speed', async () => {
    const { control, updates, x, playback } = await openPage();
    await expect.poll(() => x() ?? 0).toBeGreaterThan(2);
    expect(await control({ command: 'pause' })).toBe(200);
    await expect.poll(() => playback()?.isPaused).toBe(true);
    const { from = 0, to = 0 } = playback() ?? {};
    expect(to - from).toBeGreaterThan(1500);
    expect(await control({ command: 'seek', t: to })).toBe(200);
    await expect.poll(x).toBe(steps - 1);
    const t = () => updates.findLast((update) => update.t !== undefined)?.t;
    await expect.poll(t).toBeGreaterThan(to - 200);
    expect(await control({ command: 'seek', t: from + (to - from) / 2 })).toBe(200);
    await expect.poll(x).toBeLessThan(0.7 * steps);
    expect(playback()?.position).toBe(from + (to - from) / 2);
    expect(updates.filter(({ connection }) => connection === 'connected').length).toBeGreaterThan(
      1,
    );
    expect(await control({ command: 'speed', speed: 50 })).toBe(200);
    expect(await control({ command: 'resume' })).toBe(200);
    await expect.poll(x).toBe(steps - 1);
    expect(playback()).toMatchObject({ speed: 50, isPaused: false });
  });

  it('has no metrics of a middleware', async () => {
    const { metrics, playback } = await openPage();
    await expect.poll(playback).toBeDefined();
    const text = await metrics();
    expect(text).toContain('hlc_up 0\n');
    expect(text).not.toContain('hlc_controller');
  });

  it('refuses requests that are not for a recording', async () => {
    const { control } = await openPage();
    expect(await control({ command: 'stop' })).toBe(409);
    expect(await control({ command: 'speed', speed: 0 })).toBe(409);
  });
});

describe('the clock of a playback', () => {
  it('stays within the recording', () => {
    const clock = new PlaybackClock(1000, 2000);
    clock.control('{"command":"pause"}');
    for (const [t, position] of [
      [0, 1000],
      [9000, 2000],
      [1500, 1500],
    ]) {
      expect(clock.control(JSON.stringify({ command: 'seek', t }))).toBe(true);
      expect(clock.position).toBe(position);
    }
    expect(clock.control('{')).toBe(false);
    expect(clock.seeks).toBe(3);
  });

  it('waits for no jump that has come already', async () => {
    const clock = new PlaybackClock(1000, 2000);
    clock.control('{"command":"pause"}');
    const { seeks } = clock;
    clock.control('{"command":"seek","t":1500}');
    await clock.until(2000, seeks, new AbortController().signal);
    expect(clock.position).toBe(1500);
  });
});
