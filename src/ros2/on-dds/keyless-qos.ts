import type { HistoryQos, QosPolicies, ResourceLimitsQos } from '../../ports/index.js';

/**
 * The QoS for a topic without key, where the samples of all instances share one history: a depth that
 * was meant for each instance counts for all of them together.
 * @param instances how many instances there may be, at least 1
 */
export function keylessQos(qos: QosPolicies, instances: number): QosPolicies {
  const limits = qos.resourceLimits && sharedLimits(qos.resourceLimits, instances);
  const service = qos.durabilityService && {
    ...qos.durabilityService,
    ...sharedLimits(qos.durabilityService, instances),
  };
  return {
    ...qos,
    history: sharedHistory(qos.history, limits, instances),
    ...(limits && { resourceLimits: limits }),
    ...(service && {
      durabilityService: {
        ...service,
        history: sharedHistory(service.history, service, instances),
      },
    }),
  };
}

/** The default history is that of OMG DDS 1.4: the last one. */
function sharedHistory(
  history: HistoryQos = { kind: 'keep-last', depth: 1 },
  limits: ResourceLimitsQos | undefined,
  instances: number,
): HistoryQos {
  if (history.kind === 'keep-all') return history;
  const depth = (history.depth ?? 1) * instances;
  const most = limits?.maxSamplesPerInstance ?? depth;
  return { kind: 'keep-last', depth: Math.min(depth, most) };
}

/** What one instance might hold, the only one may hold for all. */
function sharedLimits(limits: ResourceLimitsQos, instances: number): ResourceLimitsQos {
  const { maxSamples = null, maxSamplesPerInstance = null } = limits;
  const shared = maxSamplesPerInstance === null ? null : maxSamplesPerInstance * instances;
  const both = [maxSamples, shared].filter((limit) => limit !== null);
  return {
    maxSamples,
    maxInstances: null,
    maxSamplesPerInstance: both.length === 0 ? null : Math.min(...both),
  };
}
