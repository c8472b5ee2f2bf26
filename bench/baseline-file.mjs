import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from '../tools/paths.mjs';
import { withBaseline } from './baseline.mjs';
import { UsageError } from './command-line.mjs';

/** @import { Measured } from './baseline.mjs' */

const file = 'bench/baseline.json';

const ratio = z
  .object({ name: z.string(), load: z.string(), ratio: z.number().positive() })
  .strict();

/** One for each kind of processor. */
const schema = z.array(z.object({ machine: z.string(), ratios: z.array(ratio) })).nonempty();

/**
 * All committed ratios with their machines.
 * @throws {UsageError} when the file is missing or malformed
 */
export function readBaselines() {
  try {
    return schema.parse(JSON.parse(readFileSync(path.join(root, file), 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${file} cannot be used as the baseline (${reason}); "git restore ${file}" brings it back.`,
      { cause: error },
    );
  }
}

/**
 * Replaces the ratios of this kind of processor, or adds them.
 * @param {string} machine
 * @param {readonly Measured[]} measured
 * @throws {UsageError} when the file is missing or malformed
 */
export function writeBaseline(machine, measured) {
  const ratios = measured.map(({ name, load, ratio }) => ({
    name,
    load,
    ratio: Number(ratio.toPrecision(3)),
  }));
  const baselines = withBaseline(readBaselines(), { machine, ratios });
  writeFileSync(path.join(root, file), `${JSON.stringify(baselines, null, 2)}\n`);
}
