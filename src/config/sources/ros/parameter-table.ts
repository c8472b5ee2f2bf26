import { z } from 'zod';

import type { GivenValues } from '../merge-sources.js';
import { parameterName } from '../../options/names.js';
import {
  alternatives,
  runOption,
  runOptionKeys,
  type RunOptionKey,
} from '../../options/run-options.js';
import { runSchema } from '../../options/run-schema.js';

/** The value of a parameter of ROS 2; undefined when it was not given and has no default. */
type RosParameterValue =
  | { readonly type: 'bool'; readonly value: boolean | undefined }
  | { readonly type: 'integer'; readonly value: bigint | undefined }
  | { readonly type: 'double'; readonly value: number | undefined }
  | { readonly type: 'string'; readonly value: string | undefined }
  | { readonly type: 'integerArray'; readonly value: readonly bigint[] | undefined }
  | { readonly type: 'stringArray'; readonly value: readonly string[] | undefined };

/** An option as a parameter of ROS 2. */
export type RosParameterEntry = RosParameterValue & {
  readonly name: string;
  readonly description: string;
  /** Completes "it must be …". */
  readonly constraints: string;
  /** Both included; for numbers only. */
  readonly range?:
    { readonly from: bigint; readonly to: bigint } | { readonly from: number; readonly to: number };
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

const largestInteger = 2n ** 63n - 1n;
const trueWords = ['true', 'True', 'T', '1'];

/**
 * The options as parameters of a ROS 2 node, with the values of this run.
 * @param known values that are decided elsewhere, as text; they count before the given ones.
 */
export function rosParameterTable(
  given: GivenValues,
  known: Readonly<Partial<Record<RunOptionKey, string>>>,
): readonly RosParameterEntry[] {
  const { properties = {} } = z.toJSONSchema(runSchema, { io: 'output', unrepresentable: 'any' });
  return runOptionKeys.map((key) => {
    const property = properties[key];
    const schema = typeof property === 'object' ? property : {};
    const { meaning, value, default: byDefault, otherwise } = runOption(key);
    const text =
      known[key] ?? given.get(key)?.text ?? (isSetAside(key, given) ? undefined : byDefault);
    const range = rangeOf(schema);
    return {
      name: parameterName(key),
      description: `${meaning} (default: ${byDefault ?? otherwise ?? 'none'})`,
      constraints: value.rule,
      ...valueOf(text, schema),
      ...(range === undefined ? {} : { range }),
    };
  });
}

/** Its default does not hold, since the same was said in another way. */
function isSetAside(key: RunOptionKey, given: GivenValues): boolean {
  return alternatives.some(
    (group) => group.includes(key) && group.some((other) => given.has(other)),
  );
}

function valueOf(text: string | undefined, { type, items }: JsonSchema): RosParameterValue {
  const as = <T>(read: (text: string) => T): T | undefined =>
    text === undefined ? undefined : read(text);
  switch (type) {
    case 'boolean':
      return { type: 'bool', value: as((word) => trueWords.includes(word)) };
    case 'integer':
      return { type: 'integer', value: as(BigInt) };
    case 'number':
      return { type: 'double', value: as(Number) };
    case 'array':
      return typeof items === 'object' && 'type' in items && items.type === 'integer'
        ? { type: 'integerArray', value: as((list) => list.split(',').map(BigInt)) }
        : {
            type: 'stringArray',
            value: as((list) => list.split(',').map((part) => part.trim())),
          };
    default:
      return { type: 'string', value: text };
  }
}

function rangeOf({ type, minimum = 0, maximum }: JsonSchema): RosParameterEntry['range'] {
  if (type === 'number') return { from: minimum, to: maximum ?? Number.MAX_VALUE };
  if (type !== 'integer') return undefined;
  return {
    from: BigInt(minimum),
    to: maximum === undefined ? largestInteger : BigInt(maximum),
  };
}
