import { beforeEach, describe, expect, it } from 'vitest';

import { CaveServer, type WorldView } from '../../../../src/gateways/cave/protocol/cave-server.js';
import { decodeDatagram } from '../../../../src/gateways/cave/protocol/datagram.js';
import { labElement } from '../../../../src/gateways/cave/protocol/elements.js';
import { checkMessage } from '../../../../src/gateways/message-check.js';
import { MessagePacketSchema } from '../../../../src/gateways/generated/cave_pb.js';
import { datagram, vehicle } from './messages.js';

const ageOutMs = 1000;
let events: string[] = [];
let freeIds = 100;
let server = newServer();

function newServer(view: WorldView = { subset: 'all' }): CaveServer {
  return new CaveServer(
    {
      vehicleAdded: ({ idNumber }) => {
        if (freeIds === 0) return false;
        freeIds--;
        events.push(`added ${idNumber}`);
        return true;
      },
      vehicleMoved: ({ idNumber, chTime }) => events.push(`moved ${idNumber} ${chTime}`),
      vehicleRemoved: ({ idNumber }) => events.push(`removed ${idNumber}`),
      connected: ({ number }) => events.push(`connected ${number}`),
      disconnected: ({ number }, cause) => events.push(`disconnected ${number} ${cause}`),
      refused: (endpoint, cause) => events.push(`refused ${endpoint}: ${cause}`),
    },
    { ageOutMs, view },
  );
}

const taken = () => events.splice(0);

/** The elements of the packets of an answer: connection, id and x. */
function worldOf(answer: readonly { readonly bytes: Uint8Array }[]): number[][] {
  return answer
    .filter(({ bytes }) => bytes[0] === 7)
    .flatMap(({ bytes }) =>
      checkMessage(MessagePacketSchema, bytes.subarray(1))
        .filter(({ number }) => number === 2)
        .map(({ from, to }) => decodeDatagram(Buffer.of(2, ...bytes.subarray(1 + from, 1 + to)))),
    )
    .flatMap((part) => (part.kind === 'element' ? [part.element] : []))
    .map(({ connectionNumber, idNumber, vehicle: seen }) => [
      connectionNumber,
      idNumber,
      seen?.pose.x ?? NaN,
    ]);
}

/** Registers a client with one vehicle at x. */
function register(endpoint: string, x = 0): number {
  const number = server.connections.accept(0) ?? NaN;
  expect(server.onDatagram(endpoint, datagram.vehicle(number, 1, 1, x), 0)).toEqual([]);
  return number;
}

beforeEach(() => {
  events = [];
  freeIds = 100;
  server = newServer();
});

