import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { topics, type Topic } from '../../../src/messages/index.js';
import { framesOf, openCarlaLab } from '../../support/carla-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

const ms = 1_000_000n;
const asynchronous = '[CARLA/Server]\nSynchronousMode=False\n';
/** A run ends without waiting until the vehicle stands. */
const shortEnd = '--end-timeout-ms=1';
const toTheRight = { steer: 0.5, throttle: 0.4 };
/** Settings with a camera of 40 × 30 pixels and a lidar of two channels that meets the ground. */
const withSensors = `[CARLA/Sensor]
Sensors=eye,laser
[CARLA/Sensor/eye]
SensorType=CAMERA
ImageSizeX=40
ImageSizeY=30
PositionZ=0.1
[CARLA/Sensor/laser]
SensorType=LIDAR_RAY_CAST
Channels=2
LowerFovLimit=-20
UpperFovLimit=-10
PositionZ=0.1
`;
/** Of these sensors: the image, and the scan without points; lengths in bytes from the sensor id on. */
const image = [1, 28 + 4 * 40 * 30];
const emptyScanBytes = 20 + 2 * 4;

interface Stamped {
  readonly header: { readonly create_stamp: { readonly nanoseconds: bigint } };
}

describe('a synchronous CARLA client', () => {
  it('drives the vehicle of its start spot in real time, and sees it where it is', async () => {
    const { lab, statesOf, startClient } = await openCarlaLab('1,2');
    const other = lab.controller({ ids: [2] });
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=50', shortEnd);
    other.signIn();
    const ini = '[CARLA/Server]\nSendNonPlayerAgentsInfo=True\n';
    const client = startClient([{ frames: 60, control: toTheRight, ini }], true);
    await client.seen.until(({ done }) => done === true);
    client.program.signal('SIGKILL');

    const [first] = client.seen.items;
    expect(first?.scene?.spots).toHaveLength(2);
    expect(client.seen.items[1]?.ready).toBe('0801');
    const frames = client.seen.items.filter(({ frame }) => frame !== undefined);
    expect(frames.map(({ frame }) => frame)).toEqual(frames.map((_, index) => index + 1));
    const times = frames.map(({ game = NaN }) => game);
    expect(times[0]).toBe(0);
    for (const time of times) expect(time % 50).toBe(0);
    expect(frames.at(-1)?.agents).toEqual([2]);

    // It turns to the right: by yaw in CARLA upwards, in the lab downwards.
    const states = statesOf(1);
    const [begin, end] = [states[0], states.at(-1)];
    expect(end?.odometer_distance).toBeGreaterThan(1);
    const turning = states.filter(({ imu_yaw_rate: rate }) => rate < -0.5).length;
    expect(turning).toBeGreaterThan(states.length / 3);
    expect(states.filter(({ imu_yaw_rate: rate }) => rate > 0.01)).toEqual([]);
    expect(first?.scene?.spots[0]?.location[0]).toBeCloseTo(begin?.pose.x ?? NaN);
    expect(first?.scene?.spots[0]?.location[1]).toBeCloseTo(-(begin?.pose.y ?? NaN));
    const last = frames.at(-1)?.player;
    const same = states.find(
      ({ pose }) =>
        Math.hypot(pose.x - (last?.location[0] ?? 0), pose.y + (last?.location[1] ?? 0)) < 1e-5,
    );
    const yaw = ((same?.pose.yaw ?? NaN) * 180) / Math.PI;
    const apart = (yaw + (last?.rotation[1] ?? NaN)) % 360;
    expect(Math.abs(Math.sin((apart * Math.PI) / 180))).toBeLessThan(1e-4);
    middleware.signal('SIGTERM');
    await middleware.ended;
    const { controllers } = middleware.summary();
    expect(controllers[1]?.replies).toBeGreaterThan(55);
  });

  const runs: unknown[] = [];

  it.each(['first', 'second'])(
    'is the reply that simulated time waits for, and repeats itself byte by byte: %s run',
    async () => {
      const { lab, states, startClient } = await openCarlaLab('1', {
        fleet: ['--simulated-time'],
      });
      const commands = new TopicRecorder(lab.join('lab'), topics.vehicleCommandDirect);
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1',
        '--period-ms=50',
        '--simulated-time',
        '--wait-for-start=true',
        '--periods=100',
      );
      const episode = { frames: 100, control: toTheRight, delay: 0.005 };
      const frames = await framesOf(startClient([episode]));
      expect((await middleware.ended).code).toBe(0);
      expect(middleware.summary()).toMatchObject({
        start_signals: 100,
        controllers: { 1: { replies: 100, misses: 0 } },
      });
      expect(frames.map(({ game }) => game)).toEqual(frames.map((_, index) => 50 * index));
      expect(states.samples.at(-1)?.odometer_distance).toBeGreaterThan(3);
      expect(states.losses).toEqual([]);
      // The end of a run, when the middleware is gone, is not in simulated time.
      const bytesUntil = 4000n * ms;
      // Cyclone fills up a sample with any octets; the codec with zeros.
      const early = <T extends Stamped>(recorder: TopicRecorder<T>, { codec }: Topic<T>) =>
        recorder.samples
          .filter(({ header }) => header.create_stamp.nanoseconds < bytesUntil)
          .map((message) => Buffer.from(codec.encode(message)).toString('hex'));
      const directCommands = early(commands, topics.vehicleCommandDirect);
      expect(directCommands).toHaveLength(80);
      runs.push({
        frames: frames.map(({ frame, game, player, speed }) => [frame, game, player, speed]),
        states: early(states, topics.vehicleState),
        commands: directCommands,
      });
      expect(runs.at(-1)).toEqual(runs[0]);
    },
  );

  it('misses the periods in which it sends no control, and drives on with a late one', async () => {
    const { lab, statesOf, startClient } = await openCarlaLab('1');
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', shortEnd);
    const client = startClient([{ frames: 12, control: toTheRight, delay: 0.12 }]);
    const frames = await framesOf(client);
    const steps = frames.map(({ game = 0 }, i) => game - (frames[i - 1]?.game ?? 0)).slice(1);
    // On a busy machine, a start signal may still be on its way when a later one should have come.
    expect(steps.filter((step) => step < 100).length).toBeLessThanOrEqual(2);
    middleware.signal('SIGTERM');
    await middleware.ended;
    const { replies = 0, misses = 0 } = middleware.summary().controllers[1] ?? {};
    // On a busy machine, two controls can come in one period.
    expect(replies).toBeGreaterThan(6);
    expect(replies).toBeLessThanOrEqual(12);
    expect(misses).toBeGreaterThanOrEqual(12);
    expect(statesOf(1).at(-1)?.odometer_distance).toBeGreaterThan(0.3);
  });

  it('may begin another episode, with the sensors that it asks for', async () => {
    // In simulated time, so that each control is the reply to its frame however busy the machine is.
    const { lab, gateway, startClient } = await openCarlaLab('1,2', {
      fleet: ['--simulated-time'],
    });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--active-vehicle-ids=1,2',
      '--period-ms=100',
      '--simulated-time',
      '--wait-for-start=true',
      '--periods=11',
    );
    const frames = await framesOf(
      startClient([
        { frames: 3, control: toTheRight },
        { frames: 5, control: toTheRight, spot: 77, ini: withSensors },
        { frames: 3, control: toTheRight },
      ]),
    );
    expect(frames.map(({ frame }) => frame)).toEqual([1, 2, 3, 1, 2, 3, 4, 5, 1, 2, 3]);
    expect(frames.slice(0, 3).flatMap(({ data }) => data)).toEqual([]);
    // 56,000 points per second, all of which meet the ground; each frame has those of 0.1 s.
    const cloud = [2, emptyScanBytes + 56 * 100 * 12];
    for (const { data } of frames.slice(3, 8)) expect(data).toEqual([image, cloud]);
    expect(gateway.stderr.items).toContain(
      'Start spot 77 does not exist; the client has start spot 0.',
    );
    expect((await middleware.ended).code).toBe(0);
    expect(middleware.summary().controllers[1]).toMatchObject({ replies: 11, misses: 0 });
  });
});

