import type { policyTable } from './policy-table.js';

type PolicyTable = typeof policyTable;

/** Name of a policy's element in OMG DDS-XML 1.0. */
export type PolicyName = keyof PolicyTable;

/** What a file says of one policy: each field that it names, no defaults. */
type PolicyFields<P extends PolicyName> = {
  readonly [F in keyof PolicyTable[P]['fields']]?: PolicyTable[P]['fields'][F] extends (
    ...args: never[]
  ) => infer T
    ? T
    : never;
};

/**
 * What a file says of one entity, in the words of the XML. Kept apart from `QosPolicies` because
 * inheritance goes field by field: a profile that names a kind keeps the base's other fields.
 */
export type PolicyDraft = { readonly [P in PolicyName]?: PolicyFields<P> };

/** Lays `over` on `base`, field by field. */
export function mergeDrafts(base: PolicyDraft, over: PolicyDraft): PolicyDraft {
  const merged: Record<string, object> = { ...base };
  for (const [name, fields] of Object.entries(over)) merged[name] = { ...merged[name], ...fields };
  return merged;
}
