import { HlcError } from '../../../errors/index.js';
import { shorten } from '../assignment.js';
import { fullName, type NodeName } from './node-name.js';

/** A topic that has another name; both in full: `/lab/vehicle_state_list`. */
export interface TopicRemap {
  readonly from: string;
  readonly to: string;
}

/** One `-r` or `--remap`. */
export interface RemapRule {
  /** Name of the only node that it is for. */
  readonly node?: string;
  readonly kind: 'name' | 'namespace' | 'topic' | 'service';
  /** Topic or service, as written: in full, relative, or `~/` before it. */
  readonly from: string;
  readonly to: string;
}

/** No digit first, and no two underscores in a row. */
const token = String.raw`(?!\d|\w*__)\w+`;
const name = `(?:~/|/)?${token}(?:/${token})*`;
/** As rcl reads a rule (rcl/arguments.c); it knows no wildcards here either. */
const shapes: readonly (readonly [RemapRule['kind'], RegExp])[] = [
  ['name', new RegExp(`^(?:(${token}):)?(__node|__name):=(${token})$`)],
  ['namespace', new RegExp(`^(?:(${token}):)?(__ns):=(/|(?:/${token})+)$`)],
  ['service', new RegExp(`^(?:(${token}):)?rosservice://(${name}):=(${name})$`)],
  ['topic', new RegExp(`^(?:(${token}):)?(?:rostopic://)?(${name}):=(${name})$`)],
];

/**
 * The remap rules of a command line, in their order.
 * @param ros from `--ros-args` on.
 * @throws HlcError `HLC_CONFIG_ROS_ARGUMENT`.
 */
export function readRemapRules(ros: readonly string[]): readonly RemapRule[] {
  return ros.flatMap((argument, index) => {
    if (argument !== '-r' && argument !== '--remap') return [];
    return readRule(argument, ros[index + 1] ?? '');
  });
}

function readRule(argument: string, rule: string): RemapRule {
  for (const [kind, shape] of shapes) {
    const [, node, from, to] = shape.exec(rule) ?? [];
    if (from === undefined || to === undefined) continue;
    return { kind, from, to, ...(node !== undefined && { node }) };
  }
  throw new HlcError('HLC_CONFIG_ROS_ARGUMENT', {
    argument: shorten(`${argument} ${rule}`),
    cause: 'it must read from:=to, __node:=name or __ns:=/namespace, with names that ROS 2 allows',
  });
}

/** Name and namespace of a node that has this name without rules. The first rule of a kind holds. */
export function remappedNode(rules: readonly RemapRule[], ownName: string): NodeName {
  const first = (wanted: RemapRule['kind'], nodeName: string): string | undefined =>
    rulesFor(rules, nodeName).find(({ kind }) => kind === wanted)?.to;
  const nodeName = first('name', ownName) ?? ownName;
  // As in rcl: what is said for one node means its new name from here on.
  return { namespace: first('namespace', nodeName) ?? '/', name: nodeName };
}

/** The rules for the topics of this node; of those for one topic the first one holds. */
export function topicRemaps(rules: readonly RemapRule[], node: NodeName): readonly TopicRemap[] {
  return rulesFor(rules, node.name)
    .filter(({ kind }) => kind === 'topic')
    .map(({ from, to }) => ({ from: inFull(from, node), to: inFull(to, node) }));
}

function rulesFor(rules: readonly RemapRule[], nodeName: string): readonly RemapRule[] {
  return rules.filter(({ node }) => node === undefined || node === nodeName);
}

function inFull(topic: string, node: NodeName): string {
  if (topic.startsWith('/')) return topic;
  if (topic.startsWith('~/')) return `${fullName(node)}${topic.slice(1)}`;
  return fullName({ ...node, name: topic });
}
