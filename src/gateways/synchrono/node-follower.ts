import { Refusal } from '../refusal.js';
import type { NodeMessages } from './protocol/decode-buffer.js';
import { moved, RemoteAgents, type AgentNews, type RemoteAgent } from './remote-agents.js';

/** What follows when a node is missing for the time-out. */
export type MissingNodePolicy = 'wait' | 'drop' | 'halt';

/** What {@link NodeFollower} needs. */
export interface NodeFollowerOptions {
  /** Number of this node. */
  readonly node: number;
  /** How many other nodes take part. */
  readonly peers: number;
  /** How long all nodes take to be discovered at most, before the policy applies, ns. */
  readonly joinTimeoutNs: bigint;
  /** How long time waits for a node before the policy applies, ns. */
  readonly timeoutNs: bigint;
  readonly policy: MissingNodePolicy;
}

/** What a node does after an event. */
export type NodeEffect =
  /** Read the topic of this node. */
  | { readonly kind: 'subscribe'; readonly node: number }
  /** The node came after the start, or is one too many: it takes no part. */
  | { readonly kind: 'notAwaited'; readonly node: number }
  | { readonly kind: 'agentsAdded'; readonly agents: readonly RemoteAgent[] }
  | { readonly kind: 'agentsGone'; readonly agents: readonly RemoteAgent[] }
  /** The descriptions of all other nodes came, `others` of them: send the own ones. */
  | { readonly kind: 'describe'; readonly others: number }
  /**
   * The states of all nodes came for this heartbeat: pass them on, send the own states, and call
   * `answered`.
   */
  | { readonly kind: 'heartbeat'; readonly beat: number; readonly agents: readonly RemoteAgent[] }
  /** So many nodes are not discovered within the time-out, again. */
  | { readonly kind: 'undiscovered'; readonly count: number }
  /** Time waits for these nodes for the time-out, again. */
  | { readonly kind: 'missing'; readonly nodes: readonly number[] }
  /** Time goes on without this node. */
  | { readonly kind: 'dropped'; readonly node: number }
  /** Send the end of the simulation, and end. */
  | { readonly kind: 'quit'; readonly cause: EndCause };

/** Why the simulation ends: a node sent its end, the policy halts, or no other node is left. */
export type EndCause = number | 'halt' | 'no-nodes';

interface OtherNode {
  described: boolean;
  /** The newest states, until a heartbeat takes them. */
  news: readonly AgentNews[] | undefined;
  /** Time of the newest states, seconds. */
  time: number;
}

/** `answering`: the states of all came, and the own ones are on their way. */
type Phase = 'joining' | 'describing' | 'waiting' | 'answering' | 'ended';

/**
 * The rules of a node of SynChrono that follows: its description comes after those of all nodes,
 * and its states of a heartbeat after those of all nodes. So no writer replaces a sample that a peer
 * has not read, since SynChrono keeps the last one only. Times are of one monotonic clock, ns.
 */
export class NodeFollower {
  readonly agents = new RemoteAgents();
  readonly #options: NodeFollowerOptions;
  readonly #nodes = new Map<number, OtherNode>();
  /** How many other nodes take part. */
  #peers: number;
  #phase: Phase = 'joining';
  #beat = 0;
  /** The time of the next heartbeat has come. */
  #open = false;
  #waitingSinceNs: bigint;

  constructor(options: NodeFollowerOptions, nowNs: bigint) {
    this.#options = options;
    this.#peers = options.peers;
    this.#waitingSinceNs = nowNs;
  }

  /** Number of the next heartbeat. */
  get beat(): number {
    return this.#beat;
  }

