/**
 * Names of the QoS policies by the ids that Cyclone DDS uses in incompatible-QoS statuses
 * (`dds_qos_policy_id_t`), spelled as in OMG DDS 1.4, section 2.2.3.
 */
const names = [
  'INVALID',
  'USER_DATA',
  'DURABILITY',
  'PRESENTATION',
  'DEADLINE',
  'LATENCY_BUDGET',
  'OWNERSHIP',
  'OWNERSHIP_STRENGTH',
  'LIVELINESS',
  'TIME_BASED_FILTER',
  'PARTITION',
  'RELIABILITY',
  'DESTINATION_ORDER',
  'HISTORY',
  'RESOURCE_LIMITS',
  'ENTITY_FACTORY',
  'WRITER_DATA_LIFECYCLE',
  'READER_DATA_LIFECYCLE',
  'TOPIC_DATA',
  'GROUP_DATA',
  'TRANSPORT_PRIORITY',
  'LIFESPAN',
  'DURABILITY_SERVICE',
  'PROPERTY',
  'TYPE_CONSISTENCY_ENFORCEMENT',
  'DATA_REPRESENTATION',
] as const;

/** Name of the policy, or `POLICY_<id>` for one that this table does not know. */
export function policyName(id: number): string {
  return names[id] ?? `POLICY_${id}`;
}
