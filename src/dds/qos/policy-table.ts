import {
  integer,
  listOf,
  oneOf,
  readBoolean,
  readBytes,
  readDuration,
  readFiniteDuration,
  readLength,
  readString,
  type ValueReader,
} from './xml-values.js';

/** The entities of OMG DDS 1.4 that have QoS. */
export type EntityKind = 'participant' | 'publisher' | 'subscriber' | 'topic' | 'writer' | 'reader';

/** How one policy is written in XML. */
interface PolicySpec<F extends Readonly<Record<string, ValueReader<unknown>>>> {
  /** The entities that have this policy (OMG DDS 1.4 section 2.2.3, DDS-XTypes 1.3 section 7.6). */
  readonly on: readonly EntityKind[];
  /** Child element → how its value is read. */
  readonly fields: F;
  /** Children that only RTI Connext knows: reported, without effect. */
  readonly rtiFields: readonly string[];
}

function policy<F extends Readonly<Record<string, ValueReader<unknown>>>>(
  on: readonly EntityKind[],
  fields: F,
  rtiFields: readonly string[] = [],
): PolicySpec<F> {
  return { on, fields, rtiFields };
}

const endpoints = ['topic', 'writer', 'reader'] as const;
const sources = ['topic', 'writer'] as const;
const groups = ['publisher', 'subscriber'] as const;

const historyKind = oneOf({
  KEEP_LAST_HISTORY_QOS: 'keep-last',
  KEEP_ALL_HISTORY_QOS: 'keep-all',
} as const);
const representations = listOf(
  oneOf({
    XCDR1: 'xcdr1',
    XCDR2: 'xcdr2',
    XML: 'xml',
    XCDR_DATA_REPRESENTATION: 'xcdr1',
    XCDR2_DATA_REPRESENTATION: 'xcdr2',
    XML_DATA_REPRESENTATION: 'xml',
    AUTO_DATA_REPRESENTATION: 'auto',
  } as const),
);
const resourceLimits = {
  max_samples: readLength,
  max_instances: readLength,
  max_samples_per_instance: readLength,
};

/**
 * The policies of OMG DDS-XML 1.0 by the name of their element, with every value they may take.
 * What a policy means is in OMG DDS 1.4, section 2.2.3.
 */
export const policyTable = {
  reliability: policy(
    endpoints,
    {
      kind: oneOf({
        BEST_EFFORT_RELIABILITY_QOS: 'best-effort',
        RELIABLE_RELIABILITY_QOS: 'reliable',
      } as const),
      max_blocking_time: readDuration,
    },
    ['acknowledgment_kind', 'instance_state_consistency_kind', 'instance_state_recovery_kind'],
  ),
  durability: policy(
    endpoints,
    {
      kind: oneOf({
        VOLATILE_DURABILITY_QOS: 'volatile',
        TRANSIENT_LOCAL_DURABILITY_QOS: 'transient-local',
        TRANSIENT_DURABILITY_QOS: 'transient',
        PERSISTENT_DURABILITY_QOS: 'persistent',
      } as const),
    },
    ['direct_communication', 'writer_depth', 'storage_settings'],
  ),
  durability_service: policy(sources, {
    service_cleanup_delay: readDuration,
    history_kind: historyKind,
    history_depth: integer(1),
    ...resourceLimits,
  }),
  history: policy(endpoints, { kind: historyKind, depth: integer(1) }, ['refilter']),
  resource_limits: policy(endpoints, resourceLimits, [
    'initial_samples',
    'initial_instances',
    'instance_hash_buckets',
  ]),
  deadline: policy(endpoints, { period: readDuration }),
  latency_budget: policy(endpoints, { duration: readDuration }),
  lifespan: policy(sources, { duration: readDuration }),
  liveliness: policy(
    endpoints,
    {
      kind: oneOf({
        AUTOMATIC_LIVELINESS_QOS: 'automatic',
        MANUAL_BY_PARTICIPANT_LIVELINESS_QOS: 'manual-by-participant',
        MANUAL_BY_TOPIC_LIVELINESS_QOS: 'manual-by-topic',
      } as const),
      lease_duration: readDuration,
    },
    ['assertions_per_lease_duration'],
  ),
  destination_order: policy(
    endpoints,
    {
      kind: oneOf({
        BY_RECEPTION_TIMESTAMP_DESTINATIONORDER_QOS: 'by-reception-timestamp',
        BY_SOURCE_TIMESTAMP_DESTINATIONORDER_QOS: 'by-source-timestamp',
      } as const),
    },
    ['scope', 'source_timestamp_tolerance'],
  ),
  ownership: policy(endpoints, {
    kind: oneOf({ SHARED_OWNERSHIP_QOS: 'shared', EXCLUSIVE_OWNERSHIP_QOS: 'exclusive' } as const),
  }),
  ownership_strength: policy(['writer'], { value: integer(0) }),
  time_based_filter: policy(['reader'], { minimum_separation: readFiniteDuration }),
  partition: policy(groups, { name: listOf(readString) }),
  presentation: policy(
    groups,
    {
      access_scope: oneOf({
        INSTANCE_PRESENTATION_QOS: 'instance',
        TOPIC_PRESENTATION_QOS: 'topic',
        GROUP_PRESENTATION_QOS: 'group',
      } as const),
      coherent_access: readBoolean,
      ordered_access: readBoolean,
    },
    ['drop_incomplete_coherent_set'],
  ),
  transport_priority: policy(sources, { value: integer(-2147483648) }),
  user_data: policy(['participant', 'writer', 'reader'], { value: readBytes }),
  topic_data: policy(['topic'], { value: readBytes }),
  group_data: policy(groups, { value: readBytes }),
  writer_data_lifecycle: policy(['writer'], { autodispose_unregistered_instances: readBoolean }, [
    'autopurge_unregistered_instances_delay',
    'autopurge_disposed_instances_delay',
  ]),
  reader_data_lifecycle: policy(
    ['reader'],
    {
      autopurge_nowriter_samples_delay: readDuration,
      autopurge_disposed_samples_delay: readDuration,
    },
    ['autopurge_disposed_instances_delay', 'autopurge_nowriter_instances_delay'],
  ),
  entity_factory: policy(['participant', ...groups], { autoenable_created_entities: readBoolean }),
  data_representation: policy(endpoints, { value: representations, id: representations }, [
    'compression_settings',
  ]),
  type_consistency: policy(['reader'], {
    kind: oneOf({
      DISALLOW_TYPE_COERCION: 'disallow',
      ALLOW_TYPE_COERCION: 'allow',
      AUTO_TYPE_COERCION: 'auto',
    } as const),
    ignore_sequence_bounds: readBoolean,
    ignore_string_bounds: readBoolean,
    ignore_member_names: readBoolean,
    prevent_type_widening: readBoolean,
    force_type_validation: readBoolean,
    ignore_enum_literal_names: readBoolean,
  }),
} as const;
