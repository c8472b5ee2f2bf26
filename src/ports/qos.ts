/**
 * QoS values of DDS endpoints, named as in OMG DDS 1.4 section 2.2.3. Durations are nanoseconds;
 * `null` stands for infinite (durations) or unlimited (counts). An absent policy has the default
 * of the DDS specification for that kind of entity.
 */
export interface QosPolicies {
  readonly reliability?: {
    readonly kind: 'best-effort' | 'reliable';
    /** How long a reliable write may block, ns. */
    readonly maxBlockingTimeNs?: bigint | null;
  };
  readonly durability?: {
    readonly kind: 'volatile' | 'transient-local' | 'transient' | 'persistent';
  };
  readonly history?: HistoryQos;
  readonly durabilityService?: { readonly history: HistoryQos } & ResourceLimitsQos & {
      readonly serviceCleanupDelayNs?: bigint | null;
    };
  readonly resourceLimits?: ResourceLimitsQos;
  readonly deadline?: { readonly periodNs: bigint | null };
  readonly latencyBudget?: { readonly durationNs: bigint | null };
  readonly lifespan?: { readonly durationNs: bigint | null };
  readonly liveliness?: {
    readonly kind: 'automatic' | 'manual-by-participant' | 'manual-by-topic';
    readonly leaseDurationNs?: bigint | null;
  };
  readonly destinationOrder?: {
    readonly kind: 'by-reception-timestamp' | 'by-source-timestamp';
  };
  readonly ownership?: { readonly kind: 'shared' | 'exclusive'; readonly strength?: number };
  readonly timeBasedFilter?: { readonly minimumSeparationNs: bigint };
  readonly partition?: { readonly names: readonly string[] };
  readonly presentation?: {
    readonly accessScope: 'instance' | 'topic' | 'group';
    readonly coherentAccess: boolean;
    readonly orderedAccess: boolean;
  };
  readonly transportPriority?: { readonly value: number };
  readonly userData?: Uint8Array;
  readonly topicData?: Uint8Array;
  readonly groupData?: Uint8Array;
  readonly writerDataLifecycle?: { readonly autodisposeUnregisteredInstances: boolean };
  readonly readerDataLifecycle?: {
    readonly autopurgeNowriterSamplesDelayNs: bigint | null;
    readonly autopurgeDisposedSamplesDelayNs: bigint | null;
  };
}

export interface HistoryQos {
  readonly kind: 'keep-last' | 'keep-all';
  /** Samples kept per instance; at least 1; only for keep-last. */
  readonly depth?: number;
}

export interface ResourceLimitsQos {
  readonly maxSamples?: number | null;
  readonly maxInstances?: number | null;
  readonly maxSamplesPerInstance?: number | null;
}