describe('a client', () => {
  it('is registered by the first datagram that quotes its number, which has no answer', () => {
    expect(server.connections.accept(0)).toBe(0);
    expect(server.connections.accept(0)).toBe(1);
    expect(server.onDatagram('a:1', datagram.vehicle(1, 7, 1, 4), 0)).toEqual([]);
    expect(taken()).toEqual(['connected 1', 'added 7', 'moved 7 1']);
    const answer = server.onDatagram('a:1', datagram.vehicle(1, 7, 2, 5), 0);
    expect(answer.map(({ endpoint }) => endpoint)).toEqual(['a:1']);
    expect(worldOf(answer)).toEqual([[1, 7, 5]]);
    expect(taken()).toEqual(['moved 7 2']);
  });

  it('is refused without a number that was given out to it', () => {
    const number = register('a:1');
    taken();
    for (const [endpoint, bytes, cause] of [
      ['b:1', datagram.vehicle(number, 1, 9), 'belongs to another end point'],
      ['b:1', datagram.vehicle(77, 1, 9), 'was not given out'],
      ['b:1', Buffer.of(5), 'not registered'],
      ['b:1', datagram.vehicle(-1, 1, 9), 'was not given out'],
    ] as const) {
      expect(server.onDatagram(endpoint, bytes, 0)).toEqual([]);
      expect(taken()).toEqual([expect.stringContaining(cause)]);
    }
    expect(server.world.size).toBe(1);
  });

  it('has each element in its newest state only', () => {
    const number = register('a:1');
    taken();
    server.onDatagram('a:1', datagram.vehicle(number, 1, 3, 30), 0);
    const answer = server.onDatagram('a:1', datagram.vehicle(number, 1, 2, 20), 0);
    expect(worldOf(answer)).toEqual([[0, 1, 30]]);
    expect(taken()).toEqual(['moved 1 3']);
  });

  it('replaces all its elements with a packet', () => {
    const number = register('a:1');
    const packet = datagram.packet(number, vehicle(number, 2, 1, 2), vehicle(number, 3, 1, 3));
    expect(worldOf(server.onDatagram('a:1', packet, 0))).toEqual([
      [0, 2, 2],
      [0, 3, 3],
    ]);
    expect(taken()).toContain('removed 1');
    expect(worldOf(server.onDatagram('a:1', datagram.packet(number), 0))).toEqual([]);
  });

  it('may begin again with its time after a reset', () => {
    const number = register('a:1');
    server.onDatagram('a:1', datagram.vehicle(number, 1, 50), 0);
    expect(worldOf(server.onDatagram('a:1', Buffer.of(11), 0))).toEqual([]);
    expect(worldOf(server.onDatagram('a:1', datagram.vehicle(number, 1, 1, 6), 0))).toEqual([
      [0, 1, 6],
    ]);
  });

  it('is gone when it says so, when it is silent, and when its end point registers again', () => {
    register('a:1');
    register('b:1');
    register('c:1');
    const again = server.connections.accept(0) ?? NaN;
    taken();
    expect(server.onDatagram('a:1', Buffer.of(1), 0)).toEqual([]);
    server.onDatagram('b:1', datagram.vehicle(again, 4, 1), 900);
    expect(taken()).toEqual([
      'removed 1',
      'disconnected 0 left',
      'removed 1',
      'disconnected 1 replaced',
      'connected 3',
      'added 4',
      'moved 4 1',
    ]);
    server.ageOut(ageOutMs + 1);
    expect(taken()).toEqual(['removed 1', 'disconnected 2 silent']);
    expect(worldOf(server.onDatagram('b:1', Buffer.of(5), 1000))).toEqual([[3, 4, 0]]);
  });

  it('must use its number in time', () => {
    const number = server.connections.accept(0) ?? NaN;
    server.ageOut(ageOutMs + 1);
    server.onDatagram('a:1', datagram.vehicle(number, 1, 1), ageOutMs + 1);
    expect(taken()).toEqual([expect.stringContaining('has expired')]);
  });

  it('keeps a number whose datagram waits for its step', () => {
    const number = server.connections.accept(0) ?? NaN;
    expect(server.connections.claim(number)).toBe(true);
    expect(server.connections.claim(number)).toBe(false);
    server.connections.expirePending(ageOutMs + 1);
    server.onDatagram('a:1', datagram.vehicle(number, 1, 1), ageOutMs + 1, true);
    expect(taken()[0]).toBe('connected 0');
  });

  it('passes messages between vehicles to all others', () => {
    register('a:1');
    register('b:1');
    register('c:1');
    const message = datagram.dsrc(1, 'hello');
    const sent = server.onDatagram('b:1', message, 0);
    expect(sent.slice(0, 2)).toEqual([
      { endpoint: 'a:1', bytes: new Uint8Array(message) },
      { endpoint: 'c:1', bytes: new Uint8Array(message) },
    ]);
    expect(sent.slice(2).map(({ endpoint }) => endpoint)).toEqual(['b:1']);
  });

  it('receives elements of further types in packets, and those with codes when it knows the code', () => {
    const [a, b] = [register('a:1'), register('b:1')];
    const header = (connection: number, id: number) => [
      0x08,
      1,
      0x10,
      connection,
      0x18,
      id,
      0x21,
      0,
      0,
      0,
      0,
      0,
      0,
      0xf0,
      0x3f,
    ];
    server.onDatagram('a:1', Buffer.of(40, ...header(a, 8)), 0);
    const packet = Buffer.of(7, 0x08, a, 0x4a, 15, ...header(a, 9));
    server.onDatagram('a:1', packet, 0);
    const [toB, ...noMore] = server.onDatagram('b:1', Buffer.of(5), 0);
    expect(noMore).toEqual([]);
    const parts = checkMessage(MessagePacketSchema, toB?.bytes.subarray(1) ?? Buffer.alloc(0));
    expect(parts.map(({ number }) => number)).toEqual([1, 9, 2]);
    server.onDatagram('b:1', Buffer.of(40, ...header(b, 1)), 0);
    taken();
    server.onDatagram('b:1', datagram.vehicle(b, 7, 1), 0);
    // Element 1 of b is a vehicle: it cannot become another type.
    server.onDatagram('b:1', Buffer.of(40, ...header(b, 1)), 0);
    expect(taken()).toContain('refused b:1: element 1 has had another type');
    server.onDatagram('b:1', Buffer.of(40, ...header(b, 2)), 0);
    const codesToB = server.onDatagram('b:1', Buffer.of(5), 0).map(({ bytes }) => bytes[0]);
    expect(codesToB).toEqual([7, 40, 40]);
  });
});

