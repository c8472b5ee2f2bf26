/** Which vehicle each agent of DANCERS is, one to one. */
export class AgentIds {
  readonly #vehicleOf: ReadonlyMap<number, number>;
  readonly #agentOf: ReadonlyMap<number, number>;

  /** @param pairs [agent id, vehicle id]; no id stands in two pairs. */
  constructor(pairs: readonly (readonly [agentId: number, vehicleId: number])[]) {
    this.#vehicleOf = new Map(pairs);
    this.#agentOf = new Map(pairs.map(([agentId, vehicleId]) => [vehicleId, agentId]));
  }

  get vehicleIds(): number[] {
    return [...this.#vehicleOf.values()];
  }

  /** Undefined for an agent that is no vehicle of the lab. */
  vehicleOf(agentId: number): number | undefined {
    return this.#vehicleOf.get(agentId);
  }

  /** Undefined for a vehicle that is no agent. */
  agentOf(vehicleId: number): number | undefined {
    return this.#agentOf.get(vehicleId);
  }
}
