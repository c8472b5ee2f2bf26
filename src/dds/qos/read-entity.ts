import { discoveryPolicies, readDiscoveryHints, type DiscoveryHints } from './discovery-hints.js';
import type { PolicyDraft, PolicyName } from './policy-draft.js';
import { policyTable, type EntityKind } from './policy-table.js';
import {
  checkAttributes,
  checkNoText,
  refuseDuplicate,
  refuseElement,
  refuseValue,
} from './refusals.js';
import { rtiPolicies, warningAt, withoutEffect, type QosWarning } from './rti-extensions.js';
import { parseTopicFilter, type TopicFilter } from './topic-filter.js';
import type { XmlElement } from './xml-element.js';
import { listOf, readString, type ValueReader } from './xml-values.js';

/** One `…_qos` element of a profile. */
export interface EntityQos {
  readonly element: XmlElement;
  readonly kind: EntityKind;
  readonly name: string | undefined;
  readonly filter: TopicFilter | undefined;
  /** What the element's own `base_name` refers to, in the order in which they are laid. */
  readonly bases: readonly string[];
  readonly draft: PolicyDraft;
  readonly hints: DiscoveryHints;
}

/** The elements of a profile that hold the QoS of an entity. */
export const entityElements: ReadonlyMap<string, EntityKind> = new Map([
  ['domainparticipant_qos', 'participant'],
  ['domain_participant_qos', 'participant'],
  ['participant_qos', 'participant'],
  ['publisher_qos', 'publisher'],
  ['subscriber_qos', 'subscriber'],
  ['topic_qos', 'topic'],
  ['datawriter_qos', 'writer'],
  ['datareader_qos', 'reader'],
]);

const filteredKinds: readonly EntityKind[] = ['topic', 'writer', 'reader'];
const readNames = listOf(readString);

/**
 * Reads one `…_qos` element.
 * @throws HlcError `HLC_QOS_ELEMENT`, `HLC_QOS_VALUE`, `HLC_QOS_DUPLICATE`.
 */
export function readEntity(
  element: XmlElement,
  kind: EntityKind,
  warn: (warning: QosWarning) => void,
): EntityQos {
  const filtered = filteredKinds.includes(kind);
  checkAttributes(element, ['name', 'base_name', ...(filtered ? ['topic_filter'] : [])]);
  checkNoText(element);

  const draft: Record<string, object> = {};
  let hints: DiscoveryHints = {};
  const seen = new Map<string, XmlElement>();
  for (const child of element.children) {
    // RTI Connext's name for the same policy.
    const name = child.name === 'representation' ? 'data_representation' : child.name;
    const first = seen.get(name);
    if (first) refuseDuplicate(child, first);
    seen.set(name, child);

    if (isPolicyOf(name, kind)) draft[name] = readPolicy(child, name, warn);
    else if (kind === 'participant' && discoveryPolicies.includes(name)) {
      hints = { ...hints, ...readDiscoveryHints(child, warn) };
    } else if (rtiPolicies[kind].includes(name)) warn(withoutEffect(child));
    else if (name !== 'base_name') refuseElement(child, policiesOf(kind));
  }
  return {
    element,
    kind,
    name: element.attributes.get('name'),
    filter: readFilter(element),
    bases: readBases(element),
    draft,
    hints,
  };
}

/**
 * The profiles that an element inherits from: its attribute `base_name`, then, laid over it one
 * after the other, those of a `<base_name>` list (RTI Connext 6 and later).
 */
export function readBases(element: XmlElement): readonly string[] {
  const attribute = element.attributes.get('base_name');
  const lists = element.children.filter((child) => child.name === 'base_name');
  return [...(attribute === undefined ? [] : [attribute]), ...lists.flatMap(readNames)];
}

function readFilter(element: XmlElement): TopicFilter | undefined {
  const text = element.attributes.get('topic_filter');
  if (text === undefined) return undefined;
  const accepted = 'in topic_filter: patterns like vehicle*, with commas between them';
  return parseTopicFilter(text) ?? refuseValue(element, accepted, text);
}

function readPolicy(
  element: XmlElement,
  name: PolicyName,
  warn: (warning: QosWarning) => void,
): Record<string, unknown> {
  checkAttributes(element, []);
  checkNoText(element);
  const { fields, rtiFields } = policyTable[name] as {
    fields: Readonly<Record<string, ValueReader<unknown>>>;
    rtiFields: readonly string[];
  };
  const values: Record<string, unknown> = {};
  const seen = new Map<string, XmlElement>();
  for (const child of element.children) {
    const first = seen.get(child.name);
    if (first) refuseDuplicate(child, first);
    seen.set(child.name, child);
    const read = Object.hasOwn(fields, child.name) ? fields[child.name] : undefined;
    if (read) values[child.name] = read(child);
    else if (rtiFields.includes(child.name)) warn(withoutEffect(child));
    else refuseElement(child, Object.keys(fields));
  }
  const message = fixedHere(name, values);
  if (message !== undefined) warn(warningAt(element, message));
  return values;
}

/** What to say of a standard policy whose value this program does not leave to the file. */
function fixedHere(name: PolicyName, values: Record<string, unknown>): string | undefined {
  if (name === 'type_consistency') {
    return 'Types are matched by their names, without type information; this has no effect here.';
  }
  if (name === 'entity_factory' && values.autoenable_created_entities === false) {
    return 'Every entity is enabled as soon as it is made; this has no effect here.';
  }
  if (name === 'data_representation') {
    const lists = [values.value, values.id].filter((list) => Array.isArray(list));
    const first: unknown = lists.flat()[0] ?? 'auto';
    if (first !== 'xcdr1' && first !== 'auto') {
      return 'Samples are always written as XCDR1; this has no effect here.';
    }
  }
  return undefined;
}

function isPolicyOf(name: string, kind: EntityKind): name is PolicyName {
  return policiesOf(kind).includes(name);
}

function policiesOf(kind: EntityKind): readonly string[] {
  return Object.entries(policyTable)
    .filter(([, { on }]) => on.includes(kind))
    .map(([name]) => name);
}
