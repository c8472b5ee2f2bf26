import { nsPerMs, printable } from '../../core/index.js';
import { RemoteAgentKind, topics, type RemoteAgent } from '../../messages/index.js';
import { mostRemoteAgents, type RemoteAgentStatus } from '../../remote/index.js';
import { readTopic, type Side, type TopicErrors } from '../../sides/index.js';

/** A gateway repeats its list every 200 ms; one that is silent for this time is gone. */
const silentNs = 2000n * nsPerMs;

/** Gateways at the same time. */
const mostSources = 16;

/** Names of parts and files are words of a format, as `chassis_vis_file`. */
const namePattern = /^[a-z_]{1,32}$/;

const kinds = new Map<RemoteAgentKind, RemoteAgentStatus['kind']>([
  [RemoteAgentKind.Wheeled, 'wheeled'],
  [RemoteAgentKind.Tracked, 'tracked'],
  [RemoteAgentKind.Copter, 'copter'],
]);

interface ReceivedList {
  readonly agents: readonly RemoteAgentStatus[];
  readonly atNs: bigint;
}

/**
 * The vehicles of other simulations, from the lists of gateways on the lab side. No rule depends on
 * them: they are for the status and for the readers of the tap.
 */
export class RemoteAgents {
  readonly #lists = new Map<string, ReceivedList>();
  readonly #nowNs: () => bigint;

  /**
   * @param nowNs Monotonic clock, ns.
   * @param onChanged A list came.
   * @throws HlcError `HLC_DDS_ENTITY`.
   */
  constructor(lab: Side, nowNs: () => bigint, errors: TopicErrors, onChanged: () => void) {
    this.#nowNs = nowNs;
    readTopic(
      lab,
      topics.remoteAgentList,
      ({ source_id: id, agents }) => {
        const source = printable(id);
        this.#forgetSilent();
        const isNew = !this.#lists.has(source);
        if (isNew && (agents.length === 0 || this.#lists.size === mostSources)) return;
        if (agents.length === 0) this.#lists.delete(source);
        else {
          const shown = agents.map((agent) => statusOf(source, agent));
          this.#lists.set(source, { agents: shown, atNs: this.#nowNs() });
        }
        onChanged();
      },
      errors,
    );
  }

  /** Those that take part now; the first 128. */
  get all(): readonly RemoteAgentStatus[] {
    this.#forgetSilent();
    return [...this.#lists.values()].flatMap(({ agents }) => agents).slice(0, mostRemoteAgents);
  }

  #forgetSilent(): void {
    const oldestNs = this.#nowNs() - silentNs;
    for (const [source, { atNs }] of this.#lists) {
      if (atNs < oldestNs) this.#lists.delete(source);
    }
  }
}

function statusOf(source: string, agent: RemoteAgent): RemoteAgentStatus {
  const { pose, speed } = agent;
  const state = { x: pose.x, y: pose.y, yaw: pose.yaw, speed };
  const hasState = agent.has_state && Object.values(state).every(Number.isFinite);
  return {
    source,
    node: agent.node,
    agent: agent.agent,
    kind: kinds.get(agent.kind) ?? 'wheeled',
    vehicle_id: agent.is_vehicle ? agent.vehicle_id : null,
    parts: named(agent.parts.map(({ name, count }) => [name, count])),
    files: named(agent.files.map(({ name, path }) => [name, printable(path)])),
    state: hasState ? state : null,
  };
}

function named<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.filter(([name]) => namePattern.test(name)));
}
