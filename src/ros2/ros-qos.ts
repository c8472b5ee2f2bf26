import type { HistoryQos, QosPolicies } from '../ports/index.js';
import type { Rclnodejs, RosQos } from './rclnodejs-api.js';

/** Values of `rmw_qos_…_policy_t` (rmw/types.h). */
export const keepLast = 1;
const keepAll = 2;
export const reliable = 1;
const bestEffort = 2;
export const transientLocal = 1;
export const volatile = 2;

/**
 * Samples that a writer keeps where all were asked for. A writer of an rmw that keeps all of them
 * waits without bound for a slow reader, and would hold up the periods.
 */
const mostKept = 10_000;

/**
 * The QoS of a publisher or a subscription, as far as rclnodejs can say it. Policies that only give
 * hints or bounds (latency budget, transport priority, resource limits, blocking times, user data)
 * are left to the rmw.
 * @throws RangeError that names the policy that cannot be had.
 */
export function rosQos(
  { QoS }: Pick<Rclnodejs, 'QoS'>,
  kind: 'writer' | 'reader',
  qos: QosPolicies,
): RosQos {
  refuseUnavailable(qos);
  const [history, depth] = historyOf(kind, qos);
  return new QoS(
    history,
    depth,
    isReliable(kind, qos) ? reliable : bestEffort,
    qos.durability?.kind === 'transient-local' ? transientLocal : volatile,
  );
}

/** Default of DDS: a writer is reliable, a reader best effort. */
function isReliable(kind: 'writer' | 'reader', { reliability }: QosPolicies): boolean {
  return (reliability?.kind ?? (kind === 'writer' ? 'reliable' : 'best-effort')) === 'reliable';
}

function historyOf(kind: 'writer' | 'reader', qos: QosPolicies): readonly [number, number] {
  const { history = { kind: 'keep-last' } satisfies HistoryQos, durabilityService } = qos;
  if (history.kind === 'keep-all') return kind === 'reader' ? [keepAll, 0] : [keepLast, mostKept];
  // The rmw has one history for matched and for late readers.
  const late = qos.durability?.kind === 'transient-local' ? durabilityService?.history : undefined;
  const forLate = late?.kind === 'keep-all' ? mostKept : (late?.depth ?? 1);
  return [keepLast, Math.max(history.depth ?? 1, forLate)];
}

const unavailable: readonly (readonly [string, (qos: QosPolicies) => boolean])[] = [
  ['deadline', ({ deadline }) => (deadline?.periodNs ?? null) !== null],
  ['lifespan', ({ lifespan }) => (lifespan?.durationNs ?? null) !== null],
  [
    'liveliness',
    ({ liveliness }) =>
      liveliness !== undefined &&
      (liveliness.kind !== 'automatic' || (liveliness.leaseDurationNs ?? null) !== null),
  ],
  ['durability', ({ durability }) => ['transient', 'persistent'].includes(durability?.kind ?? '')],
  ['destination order', ({ destinationOrder }) => destinationOrder?.kind === 'by-source-timestamp'],
  ['ownership', ({ ownership }) => ownership?.kind === 'exclusive'],
  ['time-based filter', ({ timeBasedFilter }) => (timeBasedFilter?.minimumSeparationNs ?? 0n) > 0n],
  ['partition', ({ partition }) => partition?.names.some((name) => name !== '') ?? false],
  [
    'presentation',
    ({ presentation }) =>
      presentation !== undefined && (presentation.coherentAccess || presentation.orderedAccess),
  ],
];

function refuseUnavailable(qos: QosPolicies): void {
  const found = unavailable.find(([, asksFor]) => asksFor(qos));
  if (found !== undefined) {
    throw new RangeError(`the transport ros2 has no ${found[0]} of the kind that is asked for`);
  }
}

/** `rmw_qos_policy_kind_t` (rmw/types.h), by the names of OMG DDS 1.4. */
const policyNames = new Map([
  [1 << 1, 'DURABILITY'],
  [1 << 2, 'DEADLINE'],
  [1 << 3, 'LIVELINESS'],
  [1 << 4, 'RELIABILITY'],
  [1 << 5, 'HISTORY'],
  [1 << 6, 'LIFESPAN'],
  [1 << 7, 'DEPTH'],
  [1 << 8, 'LIVELINESS'],
]);

/** Name of the policy that did not fit. */
export function policyName(kind: number): string {
  return policyNames.get(kind) ?? 'unknown policy';
}
