import type { DiscoveredQos } from '../ports/index.js';
import { partitionsMeet } from './partitions.js';

/** A policy for whose sake a reader and a writer do not exchange samples. */
export interface QosMismatch {
  /** As in OMG DDS 1.4, section 2.2.3. */
  readonly policy: string;
  /** Number of the policy (OMG DDS 1.4, section 2.3.3, `QosPolicyId_t`). */
  readonly policyId: number;
  /** What the reader asks for, in words. */
  readonly requested: string;
  /** What the writer offers, in words. */
  readonly offered: string;
}

interface Rule {
  readonly policy: string;
  readonly policyId: number;
  /** The value of a policy in words. */
  readonly describe: (qos: Required<DiscoveredQos>) => string;
  /** Whether a writer that offers the second satisfies a reader that asks for the first. */
  readonly fits: (requested: Required<DiscoveredQos>, offered: Required<DiscoveredQos>) => boolean;
}

const durabilities = ['volatile', 'transient-local', 'transient', 'persistent'];
const livelinesses = ['automatic', 'manual-by-participant', 'manual-by-topic'];
const orders = ['by-reception-timestamp', 'by-source-timestamp'];
const scopes = ['instance', 'topic', 'group'];
const representations = ['XCDR1', 'XML', 'XCDR2'];

/** Weakest first. */
function atLeast(order: readonly string[], requested: string, offered: string): boolean {
  return order.indexOf(offered) >= order.indexOf(requested);
}

/** A time that may be infinite. */
function atMost(requested: bigint | null, offered: bigint | null): boolean {
  return requested === null || (offered !== null && offered <= requested);
}

/**
 * Requested against offered (OMG DDS 1.4, section 2.2.3, column RxO; DDS-XTypes 1.3, section
 * 7.6.3.1; PARTITION, section 2.2.3.13), in the order in which Cyclone DDS 0.10 looks at them.
 */
const rules: readonly Rule[] = [
  {
    policy: 'RELIABILITY',
    policyId: 11,
    describe: ({ reliability }) => reliability.kind,
    fits: (requested, offered) =>
      atLeast(['best-effort', 'reliable'], requested.reliability.kind, offered.reliability.kind),
  },
  {
    policy: 'DURABILITY',
    policyId: 2,
    describe: ({ durability }) => durability.kind,
    fits: (requested, offered) =>
      atLeast(durabilities, requested.durability.kind, offered.durability.kind),
  },
  {
    policy: 'PRESENTATION',
    policyId: 3,
    describe: ({ presentation: { accessScope, coherentAccess, orderedAccess } }) =>
      `${accessScope}${coherentAccess ? ', coherent' : ''}${orderedAccess ? ', ordered' : ''}`,
    fits: ({ presentation: requested }, { presentation: offered }) =>
      atLeast(scopes, requested.accessScope, offered.accessScope) &&
      (offered.coherentAccess || !requested.coherentAccess) &&
      (offered.orderedAccess || !requested.orderedAccess),
  },
  {
    policy: 'DEADLINE',
    policyId: 4,
    describe: ({ deadline }) => duration(deadline.periodNs),
    fits: (requested, offered) => atMost(requested.deadline.periodNs, offered.deadline.periodNs),
  },
  {
    policy: 'LATENCY_BUDGET',
    policyId: 5,
    describe: ({ latencyBudget }) => duration(latencyBudget.durationNs),
    fits: (requested, offered) =>
      atMost(requested.latencyBudget.durationNs, offered.latencyBudget.durationNs),
  },
  {
    policy: 'OWNERSHIP',
    policyId: 6,
    describe: ({ ownership }) => ownership.kind,
    fits: (requested, offered) => requested.ownership.kind === offered.ownership.kind,
  },
  {
    policy: 'LIVELINESS',
    policyId: 8,
    describe: ({ liveliness }) =>
      `${liveliness.kind}, lease ${duration(liveliness.leaseDurationNs ?? null)}`,
    fits: ({ liveliness: requested }, { liveliness: offered }) =>
      atLeast(livelinesses, requested.kind, offered.kind) &&
      atMost(requested.leaseDurationNs ?? null, offered.leaseDurationNs ?? null),
  },
  {
    policy: 'DESTINATION_ORDER',
    policyId: 12,
    describe: ({ destinationOrder }) => destinationOrder.kind,
    fits: (requested, offered) =>
      atLeast(orders, requested.destinationOrder.kind, offered.destinationOrder.kind),
  },
  {
    policy: 'PARTITION',
    policyId: 10,
    describe: ({ partition }) =>
      partition.names.length === 0 ? 'none' : partition.names.map((name) => `"${name}"`).join(', '),
    fits: (requested, offered) =>
      partitionsMeet(requested.partition.names, offered.partition.names),
  },
  {
    policy: 'DATA_REPRESENTATION',
    policyId: 23,
    describe: ({ dataRepresentation }) =>
      dataRepresentation.map((id) => representations[id] ?? `representation ${id}`).join(', '),
    fits: (requested, offered) =>
      requested.dataRepresentation.includes(offered.dataRepresentation[0] ?? 0),
  },
];

/**
 * Every policy for whose sake this reader and this writer do not exchange samples; none when they
 * fit each other. Policies that are left out have the default of the DDS specification.
 */
export function findQosMismatches(reader: DiscoveredQos, writer: DiscoveredQos): QosMismatch[] {
  const requested = { ...defaults('best-effort'), ...reader };
  const offered = { ...defaults('reliable'), ...writer };
  return rules.flatMap(({ policy, policyId, describe, fits }) =>
    fits(requested, offered)
      ? []
      : [{ policy, policyId, requested: describe(requested), offered: describe(offered) }],
  );
}

function defaults(reliability: 'best-effort' | 'reliable'): Required<DiscoveredQos> {
  return {
    reliability: { kind: reliability },
    durability: { kind: 'volatile' },
    presentation: { accessScope: 'instance', coherentAccess: false, orderedAccess: false },
    deadline: { periodNs: null },
    latencyBudget: { durationNs: 0n },
    ownership: { kind: 'shared' },
    liveliness: { kind: 'automatic', leaseDurationNs: null },
    destinationOrder: { kind: 'by-reception-timestamp' },
    partition: { names: [] },
    dataRepresentation: [0],
  };
}

function duration(ns: bigint | null): string {
  return ns === null ? 'infinite' : `${Number(ns) / 1e6} ms`;
}
