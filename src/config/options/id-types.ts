import { z } from 'zod';
import { maxVehicleId } from '../../core/index.js';
import type { ValueType } from './value-types.js';

const differentVehicleIds = z
  .array(z.int().min(0).max(maxVehicleId))
  .min(1)
  .refine((ids) => new Set(ids).size === ids.length);

/** Vehicle ids, each once, in rising order whatever the order in the text. */
export function vehicleIdList(): ValueType<number[]> {
  return {
    schema: z
      .string()
      .regex(/^\s*\d{1,9}\s*(,\s*\d{1,9}\s*)*$/)
      .transform((text) =>
        text
          .split(',')
          .map(Number)
          .sort((a, b) => a - b),
      )
      .pipe(differentVehicleIds)
      .meta({ uniqueItems: true }),
    placeholder: '<ids>',
    rule: 'a list of different whole numbers from 0 to 255 with commas between them, for example 1,2,5',
    range: 'for example 1,2,5',
  };
}

/** Vehicle ids and ranges of them, each id once, in rising order: `100-149,160`. */
export function vehicleIdRanges(): ValueType<number[]> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,3}(-\d{1,3})?(,\d{1,3}(-\d{1,3})?)*$/)
      .transform((text) =>
        text
          .split(',')
          .flatMap((part) => {
            const [first = NaN, last = first] = part.split('-').map(Number);
            return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
          })
          .sort((a, b) => a - b),
      )
      .pipe(differentVehicleIds),
    placeholder: '<ids>',
    rule: 'different whole numbers from 0 to 255 and ranges of them, with commas between them, for example 100-149,160',
    range: 'for example 100-149,160',
  };
}

/**
 * Pairs of ids, each id in one pair: `0:1,1:2`; an id alone stands for a pair with itself.
 * @param most Greatest id on the left and on the right.
 */
export function idPairs(
  most: readonly [left: number, right: number],
  placeholder: string,
): ValueType<(readonly [number, number])[]> {
  const id = (side: 0 | 1) => z.int().min(0).max(most[side]);
  return {
    schema: z
      .string()
      .regex(/^\d{1,10}(:\d{1,10})?(,\d{1,10}(:\d{1,10})?)*$/)
      .transform((text) =>
        text.split(',').map((part) => {
          const [left = NaN, right = left] = part.split(':').map(Number);
          return [left, right] as const;
        }),
      )
      .pipe(
        z
          .array(z.tuple([id(0), id(1)]).readonly())
          .refine((pairs) =>
            ([0, 1] as const).every(
              (side) => new Set(pairs.map((pair) => pair[side])).size === pairs.length,
            ),
          ),
      ),
    placeholder,
    rule: `pairs of ids from 0 to ${most[0]} and from 0 to ${most[1]} with commas between them, each id in one pair, for example 0:1,1:2`,
    range: 'for example 0:1,1:2',
  };
}

/** Agents of SynChrono nodes with the vehicle id of each: `1.1:100,2.1:101`. */
export function agentMap(): ValueType<ReadonlyMap<string, number>> {
  return {
    schema: z
      .string()
      .max(8192)
      .regex(/^\d{1,9}\.\d{1,9}:\d{1,3}(,\d{1,9}\.\d{1,9}:\d{1,3})*$/)
      .transform((text) =>
        text.split(',').map((part): [string, number] => {
          const [agent = '', id = ''] = part.split(':');
          return [agent.split('.').map(Number).join('.'), Number(id)];
        }),
      )
      .refine((pairs) => pairs.every(([, id]) => id <= maxVehicleId))
      .refine((pairs) => [0, 1].every((i) => new Set(pairs.map((p) => p[i])).size === pairs.length))
      .transform((pairs) => new Map(pairs)),
    placeholder: '<map>',
    rule: 'agents as NODE.AGENT:VEHICLE with commas between them, each agent and each vehicle id (0 to 255) once, for example 1.1:100,2.1:101',
    range: 'for example 1.1:100,2.1:101',
  };
}
