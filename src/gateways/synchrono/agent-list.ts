import { printable } from '../../core/index.js';
import { RemoteAgentKind, topics, type RemoteAgentList } from '../../messages/index.js';
import {
  remoteAgentQos,
  writeTopic,
  type TopicErrors,
  type TopicWriter,
} from '../../sides/index.js';
import type { Transport } from '../../ports/index.js';
import type { VehicleKind } from './protocol/schema.js';
import type { RemoteAgent } from './remote-agents.js';

/** As in `idl/RemoteAgentList.idl`. */
const mostAgents = 128;
const repeatMs = 200;

const kinds: Readonly<Record<VehicleKind, RemoteAgentKind>> = {
  wheeled: RemoteAgentKind.Wheeled,
  tracked: RemoteAgentKind.Tracked,
  copter: RemoteAgentKind.Copter,
};

/** What {@link AgentList} needs. */
export interface AgentListOptions {
  /** The lab side. */
  readonly transport: Transport;
  /** Name of the gateway. */
  readonly sourceId: string;
  /** The vehicle id of an agent, if it is a vehicle of the lab. */
  readonly vehicleOf: (agent: RemoteAgent) => number | undefined;
  readonly errors: TopicErrors;
  /** Takes sentences for the user. */
  readonly log: (text: string) => void;
}

/**
 * The agents of other nodes for the status of middlewares and for observers. The list is written five
 * times per second while there are agents, with their newest states, and once without any.
 */
export class AgentList {
  readonly #options: AgentListOptions;
  readonly #agents = new Set<RemoteAgent>();
  readonly #writer: TopicWriter<RemoteAgentList>;
  readonly #repeat: NodeJS.Timeout;
  #isShown = false;
  #hasWarned = false;

  /** @throws HlcError `HLC_DDS_ENTITY`. */
  constructor(options: AgentListOptions) {
    this.#options = options;
    const side = { transport: options.transport, qos: remoteAgentQos };
    this.#writer = writeTopic(side, topics.remoteAgentList, options.errors);
    this.#repeat = setInterval(() => this.#write(), repeatMs);
  }

  add(agent: RemoteAgent): void {
    this.#agents.add(agent);
    if (this.#agents.size <= mostAgents || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.log(`the status of the lab shows the first ${mostAgents} agents only`);
  }

  remove(agent: RemoteAgent): void {
    this.#agents.delete(agent);
  }

  /** No agent takes part any more. */
  close(): void {
    clearInterval(this.#repeat);
    this.#agents.clear();
    this.#write();
  }

  #write(): void {
    if (this.#agents.size === 0 && !this.#isShown) return;
    this.#isShown = this.#agents.size > 0;
    const { sourceId, vehicleOf } = this.#options;
    const agents = [...this.#agents].sort(byNodeAndAgent).slice(0, mostAgents);
    this.#writer.write({
      source_id: sourceId,
      agents: agents.map((agent) => shownAgent(agent, vehicleOf(agent))),
    });
  }
}

/** Descriptions come in any order. */
function byNodeAndAgent(a: RemoteAgent, b: RemoteAgent): number {
  const [first, second] = [a.description.key, b.description.key];
  return first.node - second.node || first.agent - second.agent;
}

const unknownMotion = { pose: { x: 0, y: 0, yaw: 0 }, speed: 0 };

/** An agent as it is on the wire. */
function shownAgent(
  { description, state }: RemoteAgent,
  vehicleId: number | undefined,
): RemoteAgentList['agents'][number] {
  const { key, kind, json, files, parts } = description;
  const paths = Object.entries({ json, ...files }).filter(([, path]) => path !== '');
  const { pose, speed } = state ?? unknownMotion;
  return {
    node: key.node,
    agent: key.agent,
    kind: kinds[kind],
    is_vehicle: vehicleId !== undefined,
    vehicle_id: vehicleId ?? 0,
    parts: Object.entries(parts).map(([name, count]) => ({ name, count })),
    files: paths.map(([name, path]) => ({ name, path: printable(path) })),
    has_state: state !== undefined,
    pose,
    speed,
  };
}
