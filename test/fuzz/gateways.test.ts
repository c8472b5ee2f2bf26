import { setImmediate as endOfTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeControl } from '../../src/gateways/carla/protocol/control.js';
import { parseSettings } from '../../src/gateways/carla/protocol/settings.js';
import {
  decodeEpisodeStart,
  decodeRequestNewEpisode,
} from '../../src/gateways/carla/protocol/world-messages.js';
import { CaveServer } from '../../src/gateways/cave/protocol/cave-server.js';
import { inflate } from '../../src/gateways/dancers/protocol/gzip.js';
import {
  decodeNeighbors,
  decodePoses,
  decodeVelocities,
  encodePoses,
  encodeVelocities,
} from '../../src/gateways/dancers/protocol/payloads.js';
import {
  decodeUpdate,
  encodeUpdate,
  updateFrames,
} from '../../src/gateways/dancers/protocol/update.js';
import { decodeDatagram } from '../../src/gateways/cave/protocol/datagram.js';
import { FrameDecoder } from '../../src/gateways/frame-decoder.js';
import { decodeBuffer } from '../../src/gateways/synchrono/protocol/decode-buffer.js';
import { Refusal } from '../../src/gateways/refusal.js';
import { memoryPeak } from '../support/memory-peak.js';
import { datagram, vehicle } from '../unit/gateways/cave/messages.js';
import { PeerMessages } from '../unit/gateways/synchrono/messages.js';
import { mutate, seededRandom, type Random } from './mutate.js';
import { samplesPerCodec, seed } from './settings.js';

const mib = 1024 * 1024;
/** A parser that believes a length takes gigabytes; the garbage of refused samples takes this. */
const mostMemory = 512 * mib;

/** A refused gzip keeps its buffers up to the end of a turn of the event loop, as zlib of Node does. */
const inputsPerTurn = 500;

const ini = `[CARLA/Server]
SynchronousMode=True
[CARLA/Sensor]
Sensors=eye,laser
[CARLA/Sensor/eye]
SensorType=CAMERA
ImageSizeX=80
[CARLA/Sensor/laser]
SensorType=LIDAR_RAY_CAST
Channels=32
`;
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const settingsText = Buffer.from(ini);
const request = Buffer.concat([Buffer.of(0x0a, 0xd0, 0x01), settingsText]);

const agent = { node: 1, agent: 1, x: 2, time: 3 };
function ofPeer(encode: (messages: PeerMessages) => number[]): Uint8Array {
  const messages = new PeerMessages();
  return messages.buffer(...encode(messages));
}

/** Each decodes bytes, or throws a Refusal. */
const parsers: readonly {
  readonly name: string;
  readonly good: readonly Uint8Array[];
  readonly parse: (bytes: Uint8Array) => unknown;
}[] = [
  {
    name: 'a Control of CARLA',
    good: [hex('0d 0000803e 15 0000003f'), hex('0d 000080bf 15 0000803f 1d 00000000 20 01 28 01')],
    parse: decodeControl,
  },
  {
    name: 'an EpisodeStart of CARLA',
    good: [hex('08 03'), hex('08 ffffff0f')],
    parse: decodeEpisodeStart,
  },
  { name: 'a RequestNewEpisode of CARLA', good: [request], parse: decodeRequestNewEpisode },
  {
    name: 'the settings of CARLA',
    good: [settingsText],
    parse: (bytes) => parseSettings(Buffer.from(bytes).toString()),
  },
  {
    name: 'the frames of CARLA',
    good: [hex('02000000 0803 00000000 04000000 20012801'), hex('10000000 0803')],
    parse: (bytes) => [...new FrameDecoder(1024).push(bytes)],
  },
  {
    name: 'a datagram of CAVE',
    good: [
      datagram.vehicle(0, 1, 2, 3),
      datagram.packet(0, vehicle(0, 1, 2), vehicle(0, 2, 2)),
      datagram.dsrc(0, 'ice ahead'),
      hex('28 0801 1003 1805 21 000000000000f03f'),
    ],
    parse: decodeDatagram,
  },
  {
    name: 'a buffer of SynChrono',
    good: [
      ofPeer((m) => [m.wheeledDescription(agent), m.trackedDescription(agent)]),
      ofPeer((m) => [m.copterDescription(agent, 'copter.json'), m.quit()]),
      ofPeer((m) => [m.wheeledState(agent), m.trackedState(agent), m.copterState(agent)]),
    ],
    parse: decodeBuffer,
  },
  {
    name: 'the frames of DANCERS',
    good: [hex('00000000 00000003 010203'), hex('00000002 0801')],
    parse: (bytes) => [...updateFrames().push(bytes)],
  },
  {
    name: 'a DancersUpdate with its gzip',
    good: (['begin', 'end', 'close'] as const).map((type) =>
      encodeUpdate({ type, payload: hex('0a0101') }).subarray(4),
    ),
    parse: decodeUpdate,
  },
  // Broken gzip rarely leads to the messages in it.
  {
    name: 'the poses of DANCERS',
    good: [encodePoses([{ agentId: 1, x: 1, y: 2, yaw: 3, speed: 4 }])].map(inflate),
    parse: (bytes) => decodePoses(gzipSync(bytes, { level: 0 })),
  },
  {
    name: 'the neighbours of DANCERS',
    good: [
      hex('0a1a 0803 1001 1a020701 2210 000000000000f03f 0000000000000040 2a01fa'),
      hex('0a04 0803 1807'),
    ],
    parse: (bytes) => decodeNeighbors(gzipSync(bytes, { level: 0 })),
  },
  {
    name: 'the velocities of DANCERS',
    good: [encodeVelocities([{ agentId: 1, vx: 1, vy: 2, heading: 3 }])].map(inflate),
    parse: (bytes) => decodeVelocities(gzipSync(bytes, { level: 0 })),
  },
];

