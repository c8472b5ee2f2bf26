import {
  commandKinds,
  earlier,
  latestNs,
  type MiddlewareReport,
  type ReportedVehicle,
} from '../core/index.js';
import {
  MiddlewarePhase,
  type CommandedVehicle,
  type MiddlewareStatus,
  type TimeStamp,
} from '../messages/index.js';

/** `CommandedVehicle.obeyed_until` of commands that a vehicle obeys until the next one. */
const withoutEnd = 0xffff_ffff_ffff_ffffn;

const phases = {
  waiting: MiddlewarePhase.Waiting,
  running: MiddlewarePhase.Running,
  stopping: MiddlewarePhase.Stopping,
  ended: MiddlewarePhase.Ended,
} as const satisfies Record<MiddlewareReport['phase'], MiddlewarePhase>;

/** The status of a middleware as it is on the wire; `stamp` is for the writer. */
export function middlewareStatusOf(report: MiddlewareReport): MiddlewareStatus {
  return {
    epoch: report.epoch,
    stamp: { nanoseconds: 0n },
    source_id: report.sourceId,
    t_now: report.tNowNs,
    period: report.periodNs,
    simulated_time: report.simulatedTime,
    phase: phases[report.phase],
    vehicles: report.vehicles.map(commandedVehicleOf),
    taken_over: report.takenOver.map(({ id, ...stop }) => ({ vehicle_id: id, ...stop })),
  };
}

/** What a status on the wire says. */
export function middlewareReportOf(status: MiddlewareStatus): MiddlewareReport {
  const phase = Object.entries(phases).find(([, number]) => number === status.phase)?.[0];
  return {
    epoch: status.epoch,
    sourceId: status.source_id,
    tNowNs: status.t_now,
    periodNs: status.period,
    simulatedTime: status.simulated_time,
    phase: (phase ?? 'running') as MiddlewareReport['phase'],
    vehicles: status.vehicles.map(reportedVehicleOf),
    takenOver: status.taken_over.map(({ vehicle_id: id, ...stop }) => ({ id, ...stop })),
  };
}

/** What was sent to a vehicle, as it is on the wire. */
export function commandedVehicleOf(vehicle: ReportedVehicle): CommandedVehicle {
  const { newestCreateNs, newestValidNs, obeyedUntilNs } = vehicle;
  const isCommanded = vehicle.kinds.length > 0;
  const stamp = (ns: bigint) => ({ nanoseconds: isCommanded ? ns : 0n });
  return {
    vehicle_id: vehicle.id,
    kinds: vehicle.kinds.reduce((sum, kind) => sum | (1 << commandKinds.indexOf(kind)), 0),
    create_stamp: stamp(newestCreateNs),
    valid_after_stamp: stamp(newestValidNs),
    obeyed_until: stamp(obeyedUntilNs ?? withoutEnd),
  };
}

/** No command with a later stamp is obeyed, and none could outrank it. */
function usable({ nanoseconds }: TimeStamp): bigint {
  return earlier(nanoseconds, latestNs);
}

/** What the wire says of a vehicle. */
export function reportedVehicleOf(vehicle: CommandedVehicle): ReportedVehicle {
  const isCommanded = vehicle.kinds !== 0;
  const { nanoseconds: untilNs } = vehicle.obeyed_until;
  return {
    id: vehicle.vehicle_id,
    kinds: commandKinds.filter((_, bit) => (vehicle.kinds & (1 << bit)) !== 0),
    newestCreateNs: isCommanded ? usable(vehicle.create_stamp) : -1n,
    newestValidNs: isCommanded ? usable(vehicle.valid_after_stamp) : -1n,
    obeyedUntilNs: untilNs === withoutEnd ? null : untilNs,
  };
}