describe('the sensors of a CARLA client', () => {
  it.each([
    { mode: 'blank', names: ['eye', 'laser'], data: [image, [2, emptyScanBytes]] },
    { mode: 'off', names: [], data: [] },
  ])('are of the right size, or absent: --sensors=$mode', async ({ mode, names, data }) => {
    const { lab, startClient } = await openCarlaLab('1', {
      fleet: ['--simulated-time'],
      gateway: [`--sensors=${mode}`],
    });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=100',
      '--simulated-time',
      '--wait-for-start=true',
      '--periods=3',
    );
    const client = startClient([{ frames: 3, control: toTheRight, ini: withSensors }]);
    const frames = await framesOf(client);
    expect(client.seen.items[0]?.scene?.sensors.map(([, , name]) => name)).toEqual(names);
    expect(frames.map((frame) => frame.data)).toEqual([data, data, data]);
    expect((await middleware.ended).code).toBe(0);
  });
});

describe('a CARLA client between two episodes', () => {
  it('stays connected, and its vehicle is stopped', async () => {
    const { lab, gateway, states, statesOf, startClient } = await openCarlaLab('1');
    lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', '--miss-policy=stop');
    const client = startClient([{ frames: 60, control: { throttle: 0.4 } }], true);
    await client.seen.until(({ done }) => done === true);
    let skip = states.messages.items.length;
    await states.messages.until(({ message }) => skip-- <= 0 && message.speed === 0);
    expect(Math.max(...statesOf(1).map(({ speed }) => speed))).toBeGreaterThan(0.5);
    expect(gateway.stderr.items).not.toContain('the client is gone');
  });

  it('is waited for in simulated time, up to the reply time-out', async () => {
    const { lab, gateway, startClient } = await openCarlaLab('1', { fleet: ['--simulated-time'] });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--simulated-time',
      '--wait-for-start=true',
      // Longer than the second after which the middleware names whom it waits for.
      '--reply-timeout-ms=2500',
      '--reply-timeout-policy=halt',
    );
    const client = startClient([{ frames: 5, control: { steer: 0.1 } }], true);
    await client.seen.until(({ done }) => done === true);
    expect((await middleware.ended).code).toBe(4);
    const waits = middleware.logs.items
      .map(({ msg }) => msg)
      .filter((msg) => msg.startsWith('waiting for the reply') || msg === 'reply time-out');
    expect(waits[0]).toContain('waiting for the reply of controller 1');
    expect(waits.at(-1)).toBe('reply time-out');
    expect(middleware.summary()).toMatchObject({
      start_signals: 6,
      controllers: { 1: { replies: 5 } },
    });
    expect(middleware.logged('controller 1 is dead')).toEqual([]);
    await gateway.stderr.until((line) => line.startsWith('the lab has stopped'));
  });
});

