import path from 'node:path';
import { z } from 'zod';
import { maxVehicleId } from '../core/index.js';
import { HlcError } from '../errors/index.js';
import { prepareFolder, readSmallFile, replaceFile } from '../remote/index.js';
import type { Finding } from './live/page-protocol.js';

/** More than any finding has, bytes. */
const mostBytes = 65_536;
const mostRules = 64;

const text = z.string().max(2000);
const count = z.int().min(0).max(mostRules);

const findingSchema: z.ZodType<Finding> = z.object({
  time: z.iso.datetime(),
  version: z.string().max(80),
  vehicle_ids: z
    .array(z.int().min(0).max(maxVehicleId))
    .min(1)
    .max(maxVehicleId + 1),
  period_ms: z.number().positive(),
  passed: count,
  failed: count,
  not_tested: count,
  rules: z
    .array(
      z.object({
        id: text,
        title: text,
        outcome: z.enum(['fail', 'not-tested']),
        evidence: text,
        change: text,
      }),
    )
    .max(mostRules),
});

/** The file of the newest finding about the controller of a vehicle: in a folder beside the control socket. */
function findingPath(controlSocket: string, id: number): string {
  return path.join(`${controlSocket}.findings`, `${id}.json`);
}

/**
 * Keeps a finding for the page of the controller.
 * @throws HlcError `HLC_FINDING_FILE`.
 */
export async function writeFinding(controlSocket: string, finding: Finding): Promise<void> {
  for (const id of finding.vehicle_ids) {
    const file = findingPath(controlSocket, id);
    try {
      await prepareFolder(controlSocket);
      await replaceFile(file, `${JSON.stringify(findingSchema.parse(finding))}\n`);
    } catch (error) {
      throw failure(file, error);
    }
  }
}

/**
 * The newest finding about the controller of a vehicle; undefined when there is none.
 * @throws HlcError `HLC_FINDING_FILE` when it cannot be read.
 */
export async function readFinding(controlSocket: string, id: number): Promise<Finding | undefined> {
  const file = findingPath(controlSocket, id);
  try {
    const content = await readSmallFile(file, mostBytes);
    if (content === undefined) return undefined;
    const result = findingSchema.safeParse(JSON.parse(content));
    if (!result.success) throw new Error(z.prettifyError(result.error).replaceAll('\n', ' '));
    return result.data;
  } catch (error) {
    throw failure(file, error);
  }
}

function failure(file: string, error: unknown): HlcError {
  return new HlcError(
    'HLC_FINDING_FILE',
    { file, cause: (error as Error).message },
    { cause: error },
  );
}