  /** Nodes whose participant, description or state is awaited; empty: none of them is. */
  get missing(): readonly number[] {
    if (this.#phase !== 'describing' && this.#phase !== 'waiting') return [];
    return [...this.#nodes].flatMap(([node, { described, news }]) =>
      (this.#phase === 'describing' ? described : news !== undefined) ? [] : [node],
    );
  }

  /** How many nodes are not discovered yet. */
  get undiscovered(): number {
    return this.#phase === 'joining' ? this.#peers - this.#nodes.size : 0;
  }

  /** The participant of a node is discovered; once for each. */
  discovered(node: number, nowNs: bigint): NodeEffect[] {
    if (this.#phase !== 'joining' || this.#nodes.has(node) || node === this.#options.node) {
      return [{ kind: 'notAwaited', node }];
    }
    this.#nodes.set(node, { described: false, news: undefined, time: -Infinity });
    const effects: NodeEffect[] = [{ kind: 'subscribe', node }];
    return [...effects, ...this.#begin(nowNs)];
  }

  /**
   * A node sent messages. A copy of its last ones has no effect.
   * @throws Refusal for messages that break a rule; they have no effect.
   */
  received(node: number, messages: NodeMessages, nowNs: bigint): NodeEffect[] {
    const other = this.#nodes.get(node);
    if (other === undefined || this.#phase === 'ended') return [];
    if (messages.quit) return this.#quit(node);
    if (!other.described) {
      if (messages.states.length > 0) throw new Refusal('states came before the description');
      const agents = this.agents.describe(node, messages.descriptions);
      other.described = true;
      return [{ kind: 'agentsAdded', agents }, ...this.#proceed(nowNs)];
    }
    if (messages.descriptions.length > 0) return [];
    const time = messages.states.reduce((latest, state) => Math.max(latest, state.time), -Infinity);
    if (messages.states.length > 0 && time <= other.time) return [];
    other.news = this.agents.find(node, messages.states);
    other.time = time;
    return this.#proceed(nowNs);
  }

  /** The time of the next heartbeat has come. */
  open(nowNs: bigint): NodeEffect[] {
    if (!this.#open) this.#waitingSinceNs = nowNs;
    this.#open = true;
    return this.#proceed(nowNs);
  }

  /** The own states of the heartbeat are sent. */
  answered(nowNs: bigint): void {
    if (this.#phase !== 'answering') return;
    this.#beat++;
    this.#open = false;
    this.#enter('waiting', nowNs);
  }

  /** The participant of a node is gone. */
  gone(node: number, nowNs: bigint): NodeEffect[] {
    if (!this.#nodes.has(node) || this.#phase === 'ended') return [];
    if (this.#phase === 'joining') {
      this.#nodes.delete(node);
      return [{ kind: 'agentsGone', agents: this.agents.remove(node) }];
    }
    if (this.#options.policy === 'drop') return this.#drop([node], nowNs);
    return [{ kind: 'missing', nodes: [node] }];
  }

  /** Time passes. Call it several times within the time-out. */
  tick(nowNs: bigint): NodeEffect[] {
    if (this.#phase === 'joining') return this.#tickOfJoining(nowNs);
    const isWaiting = this.#phase === 'describing' || (this.#phase === 'waiting' && this.#open);
    if (!isWaiting || nowNs - this.#waitingSinceNs < this.#options.timeoutNs) return [];
    this.#waitingSinceNs = nowNs;
    const { missing } = this;
    if (missing.length === 0) return [];
    const effects: NodeEffect[] = [{ kind: 'missing', nodes: missing }];
    if (this.#options.policy === 'drop') effects.push(...this.#drop(missing, nowNs));
    if (this.#options.policy === 'halt') effects.push(...this.#quit('halt'));
    return effects;
  }

  #tickOfJoining(nowNs: bigint): NodeEffect[] {
    const { joinTimeoutNs, policy } = this.#options;
    if (nowNs - this.#waitingSinceNs < joinTimeoutNs) return [];
    this.#waitingSinceNs = nowNs;
    const effects: NodeEffect[] = [{ kind: 'undiscovered', count: this.undiscovered }];
    if (policy === 'halt') return [...effects, ...this.#quit('halt')];
    if (policy === 'wait') return effects;
    if (this.#nodes.size === 0) return [...effects, ...this.#quit('no-nodes')];
    this.#peers = this.#nodes.size;
    return [...effects, ...this.#begin(nowNs)];
  }

  /** Once all nodes are discovered. */
  #begin(nowNs: bigint): NodeEffect[] {
    if (this.#nodes.size < this.#peers) return [];
    this.#enter('describing', nowNs);
    return this.#proceed(nowNs);
  }

  #enter(phase: Phase, nowNs: bigint): void {
    this.#phase = phase;
    this.#waitingSinceNs = nowNs;
  }

  #proceed(nowNs: bigint): NodeEffect[] {
    if (this.missing.length > 0) return [];
    if (this.#phase === 'describing') {
      this.#enter('waiting', nowNs);
      return [{ kind: 'describe', others: this.#nodes.size }];
    }
    if (this.#phase !== 'waiting' || !this.#open) return [];
    this.#phase = 'answering';
    const inOrder = [...this.#nodes].sort(([a], [b]) => a - b).map(([, other]) => other);
    const agents = inOrder.flatMap(({ news }) => news ?? []).map(moved);
    for (const other of inOrder) other.news = undefined;
    return [{ kind: 'heartbeat', beat: this.#beat, agents }];
  }

  #drop(nodes: readonly number[], nowNs: bigint): NodeEffect[] {
    const effects = nodes.flatMap((node): NodeEffect[] => {
      this.#nodes.delete(node);
      return [
        { kind: 'dropped', node },
        { kind: 'agentsGone', agents: this.agents.remove(node) },
      ];
    });
    if (this.#nodes.size === 0) return [...effects, ...this.#quit('no-nodes')];
    return [...effects, ...this.#proceed(nowNs)];
  }

  #quit(cause: EndCause): NodeEffect[] {
    this.#phase = 'ended';
    const agents = [...this.#nodes.keys()].flatMap((node) => this.agents.remove(node));
    return [
      { kind: 'quit', cause },
      { kind: 'agentsGone', agents },
    ];
  }
}