describe('an asynchronous CARLA client', () => {
  it('drives on with its last control for a second, and is never waited for', async () => {
    const { lab, statesOf, startClient } = await openCarlaLab('1');
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', shortEnd);
    const episode = { frames: 60, controls: 10, control: toTheRight, ini: asynchronous };
    const frames = await framesOf(startClient([episode]));
    // A busy machine may leave out a period.
    expect(frames.at(-1)?.game).toBeLessThan(65 * 50);
    middleware.signal('SIGTERM');
    await middleware.ended;
    // The periods of ten controls, and those of a second after the last one. A reply between them may come too late.
    const missedAtEnd = middleware.logged('period missed by').at(-1)?.misses;
    expect(missedAtEnd).toEqual([{ id: 1, consecutive: expect.any(Number) as number }]);
    const [{ consecutive }] = missedAtEnd as [{ consecutive: number }];
    const replied = middleware.summary().periods - consecutive;
    expect(replied).toBeGreaterThanOrEqual(28);
    expect(replied).toBeLessThanOrEqual(34);
    expect(statesOf(1).at(-1)?.odometer_distance).toBeGreaterThan(0.5);
  });

  it('does not hold simulated time for a second; after that its next control continues it', async () => {
    const { lab, states, startClient } = await openCarlaLab('1', { fleet: ['--simulated-time'] });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--simulated-time',
      '--wait-for-start=true',
    );
    // Longer than the second that a control holds, and the one after which a missing reply is named.
    const episode = { frames: 1000, control: toTheRight, delay: 3.5, ini: asynchronous };
    const client = startClient([episode]);
    await client.seen.until(({ frame }) => frame === 1);
    await states.messages.untilCount(states.messages.items.length + 50);
    // A synchronous client has one frame per step.
    expect(client.seen.items.filter(({ frame }) => frame !== undefined).length).toBeLessThan(10);
    await middleware.untilLogged('waiting for the reply of controller 1');
    await states.messages.untilCount(states.messages.items.length + 50);
    middleware.signal('SIGTERM');
    await middleware.ended;
    expect(middleware.summary().controllers[1]?.replies).toBeGreaterThan(20);
  });
});

