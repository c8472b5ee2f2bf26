import { nsPerMs } from '../../core/index.js';
import type { HistoryQos, QosPolicies, ResourceLimitsQos } from '../../ports/index.js';
import type { LookupKind, QosProfile } from './qos-profile.js';

/** One entity whose QoS is asked for. */
export interface QosQuestion {
  readonly kind: LookupKind;
  /** Name of the topic; any text for a participant. */
  readonly topic: string;
}

/** The QoS that one entity gets, in words. */
export interface EffectiveQos extends QosQuestion {
  /** True for the second, best-effort reader of a topic. */
  readonly second: boolean;
  /** One line per policy, `name: value`; reliability, durability and history are always there. */
  readonly lines: readonly string[];
  /** Warnings about likely mistakes. */
  readonly notes: readonly string[];
}

/** A write that can stay blocked for longer than this, ns, may hold up a period. */
const longBlockingNs = 100_000_000n;

/**
 * Puts the effective QoS of each entity into words, two for a topic with a second reader.
 * Durations are in ms.
 * @param defaults a profile that is asked for a second reader when the first has none.
 * @throws HlcError `HLC_QOS_INCONSISTENT`.
 */
export function formatEffectiveQos(
  profile: QosProfile,
  questions: readonly QosQuestion[],
  defaults?: QosProfile,
): readonly EffectiveQos[] {
  return questions.flatMap(({ kind, topic }) => {
    const all =
      kind === 'reader'
        ? profile.readersFor(topic, defaults).map(({ qos }) => qos)
        : [profile.qosFor(kind, topic)];
    return all.map((qos, index) => ({
      kind,
      topic,
      second: index > 0,
      lines: linesOf(qos, kind),
      notes: notesOf(qos, kind),
    }));
  });
}

function notesOf(qos: QosPolicies, kind: LookupKind): readonly string[] {
  const blocking = qos.reliability?.maxBlockingTimeNs;
  if (kind !== 'writer' || blocking === undefined) return [];
  if (blocking !== null && blocking <= longBlockingNs) return [];
  return [
    `A slow reader can block a write for ${duration(blocking)}; 100 ms or less keep the periods free.`,
  ];
}

function linesOf(qos: QosPolicies, kind: LookupKind): readonly string[] {
  const lines: (string | undefined)[] = [
    ...(kind === 'participant' ? [] : deliveryLines(qos, kind)),
    qos.durabilityService &&
      `durability service: ${history(qos.durabilityService.history)}${limits(qos.durabilityService)}`,
    qos.resourceLimits && `resource limits: ${limits(qos.resourceLimits).slice(2) || 'none'}`,
    qos.deadline && `deadline: ${duration(qos.deadline.periodNs)}`,
    qos.latencyBudget && `latency budget: ${duration(qos.latencyBudget.durationNs)}`,
    qos.lifespan && `lifespan: ${duration(qos.lifespan.durationNs)}`,
    qos.liveliness &&
      `liveliness: ${qos.liveliness.kind}, lease ${duration(qos.liveliness.leaseDurationNs ?? null)}`,
    qos.destinationOrder && `destination order: ${qos.destinationOrder.kind}`,
    qos.ownership && `ownership: ${qos.ownership.kind}, strength ${qos.ownership.strength ?? 0}`,
    qos.timeBasedFilter &&
      `time-based filter: ${duration(qos.timeBasedFilter.minimumSeparationNs)}`,
    qos.partition && `partition: ${qos.partition.names.map((name) => `"${name}"`).join(', ')}`,
    qos.presentation &&
      `presentation: ${qos.presentation.accessScope}, coherent ${qos.presentation.coherentAccess}, ordered ${qos.presentation.orderedAccess}`,
    qos.transportPriority && `transport priority: ${qos.transportPriority.value}`,
    qos.userData && `user data: ${qos.userData.length} bytes`,
    qos.topicData && `topic data: ${qos.topicData.length} bytes`,
    qos.groupData && `group data: ${qos.groupData.length} bytes`,
    qos.writerDataLifecycle &&
      `writer data lifecycle: dispose unregistered ${qos.writerDataLifecycle.autodisposeUnregisteredInstances}`,
    qos.readerDataLifecycle &&
      `reader data lifecycle: purge without writer after ${duration(qos.readerDataLifecycle.autopurgeNowriterSamplesDelayNs)}, disposed after ${duration(qos.readerDataLifecycle.autopurgeDisposedSamplesDelayNs)}`,
  ];
  return lines.filter((line) => line !== undefined);
}

/** With the defaults of OMG DDS 1.4, section 2.2.3, where the files say nothing. */
function deliveryLines(qos: QosPolicies, kind: LookupKind): readonly string[] {
  const reliable = (qos.reliability?.kind ?? (kind === 'writer' ? 'reliable' : '')) === 'reliable';
  const blocking = qos.reliability?.maxBlockingTimeNs;
  const blocks = kind === 'writer' && blocking !== undefined;
  const byDefault = (value: unknown) => (value === undefined ? ' (default)' : '');
  return [
    `reliability: ${reliable ? 'reliable' : 'best-effort'}${blocks ? `, blocks at most ${duration(blocking)}` : ''}${byDefault(qos.reliability)}`,
    `durability: ${qos.durability?.kind ?? 'volatile'}${byDefault(qos.durability)}`,
    `history: ${history(qos.history ?? { kind: 'keep-last' })}${byDefault(qos.history)}`,
  ];
}

function history(given: HistoryQos): string {
  return given.kind === 'keep-all' ? 'keep all' : `keep last ${given.depth ?? 1}`;
}

function limits(given: ResourceLimitsQos): string {
  const { maxSamples, maxInstances, maxSamplesPerInstance } = given;
  return (
    (maxSamples === undefined ? '' : `, samples ${maxSamples ?? 'unlimited'}`) +
    (maxInstances === undefined ? '' : `, instances ${maxInstances ?? 'unlimited'}`) +
    (maxSamplesPerInstance === undefined
      ? ''
      : `, samples of an instance ${maxSamplesPerInstance ?? 'unlimited'}`)
  );
}

function duration(ns: bigint | null): string {
  if (ns === null) return 'infinite';
  const rest = ns % nsPerMs;
  const fraction = rest === 0n ? '' : `.${rest.toString().padStart(6, '0').replace(/0+$/, '')}`;
  return `${(ns / nsPerMs).toString()}${fraction} ms`;
}
