import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from '../tools/paths.mjs';
import { UsageError } from './command-line.mjs';

/** @import { Measured } from './baseline.mjs' */

const file = 'bench/baseline.json';

const schema = z.object({
  machine: z.string(),
  ratios: z.array(
    z.object({ name: z.string(), load: z.string(), ratio: z.number().positive() }).strict(),
  ),
});

/**
 * The committed ratios and their machine.
 * @throws {UsageError} when the file is missing or malformed
 */
export function readBaseline() {
  try {
    return schema.parse(JSON.parse(readFileSync(path.join(root, file), 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${file} cannot be used as the baseline (${reason}); "npm run bench -- --update-baseline" writes a new one.`,
      { cause: error },
    );
  }
}

/**
 * @param {string} machine
 * @param {readonly Measured[]} measured
 */
export function writeBaseline(machine, measured) {
  const ratios = measured.map(({ name, load, ratio }) => ({
    name,
    load,
    ratio: Number(ratio.toPrecision(3)),
  }));
  writeFileSync(path.join(root, file), `${JSON.stringify({ machine, ratios }, null, 2)}\n`);
}
