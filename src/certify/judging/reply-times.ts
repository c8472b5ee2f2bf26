import type { View } from './view.js';

/** How long after the start signals the answers for one vehicle came, ns. */
export interface ReplyTimes {
  readonly vehicleId: number;
  readonly count: number;
  readonly p50Ns: bigint;
  readonly p90Ns: bigint;
  readonly p99Ns: bigint;
  readonly maxNs: bigint;
}

/** The reply times of every vehicle that has any, in the steady periods of real time. */
export function replyTimesOf(view: View): ReplyTimes[] {
  const periods = view.periods.filter(({ phase, disturbed }) => phase === 'steady' && !disturbed);
  return view.vehicleIds.flatMap((vehicleId) => {
    const times = periods
      .flatMap((period) => {
        const reply = view.replyTo(period, vehicleId);
        return reply === undefined ? [] : [reply.atNs - period.sentAtNs];
      })
      .sort((a, b) => Number(a - b));
    const quantile = (part: number) =>
      times[Math.min(times.length - 1, Math.ceil(part * times.length) - 1)] ?? 0n;
    if (times.length === 0) return [];
    return [
      {
        vehicleId,
        count: times.length,
        p50Ns: quantile(0.5),
        p90Ns: quantile(0.9),
        p99Ns: quantile(0.99),
        maxNs: quantile(1),
      },
    ];
  });
}
