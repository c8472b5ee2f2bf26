import { performance } from 'node:perf_hooks';

import { toS } from '../../core/index.js';
import { ExitCode } from '../../errors/index.js';
import type { DdsContext, DomainNetwork } from '../../dds/index.js';
import { createVehicles, reportedTopicErrors, type Vehicles } from '../../sides/index.js';
import { LimitedLog } from '../limited-log.js';
import { publishUnseen } from '../publish-unseen.js';
import { runGateway, type GatewayRun } from '../run-gateway.js';
import { AgentList } from './agent-list.js';
import { HeartbeatPace } from './heartbeat-pace.js';
import { LabAgents } from './lab-agents.js';
import { LabTime } from './lab-time.js';
import type { EndCause, MissingNodePolicy } from './node-follower.js';
import { BufferEncoder, type MeshFiles, type VehicleSize } from './protocol/encode-buffer.js';
import { keyText } from './protocol/schema.js';
import { describeAgent, type RemoteAgent } from './remote-agents.js';
import { SynchronoNode } from './synchrono-node.js';

/** Vehicles without a state are named this often, ms. */
const missingMs = 5000;

/** What {@link runSynchronoGateway} needs. */
export interface SynchronoGatewayRun extends Pick<GatewayRun, 'interruptExitCode' | 'log'> {
  /** Number of this node. */
  readonly node: number;
  /** How many other nodes take part. */
  readonly peers: number;
  /** Vehicles of the lab that are agents of this node. */
  readonly vehicleIds: readonly number[];
  /** Vehicle ids by the agents of other nodes, for example `2.1`; at least one, and different ids. */
  readonly map: ReadonlyMap<string, number>;
  readonly heartbeatNs: bigint;
  /** How long all nodes take to be discovered at most, before the policy applies, ns. */
  readonly joinTimeoutNs: bigint;
  /** How long time waits for a node before the policy applies, ns. */
  readonly timeoutNs: bigint;
  readonly policy: MissingNodePolicy;
  readonly files: MeshFiles;
  readonly size: VehicleSize;
  /** Angle of the front wheels at full steering input, radians. */
  readonly maxSteering: number;
  /** The domain of the nodes of SynChrono. */
  readonly nodeSide: DomainNetwork;
  readonly labSide: DomainNetwork;
  /** The heartbeats are at the times of the lab. */
  readonly simulatedTime: boolean;
}