describe('a CARLA client that is killed', () => {
  it('is a controller that is gone: its vehicle is stopped', async () => {
    const { lab, states, statesOf, startClient } = await openCarlaLab('1');
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--miss-policy=stop',
    );
    const client = startClient([{ frames: 1000, control: { throttle: 0.4 } }]);
    await states.messages.until(({ message }) => message.speed > 1);
    client.program.signal('SIGKILL');
    await middleware.untilLogged('controller 1 is dead');
    let skip = states.messages.items.length;
    await states.messages.until(({ message }) => skip-- <= 0 && message.speed === 0);
    expect(statesOf(1).at(-1)?.speed).toBe(0);
  });
});

/** A connection of the test itself. */
async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function untilClosed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}

describe('bad input to the gateway', () => {
  it('is refused, and the next client is served at once', async () => {
    const { lab, port, gateway, startClient } = await openCarlaLab('1');
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', shortEnd);
    for (const bytes of [
      Buffer.from('ffffffff', 'hex'),
      Buffer.from('0400000041424344', 'hex'),
      // An EpisodeStart first, and a second request at once.
      Buffer.from('020000000803', 'hex'),
      Buffer.from('00000000030000000a0178', 'hex'),
      iniFrame(`[CARLA/Sensor]\nSensors=${'x,'.repeat(99)}`),
    ]) {
      const bad = await dial(port);
      bad.write(bytes);
      await untilClosed(bad);
    }
    const logged = await gateway.stderr.until((line) => line.includes('HLC_GATEWAY_REFUSED'));
    expect(logged).toContain('a frame of 4294967295 bytes is longer than 1048576');
    const frames = await framesOf(startClient([{ frames: 5, control: toTheRight }]));
    expect(frames).toHaveLength(5);
    middleware.signal('SIGTERM');
    await middleware.ended;
  });

  it('from others is refused while a client is served, which loses nothing', async () => {
    const { lab, port, gateway, startClient } = await openCarlaLab('1');
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', shortEnd);
    const client = startClient([{ frames: 40, control: toTheRight }]);
    await client.seen.until(({ frame }) => frame === 3);
    for (const offset of [0, 1, 2]) {
      const dials = Array.from({ length: 20 }, async () => untilClosed(await dial(port + offset)));
      await Promise.all(dials);
    }
    const frames = await framesOf(client);
    expect(frames).toHaveLength(40);
    expect(frames.at(-1)?.game).toBeLessThan(45 * 50);
    const lines = gateway.stderr.items.filter((line) => line.includes('HLC_GATEWAY_REFUSED'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(5);
    middleware.signal('SIGTERM');
    await middleware.ended;
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toEqual({ code: 143, signal: null });
    expect(gateway.stderr.items.at(-1)).toBe('refused connections and inputs: 60');
  });

  it('to the control port, a number that is none, ends the connection of the client', async () => {
    const { lab, port, gateway } = await openCarlaLab('1');
    lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
    const world = await dial(port);
    world.write(Buffer.alloc(4));
    await once(world, 'data');
    world.write(Buffer.alloc(4));
    await once(world, 'data');
    const [measurements, control] = [await dial(port + 1), await dial(port + 2)];
    await once(measurements, 'data');
    // steer = NaN
    control.write(Buffer.from('050000000d0000c07f', 'hex'));
    await Promise.all([world, measurements, control].map(untilClosed));
    await gateway.stderr.until((line) => line.includes('steer of a Control is not finite'));
  });
});

/** The frame of a RequestNewEpisode. */
function iniFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = Buffer.from([0x0a, (length & 0x7f) | 0x80, length >> 7]);
  const frame = Buffer.concat([Buffer.alloc(4), head, Buffer.from(text)]);
  frame.writeUInt32LE(frame.length - 4);
  return frame;
}
