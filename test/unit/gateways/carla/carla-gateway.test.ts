import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';

import { SceneDescriptionSchema } from '../../../../src/gateways/generated/carla_pb.js';
import { Connection, openGateway, startEpisode } from './open-gateway.js';
import { measurementsOf, stepAt } from './steps.js';

const asynchronous = '[CARLA/Server]\nSynchronousMode=False\n';
const camera = (name: string, width: number, height: number) =>
  `[CARLA/Sensor/${name}]\nSensorType=CAMERA\nImageSizeX=${width}\nImageSizeY=${height}\n`;
/** Sensor id, and header of an image. */
const imageHeaderBytes = 4 + 24;

describe('the world port', () => {
  it('serves a new client in place of one that has not sent its first message', async () => {
    const { port, gateway, log } = await openGateway();
    const silent = await Connection.open(port);
    const good = await Connection.open(port);
    good.request();
    await good.frames.untilCount(1);
    await silent.closed;
    expect(gateway.refused).toBe(1);
    expect(log.items[1]).toContain('another client connected before its first message');
  });

  it('refuses a new client while one that has sent a message is served', async () => {
    const { port, gateway, log } = await openGateway();
    const served = await Connection.open(port);
    served.request();
    await served.frames.untilCount(1);
    const second = await Connection.open(port);
    await second.closed;
    expect(log.items[1]).toContain('another client is served; one gateway serves one client');
    served.send();
    await served.frames.untilCount(2);
    expect(gateway.refused).toBe(1);
  });

  it('serves a client that has connected again before the end of its connection is read', async () => {
    const { port, gateway } = await openGateway({ reconnectMs: 600_000 });
    const served = await Connection.open(port);
    served.request();
    await served.frames.untilCount(1);
    const again = await Connection.open(port);
    again.request();
    const third = await Connection.open(port);
    await third.closed;
    served.close();
    await again.frames.untilCount(1);
    expect(gateway.refused).toBe(1);
  });

  it('refuses a client that repeats its requests and does not read the answers', async () => {
    /** Far more answers than the bound of the gateway and the buffers of the system hold. */
    const mostRequests = 200;
    const spots = Array.from({ length: 10_000 }, () => ({ x: 1, y: 2, yaw: 3 }));
    let requests = 0;
    const client: { connection?: Connection } = {};
    const opened = await openGateway({
      startSpots: () => {
        // The next EpisodeStart and request, when the scene is written.
        setImmediate(() => {
          if (++requests > mostRequests) return;
          client.connection?.send();
          client.connection?.request();
        });
        return Promise.resolve(spots);
      },
    });
    const connection = await Connection.open(opened.port);
    client.connection = connection;
    connection.pause();
    connection.request();
    await opened.log.until((line) =>
      line.includes('it does not read the answers on the world port'),
    );
    expect(requests).toBeLessThan(mostRequests);
    const next = await Connection.open(opened.port);
    next.request();
    await next.frames.untilCount(1);
  });
});

describe('a client that connects and asks again and again', () => {
  it('causes a line of each kind per second at most', async () => {
    const clients = 30;
    const { port, log } = await openGateway();
    const startedMs = performance.now();
    for (let i = 0; i < clients; i++) {
      const client = await Connection.open(port);
      client.request('[CARLA/Sensor]\nSensors=odd\nSensorType=RADAR\n');
      await client.frames.untilCount(1);
      client.send(Uint8Array.of(0x08, 77));
      await client.frames.untilCount(2);
      client.send(Uint8Array.of(0xff));
      await client.closed;
    }
    const seconds = Math.floor((performance.now() - startedMs) / 1000) + 1;
    const kinds = [
      'is connected',
      'has no type that exists.',
      'Start spot 77 does not exist',
      'HLC_GATEWAY_REFUSED',
      'the client is gone',
    ];
    for (const kind of kinds) {
      const lines = log.items.filter((line) => line.includes(kind));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThanOrEqual(seconds);
    }
    expect(log.items.length).toBeLessThanOrEqual(kinds.length * seconds);
  });
});

describe('an asynchronous client that reads no images for a while', () => {
  it('gets the newest frame after the one that it has not read', async () => {
    const opened = await openGateway({ sensors: 'blank' });
    // More than the buffers of the system hold.
    const sensors = `[CARLA/Sensor]\nSensors=a,b\n${camera('a', 1920, 1080)}${camera('b', 1920, 1080)}`;
    const { measurements } = await startEpisode(opened, asynchronous + sensors);
    measurements.pause();
    const idle = { kind: 'direct', vehicle_id: 1, motor_throttle: 0, steering_servo: 0 };
    for (const ms of [0, 50, 100, 150, 200]) {
      expect(opened.step(stepAt(ms))).toEqual(idle);
      await new Promise((resolve) => setImmediate(resolve));
    }
    measurements.resume();
    await measurements.frames.untilCount(8);
    const imageBytes = imageHeaderBytes + 4 * 1920 * 1080;
    const seen = measurements.frames.items.map((content, index) => {
      if (index % 4 !== 0) return content.length;
      const { frameNumber, gameTimestamp } = measurementsOf(content);
      return `frame ${frameNumber} at ${gameTimestamp}`;
    });
    const images = [imageBytes, imageBytes, 0];
    expect(seen).toEqual(['frame 1 at 0', ...images, 'frame 2 at 200', ...images]);
  });
});

describe('a gateway', () => {
  const ini = `[CARLA/Sensor]\nSensors=eye\n${camera('eye', 40, 30)}`;

  it.each([
    { sensors: 'blank' as const, names: ['eye'], lengths: [imageHeaderBytes + 4 * 40 * 30, 0] },
    { sensors: 'off' as const, names: [], lengths: [0] },
  ])('with --sensors=$sensors has the sensors $names', async ({ sensors, names, lengths }) => {
    const opened = await openGateway({ sensors });
    const { scene, measurements } = await startEpisode(opened, ini);
    expect(fromBinary(SceneDescriptionSchema, scene).sensors.map(({ name }) => name)).toEqual(
      names,
    );
    void opened.step(stepAt(0));
    await measurements.frames.untilCount(1 + lengths.length);
    expect(measurements.frames.items.slice(1).map(({ length }) => length)).toEqual(lengths);
  });
});
