import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CdrError } from '../../src/messages/index.js';
import { memoryPeak } from '../support/memory-peak.js';
import { messageCases } from '../unit/messages/message-arbitraries.js';
import { mutate, seededRandom } from './mutate.js';
import { samplesPerCodec, seed } from './settings.js';

const goodSamples = 50;
const mib = 1024 * 1024;
/** A codec that believes a count takes gigabytes; the garbage of refused samples takes this. */
const mostMemory = 512 * mib;

/** How many numbers, texts and so on a value consists of; counting ends at `most`. */
function leaves(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  let count = 0;
  for (const field of Object.values(value)) {
    count += leaves(field, most);
    if (count > most) return count;
  }
  return count;
}

it.each(messageCases)(
  'The codec of $topic.typeName withstands broken samples',
  ({ topic: { codec, typeName }, values }) => {
    const random = seededRandom(seed);
    const good = fc
      .sample(values, { seed, numRuns: goodSamples })
      .map((value) => codec.encode(value));
    const before = memoryPeak(process.pid);
    let decoded = 0;
    let refused = 0;
    const begunNs = process.hrtime.bigint();
    for (let i = 0; i < samplesPerCodec; i++) {
      const sample = good[random.next(good.length)] ?? new Uint8Array(4);
      const broken = mutate(sample, random);
      let value: unknown;
      try {
        value = codec.decode(broken);
      } catch (error) {
        if (!(error instanceof CdrError)) throw found(broken, error);
        refused++;
        continue;
      }
      decoded++;
      if (leaves(value, broken.length) > broken.length) throw found(broken, 'it grew');
      if (!isDeepStrictEqual(codec.decode(codec.encode(value)), value)) {
        throw found(broken, 'it is another value when it is encoded and decoded again');
      }
    }
    const tookS = Number(process.hrtime.bigint() - begunNs) / 1e9;
    console.log(
      `fuzz: seed ${seed}, ${typeName}: ${samplesPerCodec} samples, ${decoded} decoded, ` +
        `${refused} refused, ${Math.round(samplesPerCodec / tookS)} samples/s`,
    );
    // Both outcomes are tried.
    expect(decoded).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(memoryPeak(process.pid) - before).toBeLessThan(mostMemory);
  },
  3_600_000,
);

/** The sample that shows a defect, to be put into a test of its own. */
function found(sample: Uint8Array, cause: unknown): Error {
  return new Error(`seed ${seed}, sample ${Buffer.from(sample).toString('hex')}`, { cause });
}
