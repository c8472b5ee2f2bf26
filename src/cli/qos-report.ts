import {
  chooseProfile,
  findProfile,
  formatEffectiveQos,
  loadQosFile,
  type DiscoveryHints,
  type EffectiveQos,
  type QosLibraries,
  type QosWarning,
  type QosQuestion,
} from '../dds/qos/index.js';
import { topics, topicsBySide } from '../messages/index.js';

/** Names of the profiles that `run` takes for the sides. */
const profileNames: Readonly<Record<SideName, string>> = {
  lab: 'Lab',
  controller: 'Controller',
};

/**
 * What a QoS file means for a middleware: the QoS of each of its DDS entities, and what of the file
 * has no effect.
 * @throws HlcError `HLC_QOS_…`, exit code 2, when `run` would refuse the file.
 */
export function qosReport(path: string, sides: readonly SideName[]): string {
  const libraries = loadQosFile(path);
  const parts = sides.map((side) => sideReport(libraries, side));
  return [...parts, warningsReport(libraries.warnings)].join('\n');
}

function sideReport(libraries: QosLibraries, side: SideName): string {
  const profile = chooseProfile(libraries, profileNames[side]);
  const shipped = findProfile(libraries, `HlcMiddleware::${profileNames[side]}`);
  const entities = formatEffectiveQos(profile, entitiesOf(side), shipped);
  const parts = [...entities.map(entityReport), ...discoveryNotes(side, profile.discovery)];
  return `${side} side, profile ${profile.name}\n${parts.join('')}`;
}

/** What the file says of discovery is for the lab side: the other one keeps to its interface. */
function discoveryNotes(
  side: SideName,
  { initialPeers = [], interfaces = [] }: DiscoveryHints,
): string[] {
  const effect = side === 'lab' ? 'is used' : 'has no effect on the controller side';
  return [
    ...initialPeers.map((peer) => `  note: the discovery peer ${peer} ${effect}\n`),
    ...interfaces.map((name) => `  note: the interface ${name} ${effect}\n`),
  ];
}

function entityReport({ kind, topic, second, lines, notes }: EffectiveQos): string {
  const beside = second ? ' (the second one, for best-effort writers)' : '';
  const all = [...lines, ...notes.map((note) => `note: ${note}`)];
  if (all.length === 0) all.push('as DDS has it');
  return [`  ${kind} ${topic}`.trimEnd() + beside, ...all.map((line) => `    ${line}`), ''].join(
    '\n',
  );
}

function warningsReport(warnings: readonly QosWarning[]): string {
  return warnings.length === 0
    ? 'no warnings\n'
    : warnings
        .map(({ file, line, element, message }) => `${file}:${line}: ${element}: ${message}\n`)
        .join('');
}

/** One of the two sides of the middleware, as the flag names it. */
export type SideName = keyof typeof topicsBySide;

/** The DDS entities that a middleware has on one side. */
export function entitiesOf(side: SideName): QosQuestion[] {
  const { writers, readers } = topicsBySide[side];
  return [
    { kind: 'participant', topic: '' },
    ...writers.map((name) => ({ kind: 'writer', topic: topics[name].name }) as const),
    ...readers.map((name) => ({ kind: 'reader', topic: topics[name].name }) as const),
  ];
}
