import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/**
 * libfaketime (package faketime of Debian and Ubuntu) shifts CLOCK_REALTIME of one process, for
 * Node, the add-on and Cyclone DDS alike, and can leave CLOCK_MONOTONIC alone. Time namespaces
 * cannot: they do not cover CLOCK_REALTIME.
 */
const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;

/** Why no wall clock can be set here; undefined when it can. */
export function whyNoWallClock(): string | undefined {
  return existsSync(library) ? undefined : 'package faketime is not installed';
}

/** The wall clock of one program, which the test can set. */
export class WallClock {
  readonly #file = path.join(temporaryFolder(), 'wall-clock');
  #aheadS = 0;

  constructor() {
    this.jump(0);
  }

  /** The words before the program that has this clock. */
  get through(): readonly string[] {
    return [
      'env',
      `LD_PRELOAD=${library}`,
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
      'FAKETIME_NO_CACHE=1',
      'FAKETIME_DONT_FAKE_MONOTONIC=1',
    ];
  }

  /** By how much it is ahead of that of the machine, ns. */
  get aheadNs(): bigint {
    return BigInt(this.#aheadS) * 1_000_000_000n;
  }

  jump(byS: number): void {
    this.#aheadS += byS;
    // A half-written file would be a jump of its own.
    writeFileSync(`${this.#file}.new`, `+${this.#aheadS}\n`.replace('+-', '-'));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
