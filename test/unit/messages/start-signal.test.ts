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

  it('has them when lists share samples with the signals before, in whatever place', () => {
    const keepState = nestedSamples(VehicleStateCodec);
    const keepObservation = nestedSamples(VehicleObservationCodec);
    const states = [1, 2, 3, 4].map((speed) => ({ ...VehicleStateCodec.zero(), speed }));
    const observations = [5, 6].map((vehicle_id) => ({
      ...VehicleObservationCodec.zero(),
      vehicle_id,
    }));
    const keptStates = states.map((it) => keepState(it, VehicleStateCodec.encode(it)));
    const keptObservations = observations.map((it) =>
      keepObservation(it, VehicleObservationCodec.encode(it)),
    );
    const pick = <T>(from: readonly T[], indices: readonly number[]) =>
      indices.map((i) => from[i] as T);
    const indices = (length: number) => fc.array(fc.nat(length - 1), { maxLength: 6 });
    const lists = fc.record({ of: indices(4), seen: indices(2), active: indices(9) });
    fc.assert(
      fc.property(fc.array(lists, { minLength: 2, maxLength: 8 }), (signals) => {
        for (const { of, seen, active } of signals) {
          const common = { ...VehicleStateListCodec.zero(), active_vehicle_ids: active };
          const encoded = encodeStartSignal({
            ...common,
            state_list: pick(keptStates, of),
            vehicle_observation_list: pick(keptObservations, seen),
          });
          const expected = VehicleStateListCodec.encode({
            ...common,
            state_list: pick(states, of),
            vehicle_observation_list: pick(observations, seen),
          });
          expect(Buffer.from(encoded).equals(expected)).toBe(true);
        }
      }),
    );
  });

  it('leaves what did not change where it is', () => {
    const kept = nestedSamples(VehicleStateCodec)(
      VehicleStateCodec.zero(),
      VehicleStateCodec.encode(VehicleStateCodec.zero()),
    );
    const signal = { ...VehicleStateListCodec.zero(), state_list: [kept] };
    const list = { ...signal, vehicle_observation_list: [] };
    // Behind header, both times, the number of states and an id: the create stamp.
    encodeStartSignal(list).fill(1, 28, 36);
    expect(encodeStartSignal(list).subarray(28, 36)).toEqual(new Uint8Array(8).fill(1));
    encodeStartSignal({ ...list, state_list: [] });
    expect(VehicleStateListCodec.decode(encodeStartSignal(list)).state_list).toHaveLength(1);
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
