import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random numbers that depend on nothing but the seed, the name and how many were drawn before. */
export class RandomStream {
  readonly #generator;

  /** @param name Streams of one seed with different names are independent of each other. */
  constructor(seed: number, name: string) {
    this.#generator = xoroshiro128plus(mixed(seed, name));
  }

  /** Equally likely from 0 (included) to 1 (not included). */
  uniform(): number {
    return uniformFloat64(this.#generator);
  }

  /** A point around the origin: both coordinates normal with this standard deviation. */
  normalPoint(deviation: number): { x: number; y: number } {
    const distance = deviation * Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    return { x: distance * Math.cos(angle), y: distance * Math.sin(angle) };
  }
}

/** FNV-1a of the name, begun at the seed: one number of 32 bits. */
function mixed(seed: number, name: string): number {
  let hash = Math.imul(seed ^ 0x811c9dc5, 0x01000193);
  for (const character of name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash | 0;
}
