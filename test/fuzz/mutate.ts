/** Numbers from a seed: the same in every run. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  next(below: number): number;
}

/** SplitMix32; good enough to choose what to break. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next(below) {
      state = (state + 0x9e3779b9) >>> 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return ((z ^ (z >>> 15)) >>> 0) % below;
    },
  };
}

/** Octets of an encapsulation header and of a count: what precedes the first value. */
const headerOctets = 4;
const counts = [0xffff_ffff, 0x7fff_ffff, 0x1000_0000, 0x10000, 0x100, 1, 0];
const doubles = [NaN, Infinity, -Infinity, Number.MAX_VALUE, 5e-324, -0];

type Mutation = (sample: Uint8Array, random: Random) => Uint8Array;

/** Ways to break a sample; each changes it in place or gives another one. */
const mutations: readonly Mutation[] = [
  function flipBits(sample, random) {
    for (let left = 1 + random.next(8); left > 0; left--) {
      const at = random.next(sample.length);
      sample[at] = (sample[at] ?? 0) ^ (1 << random.next(8));
    }
    return sample;
  },
  (sample, random) => sample.slice(0, random.next(sample.length + 1)),
  function lengthBomb(sample, random) {
    const words = (sample.length - headerOctets) >> 2;
    if (words < 1) return sample;
    const value = counts[random.next(counts.length)] ?? 0;
    const at = headerOctets + 4 * random.next(words);
    new DataView(sample.buffer, sample.byteOffset).setUint32(at, value, random.next(4) > 0);
    return sample;
  },
  function encapsulation(sample, random) {
    sample[random.next(headerOctets)] = random.next(256);
    return sample;
  },
  function otherByteOrder(sample) {
    sample[1] = (sample[1] ?? 0) ^ 1;
    return sample;
  },
  function noNumber(sample, random) {
    const places = (sample.length - headerOctets) >> 3;
    if (places < 1) return sample;
    const value = doubles[random.next(doubles.length)] ?? NaN;
    const at = headerOctets + 8 * random.next(places);
    new DataView(sample.buffer, sample.byteOffset).setFloat64(at, value, true);
    return sample;
  },
  function appended(sample, random) {
    const longer = new Uint8Array(sample.length + 1 + random.next(64));
    longer.set(sample);
    for (let i = sample.length; i < longer.length; i++) longer[i] = random.next(256);
    return longer;
  },
  function partRepeated(sample, random) {
    sample.copyWithin(random.next(sample.length), random.next(sample.length));
    return sample;
  },
  function anyOctets(sample, random) {
    const any = new Uint8Array(random.next(sample.length + 64));
    for (let i = 0; i < any.length; i++) any[i] = random.next(256);
    any.set([0, random.next(2), 0, random.next(4)].slice(0, any.length));
    return any;
  },
];

/** A broken copy of a sample: one to three mutations on top of each other. */
export function mutate(sample: Uint8Array, random: Random): Uint8Array {
  let broken: Uint8Array = sample.slice();
  for (let left = 1 + random.next(3); left > 0 && broken.length >= headerOctets; left--) {
    const mutation = mutations[random.next(mutations.length)];
    if (mutation !== undefined) broken = mutation(broken, random);
  }
  return broken;
}
