import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  CdrError,
  HlcCommunicationCodec,
  LogCodec,
  ParameterCodec,
  VehicleCommandDirectCodec,
  VehicleStateListCodec,
  type VehicleCommandDirect,
} from '../../../src/messages/index.js';
import { messageCases } from './message-arbitraries.js';

describe.each(messageCases)('The codec of $topic.typeName', ({ topic: { codec }, values }) => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(codec.decode(codec.encode(value))).toEqual(value);
      }),
    );
  });

  it('encodes into shared memory, and into memory of its own', () => {
    fc.assert(
      fc.property(values, values, (value, next) => {
        const own = codec.encode(value);
        const shared = codec.encodeShared(value);
        expect(Buffer.from(shared).equals(own)).toBe(true);
        expect(codec.encodeShared(next).buffer).toBe(shared.buffer);
        expect(codec.decode(own)).toEqual(value);
      }),
    );
  });

  it('decodes a sample that lies anywhere in memory', () => {
    fc.assert(
      fc.property(values, fc.nat(9), (value, offset) => {
        const sample = codec.encode(value);
        const memory = Buffer.alloc(sample.length + 20, 0xee);
        memory.set(sample, offset);
        const decoded = codec.decode(memory.subarray(offset, offset + sample.length));
        memory.fill(0);
        expect(decoded).toEqual(value);
      }),
    );
  });

  it('makes a new zero value each time', () => {
    const zero = codec.zero();
    expect(codec.decode(codec.encode(zero))).toEqual(zero);
    expect(codec.zero()).not.toBe(zero);
    for (const leaf of leaves(zero)) expect([0, 0n, '', false]).toContain(leaf);
  });

  it('throws CdrError or returns a value no larger than the sample, whatever the octets are', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(0xff)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(values, damage, fc.nat(), (value, changes, cut) => {
        const sample = codec.encode(value);
        for (const [place, octet] of changes) sample[place % sample.length] = octet;
        const bytes = sample.subarray(0, sample.length - (cut % 8));
        let decoded: unknown;
        try {
          decoded = codec.decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CdrError);
          return;
        }
        expect(leaves(decoded).length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 500 },
    );
  });
});

/** The numbers, texts and so on that a value consists of. */
function leaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leaves);
}

describe('A command for the actuators', () => {
  const command: VehicleCommandDirect = {
    vehicle_id: 17,
    header: {
      create_stamp: { nanoseconds: 0x1797_9cfe_3d85_cd15n },
      valid_after_stamp: { nanoseconds: 0xffff_ffff_ffff_ffffn },
    },
    motor_throttle: 0.5,
    steering_servo: -1,
  };
  // Written out by hand: the octets as OMG DDS-XTypes 1.3, section 7.4.1, lays them out.
  const payload = {
    littleEndian:
      '1100000000000000 15cd853dfe9c9717 ffffffffffffffff 000000000000e03f 000000000000f0bf',
    bigEndian:
      '1100000000000000 17979cfe3d85cd15 ffffffffffffffff 3fe0000000000000 bff0000000000000',
  };
  const octets = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

  it('is encoded little endian', () => {
    expect(VehicleCommandDirectCodec.encode(command)).toEqual(
      octets(`00010000 ${payload.littleEndian}`),
    );
  });

  it('is decoded from both byte orders', () => {
    const littleEndian = octets(`00010000 ${payload.littleEndian}`);
    const bigEndian = octets(`00000000 ${payload.bigEndian}`);
    expect(VehicleCommandDirectCodec.decode(littleEndian)).toEqual(command);
    expect(VehicleCommandDirectCodec.decode(bigEndian)).toEqual(command);
  });
});

describe('A value that does not fit its IDL type', () => {
  it('is refused by the name of its type and field', () => {
    const list = VehicleStateListCodec.zero();
    list.active_vehicle_ids.push(2 ** 31);
    expect(() => VehicleStateListCodec.encode(list)).toThrow(
      'VehicleStateList.active_vehicle_ids must be an integer from -2147483648 to 2147483647, but is 2147483648.',
    );
    const plan = HlcCommunicationCodec.zero();
    plan.lane_graph_positions.push({
      estimated_arrival_time: { nanoseconds: -1n },
      edge_index: 0,
      edge_path_index: 0,
    });
    expect(() => HlcCommunicationCodec.encode(plan)).toThrow(/^TimeStamp\.nanoseconds must be /);
    expect(() => LogCodec.encode({ ...LogCodec.zero(), log_level: -1 })).toThrow(
      /^Log\.log_level must be /,
    );
  });

  it('may be the wrong kind of list', () => {
    const parameter = { ...ParameterCodec.zero(), values_double: Float64Array.of(1) };
    expect(() => ParameterCodec.encode(parameter as never)).toThrow(
      'Parameter.values_double must be an array, but is object.',
    );
  });
});