function broken(good: readonly Uint8Array[], random: Random): Uint8Array {
  return mutate(good[random.next(good.length)] ?? new Uint8Array(8), random);
}

describe('the parsers of the gateways', () => {
  it.each(parsers)(
    '$name withstands broken input',
    async ({ name, good, parse }) => {
      const random = seededRandom(seed);
      const before = memoryPeak(process.pid);
      let decoded = 0;
      for (let i = 0; i < samplesPerCodec; i++) {
        const bytes = broken(good, random);
        if (i % inputsPerTurn === 0) await endOfTurn();
        try {
          parse(bytes);
          decoded++;
        } catch (error) {
          if (error instanceof Refusal) continue;
          throw new Error(`seed ${seed}, input ${Buffer.from(bytes).toString('hex')}`, {
            cause: error,
          });
        }
      }
      console.log(`fuzz: seed ${seed}, ${name}: ${samplesPerCodec} inputs, ${decoded} decoded`);
      expect(decoded).toBeGreaterThan(0);
      expect(memoryPeak(process.pid) - before).toBeLessThan(mostMemory);
    },
    3_600_000,
  );

  it('a CAVE server serves a good client beside broken datagrams of another one', () => {
    const random = seededRandom(seed);
    let refused = 0;
    const vehicles = new Set<string>();
    const nothing = () => undefined;
    const server = new CaveServer(
      {
        vehicleAdded: ({ connectionNumber, idNumber }) =>
          vehicles.add(`${connectionNumber}/${idNumber}`).size > 0,
        vehicleMoved: nothing,
        vehicleRemoved: ({ connectionNumber, idNumber }) =>
          vehicles.delete(`${connectionNumber}/${idNumber}`),
        connected: nothing,
        disconnected: nothing,
        refused: () => refused++,
      },
      { ageOutMs: 1e9, view: { subset: 'all' } },
    );
    const good = server.connections.accept(0) ?? NaN;
    server.onDatagram('good:1', datagram.vehicle(good, 1, 1), 0);
    const inputs = [
      datagram.vehicle(1, 1, 2, 3),
      datagram.packet(1, vehicle(1, 1, 2), vehicle(1, 2, 2)),
      Buffer.of(11, 0, 0, 0),
    ];
    for (let i = 0; i < samplesPerCodec; i++) {
      // One datagram in a millisecond is below the bound of a client.
      if (server.connections.at('bad:1') === undefined) server.connections.accept(i);
      server.onDatagram('bad:1', broken(inputs, random), i);
      if (i % 100 !== 0) continue;
      const answer = server.onDatagram('good:1', datagram.vehicle(good, 1, 2 + i), i);
      expect(answer.length).toBeGreaterThan(0);
      expect(vehicles.size).toBeLessThanOrEqual(server.world.size);
    }
    expect(refused).toBeGreaterThan(0);
    expect(vehicles.has(`${good}/1`)).toBe(true);
  }, 3_600_000);
});