describe('the bounds', () => {
  it('of vehicle ids refuse an element by name', () => {
    freeIds = 1;
    const number = register('a:1');
    taken();
    const answer = server.onDatagram('a:1', datagram.vehicle(number, 5, 1), 0);
    expect(taken()).toEqual([
      expect.stringContaining('element 5 of connection 0 has no vehicle id'),
    ]);
    expect(worldOf(answer)).toEqual([[0, 1, 0]]);
  });

  it('of elements hold for each client', () => {
    freeIds = 1000;
    const number = register('a:1');
    for (let id = 0; id < 300; id++) {
      server.onDatagram('a:1', datagram.vehicle(number, id, 2), 0);
    }
    expect(server.world.size).toBe(256);
    expect(taken()).toContain('refused a:1: element 299 is one too many');
  });

  it('of datagrams hold for each client, and its neighbour is answered', () => {
    register('a:1');
    register('b:1');
    let answered = 0;
    for (let i = 0; i < 5000; i++) answered += server.onDatagram('a:1', Buffer.of(5), 0).length;
    expect(answered).toBe(2000);
    expect(server.onDatagram('b:1', Buffer.of(5), 0)).toHaveLength(1);
    expect(server.onDatagram('a:1', Buffer.of(5), 1000)).toHaveLength(1);
  });

  it.each([
    ['a client', 'a:1'],
    ['a sender without a connection', 'stranger:1'],
  ])('of datagrams are not used up for the others by %s', (_, flooder) => {
    register('a:1');
    const number = register('b:1');
    taken();
    for (let i = 0; i < 25_000; i++) server.onDatagram(flooder, Buffer.of(5), 0);
    expect(taken()).toContainEqual(expect.stringContaining('more than 2000 datagrams'));
    for (let i = 0; i < 200; i++) {
      expect(server.onDatagram('b:1', datagram.vehicle(number, 1, 2 + i), 0)).toHaveLength(1);
    }
    expect(taken()).not.toContainEqual(expect.stringContaining('refused'));
  });

  it('of datagrams in all leave each client an equal share', () => {
    for (let i = 0; i < 20; i++) register(`a:${i}`);
    register('b:1');
    for (let i = 0; i < 20; i++) {
      for (let k = 0; k < 2000; k++) server.onDatagram(`a:${i}`, Buffer.of(5), 0);
    }
    expect(taken()).toContainEqual(expect.stringContaining('of all clients in a second'));
    const answered = Array.from({ length: 1000 }, () => server.onDatagram('b:1', Buffer.of(5), 0));
    expect(answered.filter(({ length }) => length > 0)).toHaveLength(Math.floor(20_000 / 21));
  });

  it('of datagrams without a connection let a new client in a second later', () => {
    for (let i = 0; i < 25_000; i++) server.onDatagram('stranger:1', Buffer.of(5), 0);
    const number = server.connections.accept(0) ?? NaN;
    server.onDatagram('a:1', datagram.vehicle(number, 1, 1), 999);
    expect(taken()).not.toContain('connected 0');
    server.onDatagram('a:1', datagram.vehicle(number, 1, 1), 1000);
    expect(taken()).toContain('connected 0');
  });

  it('of parts hold for the messages between vehicles of a packet', () => {
    const number = register('a:1');
    register('b:1');
    register('c:1');
    const packet = datagram.packetWithDsrc(number, 511);
    const sent = Array.from({ length: 50 }, () => server.onDatagram('a:1', packet, 0)).flat();
    const relayed = sent.filter(({ bytes }) => bytes[0] === 6);
    expect(relayed.length).toBeGreaterThan(0);
    expect(relayed.length).toBeLessThanOrEqual(2 * 2000);
    expect(taken()).toContainEqual(expect.stringContaining('more than 2000'));
  });

  it('of parts hold for the states of a packet', () => {
    freeIds = 1000;
    const number = register('a:1');
    taken();
    for (let k = 2; k < 100; k++) {
      const states = Array.from({ length: 150 }, (_, id) => vehicle(number, id, k));
      server.onDatagram('a:1', datagram.packet(number, ...states), 0);
    }
    const moved = taken().filter((event) => event.startsWith('moved'));
    expect(moved.length).toBeGreaterThan(1500);
    expect(moved.length).toBeLessThanOrEqual(2000);
  });

  it('of parts are not met by four vehicles at 50 Hz, each with a message to the others', () => {
    freeIds = 1000;
    const number = register('a:1');
    taken();
    for (let k = 0; k < 50; k++) {
      const states = [1, 2, 3, 4].map((id) => vehicle(number, id, 2 + k));
      // Both ways of sending in the same second.
      for (const id of [5, 6, 7, 8]) {
        server.onDatagram('a:1', datagram.vehicle(number, id, 2 + k), 20 * k);
        server.onDatagram('a:1', datagram.dsrc(number, 'x'), 20 * k);
      }
      const packet = datagram.packetWithDsrc(number, 4, ...states);
      expect(server.onDatagram('a:1', packet, 20 * k)).toHaveLength(1);
    }
    expect(taken()).not.toContainEqual(expect.stringContaining('refused'));
  });

  it('of what is sent for one client hold for its answers, and its neighbour is answered', () => {
    const number = register('a:1');
    register('b:1');
    const varint = (value: number) => [(value & 0x7f) | 0x80, value >> 7];
    const further = (id: number) => {
      const header = Buffer.of(0x08, 1, 0x10, number, 0x18, ...varint(id), 0x21);
      const chTime = Buffer.from('000000000000f03f', 'hex');
      const filler = Buffer.alloc(8000);
      return Buffer.concat([header, chTime, Buffer.of(0x52, ...varint(filler.length)), filler]);
    };
    for (let id = 2; id < 256; id++) {
      const element = further(id);
      const head = Buffer.of(12);
      server.onDatagram('a:1', Buffer.concat([head, element]), 0);
    }
    expect(server.world.size).toBe(256);
    taken();
    let sent = 0;
    for (let i = 0; i < 2000; i++) {
      const answer = server.onDatagram('a:1', Buffer.of(5), 1000);
      for (const { bytes } of answer) sent += bytes.length;
    }
    const mib = 1024 * 1024;
    expect(sent).toBeGreaterThan(64 * mib);
    expect(sent).toBeLessThan(68 * mib);
    expect(taken()).toContain(
      'refused a:1: it makes the gateway send more than 64 MiB in a second',
    );
    expect(server.onDatagram('b:1', Buffer.of(5), 1000)).toHaveLength(1);
    expect(server.onDatagram('a:1', Buffer.of(5), 2000)).toHaveLength(1 + 254);
  });

  it('of what is sent for one client hold for its messages to the others', () => {
    const number = register('a:1');
    for (let i = 0; i < 200; i++) register(`b:${i}`);
    const message = datagram.dsrc(number, 'x'.repeat(8000));
    const sent = Array.from({ length: 100 }, () => server.onDatagram('a:1', message, 0)).flat();
    expect(sent.length).toBeGreaterThan(1000);
    expect(sent.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(70e6);
  });

  it('of datagrams do not hold for those that waited for their step', () => {
    const number = register('a:1');
    taken();
    for (let k = 0; k < 3000; k++) {
      server.onDatagram('a:1', datagram.vehicle(number, 1, 2 + k), 0, true);
    }
    expect(taken()).toHaveLength(3000);
  });

  it('of connections expire the oldest number without a datagram', () => {
    for (let i = 0; i < 256; i++) expect(server.connections.accept(0)).toBe(i);
    expect(server.connections.claim(0)).toBe(true);
    expect(server.connections.accept(0)).toBe(256);
    server.onDatagram('a:1', datagram.vehicle(1, 1, 1), 0);
    expect(taken()).toEqual([expect.stringContaining('connection number 1 was not given out')]);
    for (const number of [0, 2, 256]) {
      server.onDatagram(`a:${number}`, datagram.vehicle(number, 1, 1), 0);
      expect(taken()[0]).toBe(`connected ${number}`);
    }
  });

  it('of connections decline when each has sent a datagram', () => {
    for (let i = 0; i < 256; i++) register(`a:${i}`);
    expect(server.connections.accept(0)).toBeNull();
    server.onDatagram('a:9', Buffer.of(1), 0);
    expect(server.connections.accept(0)).toBe(256);
  });

  it('of datagrams split a large world', () => {
    freeIds = 1000;
    const numbers = Array.from({ length: 50 }, (_, i) => register(`a:${i}`));
    for (const [i, number] of numbers.entries()) {
      for (const id of [2, 3, 4, 5, 6]) {
        server.onDatagram(`a:${i}`, datagram.vehicle(number, id, 1), 0);
      }
    }
    const answer = server.onDatagram('a:0', Buffer.of(5), 0);
    expect(answer).toHaveLength(2);
    for (const { bytes } of answer) expect(bytes.length).toBeLessThanOrEqual(60_000);
    expect(worldOf(answer)).toHaveLength(300);
  });
});

describe('the view of a client', () => {
  const lab = (vehicleId: number, x: number, chTime = 1) =>
    labElement({
      vehicleId,
      unixTime: 1,
      chTime,
      wheelbase: 1,
      pose: { x, y: 0, yaw: 0 },
      speed: 0,
    });

  it.each([
    [
      { subset: 'all' },
      [
        [-1, 5, 9],
        [-1, 6, 90],
        [0, 1, 0],
        [1, 1, 3],
      ],
    ],
    [
      { subset: 'lab' },
      [
        [-1, 5, 9],
        [-1, 6, 90],
        [0, 1, 0],
      ],
    ],
    [
      { subset: 'clients' },
      [
        [0, 1, 0],
        [1, 1, 3],
      ],
    ],
    [
      { subset: 'all', range: 10 },
      [
        [-1, 5, 9],
        [0, 1, 0],
        [1, 1, 3],
      ],
    ],
    [{ subset: 'lab', range: 5 }, [[0, 1, 0]]],
  ] as const)('%j', (view, world) => {
    server = newServer(view);
    server.setLabElement(lab(5, 9), 0);
    server.setLabElement(lab(6, 90), 0);
    register('a:1', 0);
    register('b:1', 3);
    const shown = worldOf(server.onDatagram('a:1', Buffer.of(5), 0));
    const inOrder = ([a = 0, b = 0]: number[], [c = 0, d = 0]: number[]) => a - c || b - d;
    expect(shown.sort(inOrder)).toEqual(world);
  });

  it('has a vehicle of the lab as long as it sends newer states', () => {
    server.setLabElement(lab(5, 1, 100), 0);
    server.setLabElement(lab(5, 2, 99), ageOutMs);
    expect(server.world.size).toBe(1);
    server.ageOut(ageOutMs + 1);
    expect(server.world.size).toBe(0);
    server.setLabElement(lab(5, 2, 1), ageOutMs + 2);
    expect(server.world.size).toBe(1);
  });

  it('has a vehicle of the lab by a clock of its own where simulated time waits for clients', () => {
    register('a:1');
    server.setLabElement(lab(5, 1), 0);
    server.ageOutLab(ageOutMs);
    expect(server.world.size).toBe(2);
    server.ageOutLab(ageOutMs + 1);
    expect(worldOf(server.onDatagram('a:1', Buffer.of(5), 0))).toEqual([[0, 1, 0]]);
  });
});
