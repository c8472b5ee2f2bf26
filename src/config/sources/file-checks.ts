import { isMap, isScalar, type Node, type Pair } from 'yaml';

import type { CheckName, CheckPolicy } from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import { shorten } from './assignment.js';
import {
  checksKey,
  checkNames,
  checkPolicies,
  type ChecksByName,
} from '../options/check-options.js';
import { kebabCase } from '../options/names.js';
import { nearestName } from './nearest-name.js';

/** Where something stands in the file, as `path:line`. */
export type PlaceOf = (offset: number) => string;

/**
 * Reads what the file says of single checks: a mapping from names of checks to `reject` or `flag`.
 * @returns nothing when it is no such mapping.
 * @throws HlcError `HLC_CONFIG_UNKNOWN_NAME`, `HLC_CONFIG_VALUE`.
 */
export function readChecks(value: Node | null, placeOf: PlaceOf): ChecksByName | undefined {
  if (!isMap<Node, Node | null>(value)) return undefined;
  return Object.fromEntries(value.items.map((pair) => readCheck(pair, placeOf)));
}

function readCheck(
  { key, value }: Pair<Node, Node | null>,
  placeOf: PlaceOf,
): [CheckName, CheckPolicy] {
  const place = placeOf(key.range?.[0] ?? 0);
  const given = textOf(key);
  const name = checkNames.find((known) => known === given);
  if (name === undefined) {
    const nearest = nearestCheck(given);
    throw new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
      what: `check "${shorten(given)}" in ${place}`,
      ...(nearest === undefined ? {} : { nearest: `"${nearest}"` }),
    });
  }
  const text = textOf(value);
  const policy = checkPolicies.find((known) => known === text);
  if (policy === undefined) {
    const nearest = nearestName(text, checkPolicies);
    throw new HlcError('HLC_CONFIG_VALUE', {
      name: `"${checksKey}.${name}" (${place})`,
      value: shorten(text),
      rule: `one of ${checkPolicies.join(', ')}`,
      ...(nearest === undefined ? {} : { nearest }),
    });
  }
  return [name, policy];
}

/** Words are compared as those of the flags are, so `not-finite` and `NOTFINITE` lead to one. */
function nearestCheck(given: string): CheckName | undefined {
  const nearest = nearestName(kebabCase(given), checkNames.map(kebabCase));
  return checkNames.find((name) => kebabCase(name) === nearest);
}

function textOf(node: Node | null): string {
  return isScalar(node) ? (node.source ?? String(node.value)) : (node?.toString() ?? '');
}