/**
 * Takes part in a simulation of SynChrono until it ends, or SIGHUP, SIGINT or SIGTERM comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export function runSynchronoGateway(run: SynchronoGatewayRun): Promise<number> {
  return runGateway(run, async (dds) => {
    const gateway = new OpenGateway(run, dds);
    await gateway.open();
    return gateway;
  });
}

class OpenGateway {
  /** Settles when the simulation ends; rejects when this node cannot join it. */
  readonly ended: Promise<void>;
  readonly #run: SynchronoGatewayRun;
  readonly #dds: DdsContext;
  readonly #labTime: LabTime | undefined;
  readonly #pace: HeartbeatPace | undefined;
  #end: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  #exitCode: ExitCode = ExitCode.ok;
  #lab: LabAgents | undefined;
  #vehicles: Vehicles | undefined;
  #node: SynchronoNode | undefined;
  #shown: AgentList | undefined;
  #missing: NodeJS.Timeout | undefined;
  /** The agents of other nodes that were described, as in `map`. */
  readonly #described = new Set<string>();
  /** Agents of `map`. */
  readonly #vehicleIds = new Map<RemoteAgent, number>();

  constructor(run: SynchronoGatewayRun, dds: DdsContext) {
    this.#run = run;
    this.#dds = dds;
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    // It is awaited once all is open.
    this.ended.catch(() => undefined);
    const { heartbeatNs } = run;
    if (run.simulatedTime) {
      this.#labTime = new LabTime(heartbeatNs, {
        open: () => this.#join()?.open(),
        answer: (beat) => this.#answer(beat),
      });
    } else {
      this.#pace = new HeartbeatPace(dds.createPacer(), heartbeatNs, () => this.#node?.open());
    }
  }

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  get refused(): number {
    return this.#node?.refused ?? 0;
  }

  async open(): Promise<void> {
    const { labSide, map, node, vehicleIds, maxSteering, log } = this.#run;
    const transport = this.#dds.join(labSide);
    const ids = vehicleIds.join(', ');
    const faults = new LimitedLog(log, () => performance.now());
    const errors = reportedTopicErrors((error) => faults.fault(error));
    this.#shown = new AgentList({
      transport,
      sourceId: this.#sourceId,
      vehicleOf: (agent) => this.#vehicleIds.get(agent),
      errors,
      log,
    });
    this.#lab = new LabAgents({
      transport,
      vehicleIds,
      maxSteering,
      errors,
      // Other nodes wait for this one without limit, but not for its first state.
      onComplete: () => {
        clearInterval(this.#missing);
        if (this.#labTime === undefined) this.#join();
      },
    });
    if (this.#labTime === undefined) {
      this.#missing = setInterval(() => this.#nameMissing(), missingMs);
    }
    const begin = this.#labTime === undefined ? 'when all have sent a state' : 'at the first step';
    log(`the agents of node ${node} are the vehicles ${ids}; it joins ${begin}`);
    this.#vehicles = await createVehicles({
      ids: [...map.values()],
      transport,
      // Their node moves them.
      profile: { kinds: [] },
      onError: (error) => faults.fault(error),
      onStop: () => {
        if (this.#labTime !== undefined) this.#end();
      },
      ...(this.#labTime === undefined
        ? {}
        : { simulatedTime: this.#labTime.steps(this.#sourceId) }),
    });
  }

  get #sourceId(): string {
    return `synchrono_gateway_${this.#run.node}`;
  }

  #nameMissing(): void {
    const { labSide, log } = this.#run;
    const missing = this.#lab?.missing.join(', ');
    log(
      `no state of vehicle ${missing} has come on DDS domain ${labSide.domainId}; start it, or correct --vehicle-ids`,
    );
  }

  close(): Promise<void> {
    clearInterval(this.#missing);
    this.#node?.close();
    this.#shown?.close();
    const text = this.#node?.workText;
    if (text !== undefined) this.#run.log(text);
    this.#vehicles?.close();
    return Promise.resolve();
  }

  /** Undefined when it cannot join: then the gateway ends. */
  #join(): SynchronoNode | undefined {
    try {
      this.#node ??= this.#openNode();
    } catch (error) {
      this.#fail(error);
    }
    return this.#node;
  }

  #openNode(): SynchronoNode {
    const { node, peers, joinTimeoutNs, timeoutNs, policy, nodeSide, files, size, log } = this.#run;
    return new SynchronoNode({
      node,
      peers,
      joinTimeoutNs,
      timeoutNs,
      policy,
      dds: this.#dds,
      network: nodeSide,
      encoder: new BufferEncoder(node, files, size),
      agents: this.#lab?.numbers ?? [],
      log,
      onDescribed: (others) => {
        log(`the simulation of ${others + 1} nodes begins`);
        this.#nameUnused();
        this.#pace?.begin(this.#dds.clocks.monotonicNs());
      },
      onHeartbeat: (beat, agents) => this.#onHeartbeat(beat, agents),
      onAgentAdded: (agent) => {
        const key = keyText(agent.description.key);
        const vehicleId = this.#run.map.get(key);
        this.#described.add(key);
        if (vehicleId !== undefined) this.#vehicleIds.set(agent, vehicleId);
        this.#shown?.add(agent);
        log(describeAgent(agent, vehicleId));
      },
      onAgentGone: (agent) => {
        this.#shown?.remove(agent);
        this.#vehicleIds.delete(agent);
        log(`agent ${keyText(agent.description.key)} is gone`);
      },
      onEnd: (cause) => this.#onEnd(cause),
    });
  }

  /** Their vehicles send no states. */
  #nameUnused(): void {
    const unused = [...this.#run.map].filter(([agent]) => !this.#described.has(agent));
    if (unused.length === 0) return;
    const pairs = unused.map(([agent, vehicleId]) => `${agent}:${vehicleId}`).join(', ');
    this.#run.log(`no node has described these agents of --map: ${pairs}`);
  }

  #onHeartbeat(beat: number, agents: readonly RemoteAgent[]): void {
    for (const agent of agents) {
      const vehicleId = this.#vehicleIds.get(agent);
      const { state, distance } = agent;
      if (vehicleId === undefined || state === undefined || this.#vehicles === undefined) continue;
      const { pose, speed } = state;
      publishUnseen(this.#vehicles, { vehicleId, pose, speed, distance });
    }
    if (this.#labTime !== undefined) {
      this.#labTime.passedOn();
      return;
    }
    this.#answer(beat);
    this.#pace?.next(this.#dds.clocks.monotonicNs());
  }

  #answer(beat: number): void {
    const timeNs = BigInt(beat) * this.#run.heartbeatNs;
    this.#node?.answer(this.#lab?.agents ?? [], toS(timeNs));
  }

  #onEnd(cause: EndCause): void {
    const { log } = this.#run;
    if (cause === 'halt') log('a node is missing: halt');
    else if (cause === 'no-nodes') log('no other node is left: the simulation ends');
    else log(`node ${cause} ends the simulation`);
    if (cause === 'halt') this.#exitCode = ExitCode.lockStepHalt;
    // Not a single node came: there was no simulation.
    const hasBegun = this.#node?.workText !== undefined;
    if (cause === 'no-nodes' && !hasBegun) this.#exitCode = ExitCode.readinessTimeout;
    this.#end();
  }
}
