import type { HistoryQos, QosPolicies, ResourceLimitsQos } from '../../ports/index.js';
import type { PolicyDraft } from './policy-draft.js';
import type { EntityKind } from './policy-table.js';

/**
 * Turns what the files say into QoS values. A policy that no file names stays absent; a field
 * missing in a named policy takes the default of OMG DDS 1.4, section 2.2.3.
 */
export function toQosPolicies(draft: PolicyDraft, kind: EntityKind): QosPolicies {
  return defined({
    reliability: map(draft.reliability, (given) => {
      const reliable =
        (given.kind ?? (kind === 'writer' ? 'reliable' : 'best-effort')) === 'reliable';
      return reliable
        ? defined({ kind: 'reliable' as const, maxBlockingTimeNs: given.max_blocking_time })
        : { kind: 'best-effort' as const };
    }),
    durability: map(draft.durability, (given) => ({ kind: given.kind ?? 'volatile' })),
    history: map(draft.history, (given) => historyOf(given.kind, given.depth)),
    durabilityService: map(draft.durability_service, (given) =>
      defined({
        history: historyOf(given.history_kind, given.history_depth),
        ...limitsOf(given),
        serviceCleanupDelayNs: given.service_cleanup_delay,
      }),
    ),
    resourceLimits: map(draft.resource_limits, limitsOf),
    deadline: map(draft.deadline, ({ period }) => map(period, (periodNs) => ({ periodNs }))),
    latencyBudget: map(draft.latency_budget, ({ duration }) =>
      map(duration, (durationNs) => ({ durationNs })),
    ),
    lifespan: map(draft.lifespan, ({ duration }) =>
      map(duration, (durationNs) => ({ durationNs })),
    ),
    liveliness: map(draft.liveliness, (given) =>
      defined({ kind: given.kind ?? 'automatic', leaseDurationNs: given.lease_duration }),
    ),
    destinationOrder: map(draft.destination_order, (given) => ({
      kind: given.kind ?? 'by-reception-timestamp',
    })),
    ownership: ownershipOf(draft),
    timeBasedFilter: map(draft.time_based_filter, ({ minimum_separation: separation }) =>
      map(separation, (minimumSeparationNs) => ({ minimumSeparationNs })),
    ),
    partition: map(draft.partition, ({ name }) => map(name, (names) => ({ names }))),
    presentation: map(draft.presentation, (given) => ({
      accessScope: given.access_scope ?? 'instance',
      coherentAccess: given.coherent_access ?? false,
      orderedAccess: given.ordered_access ?? false,
    })),
    transportPriority: map(draft.transport_priority, ({ value }) =>
      map(value, (priority) => ({ value: priority })),
    ),
    userData: draft.user_data?.value,
    topicData: draft.topic_data?.value,
    groupData: draft.group_data?.value,
    writerDataLifecycle: map(draft.writer_data_lifecycle, (given) => ({
      autodisposeUnregisteredInstances: given.autodispose_unregistered_instances ?? true,
    })),
    readerDataLifecycle: map(draft.reader_data_lifecycle, (given) => ({
      autopurgeNowriterSamplesDelayNs: given.autopurge_nowriter_samples_delay ?? null,
      autopurgeDisposedSamplesDelayNs: given.autopurge_disposed_samples_delay ?? null,
    })),
  });
}

function historyOf(kind: HistoryQos['kind'] | undefined, depth: number | undefined): HistoryQos {
  if (kind === 'keep-all') return { kind };
  return defined({ kind: 'keep-last' as const, depth });
}

function limitsOf(fields: NonNullable<PolicyDraft['resource_limits']>): ResourceLimitsQos {
  return defined({
    maxSamples: fields.max_samples,
    maxInstances: fields.max_instances,
    maxSamplesPerInstance: fields.max_samples_per_instance,
  });
}

function ownershipOf(draft: PolicyDraft): QosPolicies['ownership'] {
  if (!draft.ownership && draft.ownership_strength?.value === undefined) return undefined;
  return defined({
    kind: draft.ownership?.kind ?? 'shared',
    strength: draft.ownership_strength?.value,
  });
}

function map<A, B>(value: A | undefined, transform: (value: A) => B): B | undefined {
  return value === undefined ? undefined : transform(value);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined members. */
function defined<T extends object>(object: T): Defined<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
