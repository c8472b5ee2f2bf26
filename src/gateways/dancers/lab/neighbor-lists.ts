import { nsPerUs } from '../../../core/index.js';
import { NeighborRole, type NeighborList } from '../../../messages/index.js';
import type { AgentNeighbors, Role } from '../protocol/payloads.js';
import type { AgentIds } from './agent-ids.js';

/** As in `idl/NeighborList.idl`. */
const mostNeighbors = 256;

const roles: Readonly<Record<Role, NeighborRole>> = {
  undefined: NeighborRole.Undefined,
  mission: NeighborRole.Mission,
  potential: NeighborRole.Potential,
  idle: NeighborRole.Idle,
};

/**
 * The samples of topic `neighborList` for what a network side reports: one for each vehicle, which is
 * empty for a vehicle that is not reported, since the sample of an earlier window would stay the newest.
 * Agents that are no vehicles are left out.
 * @param nowNs End of the window, ns of the simulated clock.
 */
export function neighborListsOf(
  agents: readonly AgentNeighbors[],
  ids: AgentIds,
  nowNs: bigint,
): NeighborList[] {
  const reported = new Map(agents.map((agent) => [ids.vehicleOf(agent.agentId), agent]));
  return ids.vehicleIds.map((vehicleId) => {
    const { role = 'undefined', neighbors = [] } = reported.get(vehicleId) ?? {};
    const known = neighbors.flatMap(({ agentId, role, linkQuality, ageUs }) => {
      const id = ids.vehicleOf(agentId);
      if (id === undefined) return [];
      const age = BigInt(ageUs) * nsPerUs;
      return [{ vehicle_id: id, role: roles[role], link_quality: linkQuality, age }];
    });
    return {
      vehicle_id: vehicleId,
      t_now: nowNs,
      role: roles[role],
      neighbors: known.slice(0, mostNeighbors),
    };
  });
}
