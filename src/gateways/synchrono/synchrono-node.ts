import { toMs } from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import { participantOf } from '../../ports/index.js';
import type { DdsContext, DdsParticipant, DomainNetwork } from '../../dds/index.js';
import {
  groupEndpoints,
  readTopic,
  reportedTopicErrors,
  writeTopic,
  type Side,
  type TopicErrors,
  type TopicWriter,
} from '../../sides/index.js';
import { LimitedLog } from '../limited-log.js';
import { Refusal } from '../refusal.js';
import {
  NodeFollower,
  type EndCause,
  type NodeEffect,
  type NodeFollowerOptions,
} from './node-follower.js';
import { nodeQos } from './node-qos.js';
import { decodeBuffer } from './protocol/decode-buffer.js';
import type { BufferEncoder, OwnAgent } from './protocol/encode-buffer.js';
import { isMistakable, nodeName, nodeOf, nodeTopic } from './protocol/node-topic.js';
import type { RemoteAgent } from './remote-agents.js';
import { WorkTimes } from './work-times.js';

/** What {@link SynchronoNode} needs. */
export interface SynchronoNodeOptions extends NodeFollowerOptions {
  readonly dds: DdsContext;
  readonly network: DomainNetwork;
  readonly encoder: BufferEncoder;
  /** Numbers of the own agents. */
  readonly agents: readonly number[];
  /** Takes sentences for the user. */
  readonly log: (text: string) => void;
  /** The states of all other nodes came: pass them on, and call `answer`. */
  readonly onHeartbeat: (beat: number, agents: readonly RemoteAgent[]) => void;
  /** All descriptions are exchanged with `others` nodes: the first heartbeat follows. */
  readonly onDescribed: (others: number) => void;
  readonly onAgentAdded: (agent: RemoteAgent) => void;
  readonly onAgentGone: (agent: RemoteAgent) => void;
  /** The end of the simulation is sent. */
  readonly onEnd: (cause: EndCause) => void;
}

/** How often the follower looks at the time-out, ms. */
const tickMs = 50;

/** A node of SynChrono: its participant, its topic, and those of the other nodes. */
export class SynchronoNode {
  readonly #options: SynchronoNodeOptions;
  readonly #follower: NodeFollower;
  readonly #participant: DdsParticipant;
  readonly #side: Side;
  readonly #errors: TopicErrors;
  readonly #log: LimitedLog;
  readonly #writer: TopicWriter<Uint8Array>;
  readonly #ticks: NodeJS.Timeout;
  readonly #work: WorkTimes;
  /** Nodes by the GUID prefix of their participant. */
  readonly #discovered = new Map<string, number>();
  readonly #subscribed = new Set<number>();
  #isOver = false;

  /** @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`. */
  constructor(options: SynchronoNodeOptions) {
    this.#options = options;
    const { dds, network, node, peers, log } = options;
    this.#follower = new NodeFollower(options, this.#nowNs);
    this.#log = new LimitedLog(log, () => toMs(this.#nowNs));
    this.#work = new WorkTimes(() => this.#nowNs);
    this.#errors = reportedTopicErrors((error) => this.#log.fault(error));
    this.#participant = dds.join(network, {}, nodeName(node));
    this.#side = groupEndpoints({ transport: this.#participant, qos: nodeQos }).side;
    this.#writer = writeTopic(this.#side, nodeTopic(node), this.#errors);
    this.#ticks = setInterval(() => this.#tick(), tickMs);
    const others = peers === 1 ? '1 other node' : `${peers} other nodes`;
    log(`node ${node} waits for ${others} of SynChrono on domain ${network.domainId}`);
  }

  /** Refused buffers. */
  get refused(): number {
    return this.#log.refused;
  }

  /** Number of the next heartbeat. */
  get beat(): number {
    return this.#follower.beat;
  }

  /** The work of this node per heartbeat, as a sentence; undefined before the first one. */
  get workText(): string | undefined {
    return this.#work.text;
  }

  /** The time of the next heartbeat has come. */
  open(): void {
    this.#handle(() => this.#follower.open(this.#nowNs));
  }

