import { beforeEach, describe, expect, it } from 'vitest';

import {
  ClientSession,
  clientTimeoutMs,
  type SessionOutlet,
} from '../../../../src/gateways/carla/client-session.js';

const frame = (...content: number[]) => Uint8Array.from([content.length, 0, 0, 0, ...content]);
const request = frame();
const startIndex = (index: number) => frame(0x08, index);
/** throttle 0.5 */
const control = frame(0x15, 0, 0, 0, 0x3f);

const driving = { silentMs: 0, blockedMs: 0 };

let nowMs = 0;
let calls: string[] = [];
let refusals: string[] = [];
let session = newSession();

function newSession(sensors = true): ClientSession {
  const out: SessionOutlet = {
    writeWorld: ({ length }) => void calls.push(`write ${length}`),
    dropAgent: () => undefined,
    startSpots: () => Promise.resolve([{ x: 0, y: 0, yaw: 0 }]),
    beginEpisode: (spot, settings) => calls.push(`begin ${spot}, ${settings.sensors.length}`),
    endEpisode: () => calls.push('end'),
    onControl: ({ motorThrottle }) => calls.push(`control ${motorThrottle}`),
    warn: (kind, text) => calls.push(`${kind}: ${text}`),
    refuse: ({ message }) => refusals.push(message),
  };
  return new ClientSession(out, { startSpots: 1, sensors }, () => nowMs);
}

/** Takes the calls so far. */
const taken = () => calls.splice(0);

beforeEach(() => {
  nowMs = 0;
  calls = [];
  refusals = [];
  session = newSession();
});

/** From the connection to the first frame. */
async function start(): Promise<void> {
  session.onWorldBytes(request);
  await Promise.resolve();
  session.onWorldBytes(startIndex(0));
  session.onAgentConnected('measurements');
  session.onAgentConnected('control');
  taken();
}

describe('a session', () => {
  it('leads from a request to an episode, and from one episode to the next', async () => {
    session.onWorldBytes(request);
    expect(taken()).toEqual(['end']);
    await Promise.resolve();
    expect(taken()).toEqual(['write 27']);
    expect(session.mayConnect('control')).toBe(false);
    session.onWorldBytes(startIndex(0));
    expect(taken()).toEqual(['write 6']);
    expect(session.mayConnect('control')).toBe(true);
    session.onAgentConnected('control');
    expect(session.mayConnect('control')).toBe(false);
    expect(taken()).toEqual([]);
    session.onAgentConnected('measurements');
    expect(taken()).toEqual(['begin 0, 0']);
    session.onControlBytes(control);
    session.onAgentClosed();
    session.onAgentClosed();
    expect(taken()).toEqual(['control 0.5', 'end']);
    session.onWorldBytes(request);
    await Promise.resolve();
    session.onWorldBytes(startIndex(9));
    const warning = 'start spots: Start spot 9 does not exist; the client has start spot 0.';
    expect(taken()).toEqual(['end', 'write 27', warning, 'write 6']);
    expect(refusals).toEqual([]);
  });

  it('warns once of all settings without effect', () => {
    const ini = '[CARLA/Sensor]\nSensors=a,b\nSensorType=RADAR';
    session.onWorldBytes(frame(0x0a, ini.length, ...Buffer.from(ini)));
    const [first, second] = ['a', 'b'].map((name) => `Sensor "${name}" has no type that exists.`);
    expect(taken()).toEqual(['end', `settings: ${first} ${second}`]);
  });

  it('has asked when its first message is complete', () => {
    const first = frame(0x0a, 1, 0x41);
    session.onWorldBytes(first.subarray(0, 6));
    expect(session.hasAsked).toBe(false);
    session.onWorldBytes(first.subarray(6));
    expect(session.hasAsked).toBe(true);
  });

  it('ends the episode when a request comes in the middle of it', async () => {
    await start();
    session.onWorldBytes(request);
    expect(taken()).toEqual(['end']);
    await Promise.resolve();
    expect(taken()).toEqual(['write 27']);
  });

  it('has no sensors where there are none', async () => {
    const ini = '[CARLA/Sensor]\nSensors=a\nSensorType=CAMERA';
    const bytes = frame(0x0a, ini.length, ...Buffer.from(ini));
    for (const [sensors, begun] of [
      [true, 'begin 0, 1'],
      [false, 'begin 0, 0'],
    ] as const) {
      session = newSession(sensors);
      session.onWorldBytes(bytes);
      await Promise.resolve();
      session.onWorldBytes(startIndex(0));
      session.onAgentConnected('control');
      session.onAgentConnected('measurements');
      expect(taken()).toContain(begun);
    }
  });

  it('refuses what comes in the wrong order', async () => {
    session.onWorldBytes(startIndex(1));
    session = newSession();
    session.onWorldBytes(request);
    session.onWorldBytes(startIndex(1));
    session = newSession();
    session.onWorldBytes(request);
    await Promise.resolve();
    session.onWorldBytes(frame(0x0a, 1, 0x41));
    expect(refusals).toEqual([
      'the bytes are no RequestNewEpisode',
      'a frame came before the SceneDescription',
      'the bytes are no EpisodeStart',
    ]);
  });

  it('refuses a client that does not do what is next in time', async () => {
    const late = () => {
      nowMs += clientTimeoutMs + 1;
      session.checkTime(driving);
      return refusals.splice(0);
    };
    expect(late()).toEqual([expect.stringContaining('a RequestNewEpisode was due')]);
    session = newSession();
    session.onWorldBytes(request);
    await Promise.resolve();
    expect(late()).toEqual([expect.stringContaining('an EpisodeStart was due')]);
    session = newSession();
    session.onWorldBytes(request);
    await Promise.resolve();
    session.onWorldBytes(startIndex(0));
    session.onAgentConnected('control');
    expect(late()).toEqual([expect.stringContaining('the ports of the agent were due')]);
    session = newSession();
    await start();
    expect(late()).toEqual([]);
    session.onControlBytes(control.subarray(0, 5));
    expect(late()).toEqual([expect.stringContaining('the rest of a frame was due')]);
    session = newSession();
    await start();
    session.checkTime({ ...driving, silentMs: clientTimeoutMs + 1 });
    session.checkTime({ ...driving, blockedMs: clientTimeoutMs + 1 });
    expect(refusals).toEqual([
      expect.stringContaining('no Control came'),
      expect.stringContaining('has not read its frames'),
    ]);
  });

  it('is not kept alive by single bytes', () => {
    for (let sent = 0; sent < 3; sent++) {
      session.onWorldBytes(Uint8Array.of(1));
      nowMs += clientTimeoutMs / 2;
    }
    session.checkTime(driving);
    expect(refusals).toHaveLength(1);
  });

  it('does nothing more when it is closed', async () => {
    session.onWorldBytes(request);
    session.close();
    taken();
    await Promise.resolve();
    session.onWorldBytes(frame(1, 2, 3));
    session.onControlBytes(frame(1, 2, 3));
    nowMs = 1e6;
    session.checkTime({ silentMs: 1e6, blockedMs: 1e6 });
    expect(taken()).toEqual([]);
    expect(refusals).toEqual([]);
  });
});
