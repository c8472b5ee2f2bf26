import type { AgentPose } from '../protocol/payloads.js';
import type { AgentIds } from './agent-ids.js';

/** An agent without a pose in this many windows is reported. */
const watchedWindows = 3;
/** The most ids that a message names. */
const mostNamed = 10;

/** Warns once about agents that are no vehicles, and once about vehicles without an agent. */
export class AgentCheck {
  readonly #missing: Set<number>;
  #windows = 0;
  #warnedOfOthers = false;

  constructor(
    private readonly ids: AgentIds,
    private readonly log: (text: string) => void,
  ) {
    this.#missing = new Set(ids.vehicleIds);
  }

  /** Takes the poses of a window. */
  window(poses: readonly Pick<AgentPose, 'agentId'>[]): void {
    if (!this.#warnedOfOthers) this.#warnOfOthers(poses);
    if (this.#windows >= watchedWindows) return;
    for (const { agentId } of poses) {
      const vehicleId = this.ids.vehicleOf(agentId);
      if (vehicleId !== undefined) this.#missing.delete(vehicleId);
    }
    this.#windows++;
    if (this.#windows === watchedWindows && this.#missing.size > 0) this.#warnOfMissing();
  }

  #warnOfOthers(poses: readonly Pick<AgentPose, 'agentId'>[]): void {
    const others = poses.filter(({ agentId }) => this.ids.vehicleOf(agentId) === undefined);
    if (others.length === 0) return;
    this.#warnedOfOthers = true;
    const names = listed(others.map(({ agentId }) => agentId));
    this.log(
      `agents of the physics side without a vehicle in --ids: ${names}; they are not in the lab`,
    );
  }

  #warnOfMissing(): void {
    const pairs = [...this.#missing].map((id) => `${this.ids.agentOf(id)}:${id}`);
    this.log(
      `pairs of --ids without a pose from the physics side in ${watchedWindows} windows: ${listed(pairs)}; these vehicles have no state`,
    );
  }
}

function listed(all: readonly (number | string)[]): string {
  const named = all.slice(0, mostNamed).join(', ');
  return all.length > mostNamed ? `${named} and ${all.length - mostNamed} more` : named;
}