  /** Sends the own states of the heartbeat. @param time Seconds of the simulation. */
  answer(agents: readonly OwnAgent[], time: number): void {
    this.#work.measure(() => {
      this.#writer.write(this.#options.encoder.states(agents, time));
      this.#follower.answered(this.#nowNs);
      this.#work.endHeartbeat();
    });
  }

  /** Sends the end of the simulation, unless it is sent, and leaves. */
  close(): void {
    this.#end();
    this.#participant.close();
  }

  get #nowNs(): bigint {
    return this.#options.dds.clocks.monotonicNs();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#ticks);
    this.#writer.write(this.#options.encoder.quit());
  }

  #handle(event: () => readonly NodeEffect[]): void {
    if (this.#isOver) return;
    this.#work.measure(() => {
      for (const effect of event()) this.#carryOut(effect);
    });
  }

  #tick(): void {
    if (this.#follower.undiscovered > 0) this.#discover();
    this.#handle(() => this.#follower.tick(this.#nowNs));
  }

  /**
   * Finds the nodes whose writers are discovered, too. Fast DDS offers its description to a reader
   * once, and again after 3 s: a reader before the writer is known has to wait for that.
   */
  #discover(): void {
    const present = new Map(
      this.#participant.discovered().participants.flatMap(({ guidPrefix, name, endpoints }) => {
        const node = nodeOf(name);
        const writes = endpoints.some(({ kind, topic }) => kind === 'writer' && topic === name);
        return node === undefined || !writes ? [] : [[guidPrefix, node] as const];
      }),
    );
    for (const [guidPrefix, node] of present) {
      if (this.#discovered.has(guidPrefix)) continue;
      this.#discovered.set(guidPrefix, node);
      this.#options.log(`node ${node} is discovered`);
      if (isMistakable(node, this.#options.node)) {
        this.#options.log(
          `the names of node ${node} and node ${this.#options.node} contain each other, and SynChrono may leave one of them out; choose another number with --node`,
        );
      }
      this.#handle(() => this.#follower.discovered(node, this.#nowNs));
    }
    for (const [guidPrefix, node] of this.#discovered) {
      if (present.has(guidPrefix)) continue;
      this.#discovered.delete(guidPrefix);
      this.#handle(() => this.#follower.gone(node, this.#nowNs));
    }
  }

  #subscribe(node: number): void {
    if (this.#subscribed.has(node)) return;
    this.#subscribed.add(node);
    let matched = 0;
    readTopic(
      this.#side,
      nodeTopic(node),
      (data, { writer }) => {
        const sender = this.#discovered.get(participantOf(writer.guid));
        if (sender !== node) this.#refuse(node, 'its sender is another participant');
        else this.#receive(node, data);
      },
      this.#errors,
      ({ joined }) => {
        matched += joined ? 1 : -1;
        if (matched === 0) this.#handle(() => this.#follower.gone(node, this.#nowNs));
      },
    );
  }

  #receive(node: number, data: Uint8Array): void {
    this.#handle(() => {
      try {
        return this.#follower.received(node, decodeBuffer(data), this.#nowNs);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#refuse(node, error.message);
        return [];
      }
    });
  }

  #refuse(node: number, cause: string): void {
    const { message } = new HlcError('HLC_GATEWAY_BUFFER', { node, cause });
    this.#log.refuse(`${message} (HLC_GATEWAY_BUFFER)`);
  }

  #carryOut(effect: NodeEffect): void {
    const { log, peers, policy, encoder, agents } = this.#options;
    switch (effect.kind) {
      case 'subscribe':
        this.#subscribe(effect.node);
        break;
      case 'notAwaited':
        log(
          effect.node === this.#options.node
            ? `another program is node ${effect.node}, too; give one of them another number with --node`
            : `node ${effect.node} takes no part: --peers=${peers} nodes are there`,
        );
        break;
      case 'agentsAdded':
        effect.agents.forEach(this.#options.onAgentAdded);
        break;
      case 'agentsGone':
        effect.agents.forEach(this.#options.onAgentGone);
        break;
      case 'describe':
        this.#writer.write(encoder.descriptions(agents));
        this.#options.onDescribed(effect.others);
        break;
      case 'heartbeat':
        this.#options.onHeartbeat(effect.beat, effect.agents);
        break;
      case 'undiscovered':
        log(
          `${effect.count} of ${peers} other nodes are not discovered yet on domain ${this.#options.network.domainId}; start them on it, or correct --peers (${policy})`,
        );
        break;
      case 'missing':
        log(`heartbeat ${this.beat}: no message of node ${effect.nodes.join(', ')} (${policy})`);
        break;
      case 'dropped':
        log(`node ${effect.node} is dropped: time goes on without it`);
        break;
      case 'quit':
        this.#end();
        this.#options.onEnd(effect.cause);
        break;
    }
  }
}
