import { isMap, isScalar, isSeq, parseDocument, type Node } from 'yaml';

import { HlcError } from '../../../errors/index.js';
import { shorten } from '../assignment.js';
import type { ReadFile } from '../config-file.js';
import { keyMatches, type NodeName } from './node-name.js';

/** A parameter that the arguments for ROS 2 give to this node. */
export interface RosParameterText {
  readonly name: string;
  /** As one would write it on the command line; items of a list with commas between them. */
  readonly text: string;
  /** True when it was meant for this node alone, so that an unknown name is an error. */
  readonly forThisNode: boolean;
}

/**
 * The parameters that `-p` and `--params-file` give to a node, as rcl reads them, the last value of
 * each name. (rclnodejs 2.2 overlooks entries with the full name of a node in a namespace, which is
 * how a launch file writes them.)
 * @throws HlcError `HLC_CONFIG_ROS_ARGUMENT`.
 */
export function rosParameters(
  ros: readonly string[],
  node: NodeName,
  readFile: ReadFile,
): readonly RosParameterText[] {
  const found = new Map<string, RosParameterText>();
  ros.forEach((argument, index) => {
    const value = ros[index + 1];
    if (value === undefined) return;
    const given =
      argument === '-p' || argument === '--param'
        ? fromRule(value, node)
        : argument === '--params-file'
          ? fromFile(value, node, readFile)
          : [];
    for (const parameter of given) found.set(parameter.name, parameter);
  });
  return [...found.values()];
}

/** `name:=value` or `node:name:=value`. */
function fromRule(rule: string, node: NodeName): readonly RosParameterText[] {
  const [, key, name = '', yaml = ''] = /^(?:([^:]+):)?([^:]+):=([^]*)$/.exec(rule) ?? [];
  if (name === '') throw refuse(`-p ${rule}`, 'it must read name:=value');
  if (key !== undefined && key !== node.name && !keyMatches(key, node)) return [];
  const document = parseDocument(yaml, { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw refuse(`-p ${rule}`, error.message);
  return [{ name, text: textOf(document.contents, `-p ${rule}`), forThisNode: true }];
}

function fromFile(path: string, node: NodeName, readFile: ReadFile): readonly RosParameterText[] {
  const what = `--params-file ${path}`;
  const document = parseDocument(read(path, what, readFile), { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw refuse(what, error.message);
  return fromNodes(document.contents, '', node, what);
}

/** Goes down a file to each `ros__parameters`; the keys above it are the name of a node. */
function fromNodes(
  tree: Node | null,
  key: string,
  node: NodeName,
  what: string,
): readonly RosParameterText[] {
  if (tree === null) return [];
  if (!isMap(tree)) throw refuse(what, 'it must hold nodes with ros__parameters');
  return tree.items.flatMap(({ key: keyNode, value }) => {
    const part = isScalar(keyNode) ? String(keyNode.value) : '';
    if (part !== 'ros__parameters')
      return fromNodes(value as Node | null, `${key}/${part}`, node, what);
    const name = key.replaceAll(/\/+/g, '/');
    if (!keyMatches(name, node)) return [];
    return fromValues(value as Node | null, '', !name.includes('*'), what);
  });
}

function fromValues(
  tree: Node | null,
  prefix: string,
  forThisNode: boolean,
  what: string,
): readonly RosParameterText[] {
  if (!isMap(tree)) return [];
  return tree.items.flatMap(({ key, value }) => {
    const name = `${prefix}${isScalar(key) ? String(key.value) : ''}`;
    if (isMap(value)) return fromValues(value, `${name}.`, forThisNode, what);
    // As `ros2 param dump` writes a parameter that is not set.
    if (isScalar(value) && value.value === null) return [];
    return [{ name, text: textOf(value as Node | null, `${name} in ${what}`), forThisNode }];
  });
}

function textOf(value: Node | null, what: string): string {
  const items = isSeq(value) ? value.items : [value];
  return items
    .map((item) => {
      if (!isScalar(item)) throw refuse(what, 'it must have a value or a list of values');
      const { source, value: plain } = item;
      return source ?? String(plain);
    })
    .join(',');
}

function read(path: string, what: string, readFile: ReadFile): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw refuse(what, (cause as Error).message, cause);
  }
}

function refuse(argument: string, cause: string, error?: unknown): HlcError {
  return new HlcError(
    'HLC_CONFIG_ROS_ARGUMENT',
    { argument: shorten(argument), cause: shorten(cause) },
    { cause: error },
  );
}
