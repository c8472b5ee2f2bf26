import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeStartSignal,
  nestedSamples,
  VehicleObservationCodec,
  VehicleStateCodec,
  VehicleStateListCodec,
  type Codec,
  type VehicleStateList,
} from '../../../src/messages/index.js';
import { messageArbitraries } from './message-arbitraries.js';

/** How the samples of a list came: as they are, padded or big endian. */
type Arrival = (sample: Uint8Array) => Uint8Array;

const asIs: Arrival = (sample) => sample;
/** As others send them: a multiple of four octets, with or without a word about it. */
const padded: Arrival = (sample) => {
  const bytes = Buffer.alloc(Math.ceil(sample.length / 4) * 4, 0xee);
  bytes.set(sample);
  return bytes;
};
const paddedAndStated: Arrival = (sample) => {
  const bytes = padded(sample);
  bytes[3] = bytes.length - sample.length;
  return bytes;
};
/** Only the header says so: nothing else of such a sample may be used. */
const bigEndian: Arrival = () => Uint8Array.of(0, 0, 0, 0);

function spliced(list: VehicleStateList, arrival: Arrival): Uint8Array {
  const keepAll = <T>(codec: Codec<T>, values: readonly T[]) => {
    const keep = nestedSamples(codec);
    return values.map((value) => {
      const bytes = arrival(codec.encode(value));
      const kept = keep(value, bytes);
      bytes.fill(0);
      return kept;
    });
  };
  return encodeStartSignal({
    ...list,
    state_list: keepAll(VehicleStateCodec, list.state_list),
    vehicle_observation_list: keepAll(VehicleObservationCodec, list.vehicle_observation_list),
  });
}

describe('a start signal of samples as they came', () => {
  it.each([
    ['whole', asIs],
    ['padded', padded],
    ['padded and reported', paddedAndStated],
    ['big endian', bigEndian],
  ])('has the bytes of the codec when they came %s', (_, arrival) => {
    fc.assert(
      fc.property(messageArbitraries.vehicleStateList, (list) => {
        const expected = VehicleStateListCodec.encode(list);
        expect(Buffer.from(spliced(list, arrival)).equals(expected)).toBe(true);
      }),
    );
  });

  it('grows beyond the memory that a writer begins with', () => {
    const state = { ...VehicleStateCodec.zero(), vehicle_id: 7, speed: 1.5 };
    const list = {
      ...VehicleStateListCodec.zero(),
      state_list: Array.from({ length: 255 }, () => state),
    };
    expect(VehicleStateListCodec.decode(spliced(list, asIs))).toEqual(list);
  });
});
