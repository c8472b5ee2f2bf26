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

/** The agents of the other nodes. */
export class RemoteAgents {
  readonly #agents = new Map<string, RemoteAgent>();

  /**
   * Adds the agents that a node describes.
   * @throws Refusal when one of them is of another node, or one of too many; none is added then.
   */
  describe(node: number, descriptions: readonly AgentDescription[]): RemoteAgent[] {
    checkNode(node, descriptions);
    if (this.#agents.size + descriptions.length > mostAgents) {
      throw new Refusal(`there are more than ${mostAgents} agents`);
    }
    return descriptions.map((description) => {
      const agent: RemoteAgent = { description, state: undefined, distance: 0 };
      this.#agents.set(keyText(description.key), agent);
      return agent;
    });
  }

  /**
   * Checks the states of a node.
   * @throws Refusal when one of them is of an agent that is not described, or does not fit its
   *   description.
   */
  check(node: number, states: readonly AgentState[]): void {
    checkNode(node, states);
    for (const { key, kind, parts } of states) {
      const described = this.#agents.get(keyText(key))?.description;
      if (described?.kind !== kind) {
        throw new Refusal(`agent ${keyText(key)} is not described as ${kind}`);
      }
      for (const [name, count] of Object.entries(parts)) {
        if (count > (described.parts[name] ?? 0)) {
          throw new Refusal(`agent ${keyText(key)} has more ${name} than it describes`);
        }
      }
    }
  }

  /** Applies states that were checked. @returns their agents. */
  apply(states: readonly AgentState[]): RemoteAgent[] {
    return states.flatMap((state) => {
      const agent = this.#agents.get(keyText(state.key));
      if (agent === undefined) return [];
      const from = agent.state?.pose ?? state.pose;
      agent.distance += Math.hypot(state.pose.x - from.x, state.pose.y - from.y);
      agent.state = state;
      return [agent];
    });
  }

  /** Removes the agents of a node, and returns them. */
  remove(node: number): RemoteAgent[] {
    const gone: RemoteAgent[] = [];
    for (const [text, agent] of this.#agents) {
      if (agent.description.key.node !== node) continue;
      gone.push(agent);
      this.#agents.delete(text);
    }
    return gone;
  }

  get size(): number {
    return this.#agents.size;
  }
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
