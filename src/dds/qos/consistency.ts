import type { HistoryQos, QosPolicies, ResourceLimitsQos } from '../../ports/index.js';

/** Two policies that contradict each other: what, and which values would do. */
export interface Contradiction {
  readonly cause: string;
  readonly accepted: string;
}

/**
 * The first pair of policies that no DDS entity may have together (OMG DDS 1.4, section 2.2.3:
 * RESOURCE_LIMITS with HISTORY, DEADLINE with TIME_BASED_FILTER, the same for DURABILITY_SERVICE).
 */
export function findContradiction(qos: QosPolicies): Contradiction | undefined {
  const { deadline, timeBasedFilter, durabilityService } = qos;
  if (
    timeBasedFilter &&
    deadline &&
    deadline.periodNs !== null &&
    deadline.periodNs < timeBasedFilter.minimumSeparationNs
  ) {
    return {
      cause: `the deadline of ${deadline.periodNs.toString()} ns is shorter than the minimum separation of ${timeBasedFilter.minimumSeparationNs.toString()} ns`,
      accepted: 'a deadline period of at least minimum_separation',
    };
  }
  return (
    limitsAgainstHistory(qos.resourceLimits, qos.history) ??
    limitsAgainstHistory(durabilityService, durabilityService?.history)
  );
}

function limitsAgainstHistory(
  limits: ResourceLimitsQos | undefined,
  history: HistoryQos | undefined,
): Contradiction | undefined {
  const { maxSamples, maxSamplesPerInstance } = limits ?? {};
  if (maxSamples != null && maxSamplesPerInstance != null && maxSamples < maxSamplesPerInstance) {
    return {
      cause: `max_samples ${maxSamples} is less than max_samples_per_instance ${maxSamplesPerInstance}`,
      accepted: 'max_samples of at least max_samples_per_instance',
    };
  }
  const depth = history?.kind === 'keep-all' ? 1 : (history?.depth ?? 1);
  if (maxSamplesPerInstance != null && maxSamplesPerInstance < depth) {
    return {
      cause: `the history depth ${depth} is more than max_samples_per_instance ${maxSamplesPerInstance}`,
      accepted: 'a depth of at most max_samples_per_instance',
    };
  }
  return undefined;
}
