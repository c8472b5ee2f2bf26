import { pathToFileURL } from 'node:url';
import { root } from '../../tools/paths.mjs';
import { rules } from './groups.mjs';

/** @import { Group } from './groups.mjs' */

/**
 * What V8's profiler records, as far as it is read here.
 * @typedef {object} CpuProfile
 * @property {readonly ProfileNode[]} nodes of the tree of calls
 * @property {number} startTime on the monotonic clock, µs
 * @property {readonly number[]} samples ids of nodes
 * @property {readonly number[]} timeDeltas from the sample before to each, µs
 *
 * @typedef {object} ProfileNode
 * @property {number} id
 * @property {{ functionName: string, url: string }} callFrame
 * @property {readonly number[]} [children] ids
 */

/** What a sample shows: a group's function, nothing to do, or code that is not JavaScript. */
/** @typedef {Group | 'idle' | 'native'} Place */

const project = `${pathToFileURL(root).href}/`;

/**
 * Names that V8 gives to what is no function.
 * @type {Readonly<Record<string, Place>>}
 */
const special = {
  '(idle)': 'idle',
  '(program)': 'native',
  '(garbage collector)': 'garbage collection',
};

/**
 * How long the thread was where, within a part of a profile.
 * @param {CpuProfile} profile
 * @param {{ fromNs: number, toNs: number }} part on the monotonic clock
 * @returns {Map<Place, number>} µs
 */
export function timesOf(profile, { fromNs, toNs }) {
  const places = placesOf(profile);
  /** @type {Map<Place, number>} */
  const times = new Map();
  let atUs = profile.startTime;
  profile.samples.forEach((id, index) => {
    const lastedUs = profile.timeDeltas[index] ?? 0;
    atUs += lastedUs;
    if (atUs * 1000 < fromNs || atUs * 1000 > toNs) return;
    const place = places.get(id) ?? 'everything else';
    times.set(place, (times.get(place) ?? 0) + lastedUs);
  });
  return times;
}

/**
 * The place of each node of the tree: its own, or else that of its caller.
 * @param {CpuProfile} profile
 */
function placesOf({ nodes }) {
  /** @type {Map<number, Place>} */
  const places = new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {{ node: ProfileNode | undefined, caller: Found }[]} */
  const open = nodes.slice(0, 1).map((node) => ({ node, caller: { place: 'everything else' } }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, caller } = next;
    if (node === undefined) continue;
    const found = caller.whole === true ? caller : (find(node.callFrame) ?? caller);
    places.set(node.id, found.place);
    for (const id of node.children ?? []) open.push({ node: byId.get(id), caller: found });
  }
  return places;
}

/** @typedef {{ place: Place, whole?: boolean | undefined }} Found */

/**
 * @param {ProfileNode['callFrame']} frame
 * @returns {Found | undefined}
 */
function find({ functionName, url }) {
  const known = special[functionName];
  if (known !== undefined) return { place: known };
  if (!url.startsWith(project)) return undefined;
  const file = url.slice(project.length);
  const rule = rules.find(
    ({ file: files, functions }) => files.test(file) && (functions?.test(functionName) ?? true),
  );
  return rule && { place: rule.group, whole: rule.whole };
}
