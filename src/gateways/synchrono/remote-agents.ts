import { printable } from '../../core/index.js';
import { Refusal } from '../refusal.js';
import type { AgentDescription, AgentState } from './protocol/decode-buffer.js';
import { keyText } from './protocol/schema.js';

const mostAgents = 1024;

/** An agent of another node as its description and its newest state show it (SynChrono: a zombie). */
export interface RemoteAgent {
  readonly description: AgentDescription;
  /** Undefined before the first state. */
  state: AgentState | undefined;
  /** Metres since the first state. */
  distance: number;
}

/** A state that fits the description of its agent. */
export interface AgentNews {
  readonly agent: RemoteAgent;
  readonly state: AgentState;
}

/** The agents of the other nodes. */
export class RemoteAgents {
  /** By node, and by number. */
  readonly #nodes = new Map<number, Map<number, RemoteAgent>>();

  /**
   * Adds the agents that a node describes.
   * @throws Refusal when one of them is of another node, or one of too many; none is added then.
   */
  describe(node: number, descriptions: readonly AgentDescription[]): RemoteAgent[] {
    checkNode(node, descriptions);
    if (this.size + descriptions.length > mostAgents) {
      throw new Refusal(`there are more than ${mostAgents} agents`);
    }
    const agents = this.#nodes.get(node) ?? new Map<number, RemoteAgent>();
    this.#nodes.set(node, agents);
    return descriptions.map((description) => {
      const agent: RemoteAgent = { description, state: undefined, distance: 0 };
      agents.set(description.key.agent, agent);
      return agent;
    });
  }

  /**
   * Finds the agents of states of a node.
   * @throws Refusal when one of the states is of an agent that is not described, or does not fit its
   *   description.
   */
  find(node: number, states: readonly AgentState[]): AgentNews[] {
    checkNode(node, states);
    const agents = this.#nodes.get(node);
    return states.map((state) => {
      const { key, kind, parts } = state;
      const agent = agents?.get(key.agent);
      if (agent?.description.kind !== kind) {
        throw new Refusal(`agent ${keyText(key)} is not described as ${kind}`);
      }
      for (const name in parts) {
        if ((parts[name] ?? 0) > (agent.description.parts[name] ?? 0)) {
          throw new Refusal(`agent ${keyText(key)} has more ${name} than it describes`);
        }
      }
      return { agent, state };
    });
  }

  /** Removes the agents of a node, and returns them. */
  remove(node: number): RemoteAgent[] {
    const gone = [...(this.#nodes.get(node)?.values() ?? [])];
    this.#nodes.delete(node);
    return gone;
  }

  get size(): number {
    return [...this.#nodes.values()].reduce((sum, agents) => sum + agents.size, 0);
  }
}

/** Moves an agent to its new state. @returns the agent. */
export function moved({ agent, state }: AgentNews): RemoteAgent {
  const from = agent.state?.pose ?? state.pose;
  agent.distance += Math.hypot(state.pose.x - from.x, state.pose.y - from.y);
  agent.state = state;
  return agent;
}

function checkNode(node: number, items: readonly (AgentDescription | AgentState)[]): void {
  const other = items.find(({ key }) => key.node !== node);
  if (other !== undefined) throw new Refusal(`it has agent ${keyText(other.key)} of another node`);
}

/** What an agent is made of, as a sentence. @param vehicleId Its vehicle in the lab, if any. */
export function describeAgent(
  { description }: Pick<RemoteAgent, 'description'>,
  vehicleId: number | undefined,
): string {
  const { key, kind, json, files, parts } = description;
  const counts = Object.entries(parts).map(([name, count]) => `${count} ${name}`);
  const meshes = [...new Set([json, ...Object.values(files)])].filter((file) => file !== '');
  const of = [...counts, ...meshes.map((file) => printable(file))].join(', ');
  const place = vehicleId === undefined ? 'has no vehicle id in --map' : `is vehicle ${vehicleId}`;
  return `agent ${keyText(key)} (${kind}: ${of}) ${place}`;
}
