import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CdrError, topics } from '../../src/messages/index.js';
import { messageCases } from '../unit/messages/message-arbitraries.js';
import { buildPeer } from './build-peer.js';
import { disagreement } from './disagreement.js';
import { parseDump } from './parse-dump.js';
import { Operation, Peer } from './peer.js';

const headerSize = 4;

let peer: Peer;
beforeAll(() => {
  peer = new Peer(buildPeer());
});
afterAll(async () => peer.close());

describe.each(messageCases)('$topic.typeName of Cyclone DDS', ({ topic, values }) => {
  const { codec } = topic;

  it('has as many keys as the codec says', async () => {
    const keys = await peer.ask(Operation.countKeys, topic.typeName, codec.encode(codec.zero()));
    expect((keys?.[0] ?? 0) > 0).toBe(codec.keyed);
  });

  it('has the same bytes and the same values in both byte orders', async () => {
    const property = fc.asyncProperty(values, async (value) => {
      const bytes = codec.encode(value);
      const littleEndian = await peer.ask(Operation.encodeLittleEndian, topic.typeName, bytes);
      expect(littleEndian).toEqual(Buffer.from(bytes));

      const bigEndian = await peer.ask(Operation.encodeBigEndian, topic.typeName, bytes);
      expect(bigEndian?.subarray(0, headerSize)).toEqual(Buffer.alloc(headerSize));
      expect(bigEndian && codec.decode(bigEndian)).toEqual(value);

      const backAgain =
        bigEndian && (await peer.ask(Operation.encodeLittleEndian, topic.typeName, bigEndian));
      expect(backAgain).toEqual(littleEndian);
      expect(backAgain && codec.decode(backAgain)).toEqual(value);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('has each value in the member of the same name', async () => {
    const property = fc.asyncProperty(values, async (value) => {
      const dump = await peer.ask(Operation.dump, topic.typeName, codec.encode(value));
      expect(dump && parseDump(dump.toString())).toEqual(value);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('refuses a sample that was cut at any place, as the codec does', async () => {
    const property = fc.asyncProperty(values, async (value) => {
      const whole = codec.encode(value);
      const cuts = Array.from(whole.keys(), (length) => whole.subarray(0, length));
      const answers = await Promise.all(
        cuts.map((cut) => peer.ask(Operation.encodeLittleEndian, topic.typeName, cut)),
      );
      expect(answers.findIndex((answer) => answer !== undefined)).toBe(-1);
      for (const cut of cuts) expect(() => codec.decode(cut)).toThrow(CdrError);
    });
    await fc.assert(property, { numRuns: 5 });
  });

  it('agrees on samples with wrong octets', async () => {
    const damage = fc.array(
      fc.tuple(fc.nat(), fc.oneof(fc.nat(0xff), fc.constantFrom(0, 1, 0xff))),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    const property = fc.asyncProperty(values, damage, async (value, changes) => {
      const bytes = codec.encode(value);
      for (const [place, octet] of changes) {
        bytes[headerSize + (place % (bytes.length - headerSize))] = octet;
      }
      const dump = await peer.ask(Operation.dump, topic.typeName, bytes);
      expect(disagreement(codec, bytes, dump)).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

describe('Large samples of Cyclone DDS', () => {
  it('of 256 vehicles have the same bytes and values', async () => {
    const { codec, typeName } = topics.vehicleStateList;
    const list = codec.zero();
    for (let id = 0; id < 256; id++) {
      const state = topics.vehicleState.codec.zero();
      state.vehicle_id = id;
      state.pose.x = id / 3;
      list.state_list.push(state);
      const observation = topics.vehicleObservation.codec.zero();
      observation.vehicle_id = id;
      observation.header.create_stamp.nanoseconds = BigInt(id);
      list.vehicle_observation_list.push(observation);
      list.active_vehicle_ids.push(id);
    }
    const bytes = codec.encode(list);
    const answer = await peer.ask(Operation.encodeLittleEndian, typeName, bytes);
    expect(answer?.equals(bytes)).toBe(true);
    const dump = await peer.ask(Operation.dump, typeName, bytes);
    expect(dump && parseDump(dump.toString())).toEqual(list);
  });

  it('of 100,000 numbers and a text of 300,000 octets have the same bytes and values', async () => {
    const { codec, typeName } = topics.parameter;
    const parameter = codec.zero();
    parameter.values_int32 = Array.from({ length: 100_000 }, (_, i) => i - 50_000);
    parameter.values_double = Array.from({ length: 100_000 }, (_, i) => i / 7);
    parameter.value_string = '路'.repeat(100_000);
    const bytes = codec.encode(parameter);
    const answer = await peer.ask(Operation.encodeLittleEndian, typeName, bytes);
    expect(answer?.equals(bytes)).toBe(true);
    expect(codec.decode(bytes)).toEqual(parameter);
  });
});
