import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/gateways/refusal.js';
import {
  NodeFollower,
  type MissingNodePolicy,
  type NodeEffect,
} from '../../../../src/gateways/synchrono/node-follower.js';
import type {
  AgentDescription,
  AgentState,
  NodeMessages,
} from '../../../../src/gateways/synchrono/protocol/decode-buffer.js';

const second = 1_000_000_000n;
const nothing: NodeMessages = { descriptions: [], states: [], quit: false };

function described(node: number, ...agents: number[]): NodeMessages {
  const descriptions = (agents.length === 0 ? [1] : agents).map((agent): AgentDescription => ({
    key: { node, agent },
    kind: 'wheeled',
    json: '',
    files: {},
    parts: { wheels: 4 },
  }));
  return { ...nothing, descriptions };
}

function state(node: number, time: number, more: Partial<AgentState> = {}): NodeMessages {
  const one: AgentState = {
    key: { node, agent: 1 },
    kind: 'wheeled',
    time,
    pose: { x: time, y: 0, yaw: 0 },
    speed: 1,
    parts: { wheels: 4 },
    ...more,
  };
  return { ...nothing, states: [one] };
}

let follower: NodeFollower;
let nowNs: bigint;
const kinds = (effects: readonly NodeEffect[]) => effects.map(({ kind }) => kind);

function open(policy: MissingNodePolicy = 'wait', peers = 2): void {
  nowNs = 0n;
  const timeouts = { joinTimeoutNs: 60n * second, timeoutNs: 2n * second };
  follower = new NodeFollower({ node: 3, peers, ...timeouts, policy }, nowNs);
}

/** Nodes 1 and 2 are described, and the first heartbeat has begun. */
function begin(policy?: MissingNodePolicy): void {
  open(policy);
  follower.discovered(1, nowNs);
  follower.discovered(2, nowNs);
  follower.received(1, described(1), nowNs);
  follower.received(2, described(2), nowNs);
  follower.open(nowNs);
}

beforeEach(() => open());

describe('NodeFollower', () => {
  it('describes itself when all nodes are discovered and described', () => {
    expect(follower.discovered(1, 0n)).toEqual([{ kind: 'subscribe', node: 1 }]);
    expect(kinds(follower.received(1, described(1), 0n))).toEqual(['agentsAdded']);
    expect(follower.undiscovered).toBe(1);
    expect(follower.discovered(2, 0n)).toEqual([{ kind: 'subscribe', node: 2 }]);
    expect(follower.missing).toEqual([2]);
    expect(kinds(follower.received(2, described(2), 0n))).toEqual(['agentsAdded', 'describe']);
    expect(follower.discovered(7, 0n)).toEqual([{ kind: 'notAwaited', node: 7 }]);
  });

  it('takes no node of its own number, and one that comes and goes is awaited again', () => {
    expect(follower.discovered(3, 0n)).toEqual([{ kind: 'notAwaited', node: 3 }]);
    follower.discovered(1, 0n);
    expect(kinds(follower.gone(1, 0n))).toEqual(['agentsGone']);
    expect(follower.undiscovered).toBe(2);
  });

  it('answers a heartbeat when its time has come and the states of all nodes are there', () => {
    begin();
    expect(follower.received(2, state(2, 0), nowNs)).toEqual([]);
    const [heartbeat] = follower.received(1, state(1, 0), nowNs);
    expect(heartbeat).toMatchObject({ kind: 'heartbeat', beat: 0 });
    // In the order of the nodes, whichever came first.
    const agents = heartbeat?.kind === 'heartbeat' ? heartbeat.agents : [];
    expect(agents.map(({ description }) => description.key.node)).toEqual([1, 2]);
    follower.answered(nowNs);
    follower.received(1, state(1, 0.01), nowNs);
    expect(follower.received(2, state(2, 0.01), nowNs)).toEqual([]);
    expect(follower.open(nowNs)).toMatchObject([{ kind: 'heartbeat', beat: 1 }]);
  });

  it('keeps a state that comes while it answers, and ignores copies and older states', () => {
    begin();
    follower.received(1, state(1, 0), nowNs);
    follower.received(2, state(2, 0), nowNs);
    expect(follower.received(1, state(1, 0.01), nowNs)).toEqual([]);
    follower.answered(nowNs);
    follower.open(nowNs);
    expect(follower.missing).toEqual([2]);
    expect(follower.received(2, state(2, 0), nowNs)).toEqual([]);
    expect(follower.received(2, described(2), nowNs)).toEqual([]);
    expect(follower.missing).toEqual([2]);
    expect(kinds(follower.received(2, state(2, 0.01), nowNs))).toEqual(['heartbeat']);
  });

  it('refuses what does not fit the descriptions, without an effect', () => {
    open('wait', 1);
    follower.discovered(1, nowNs);
    const refused: [NodeMessages, string][] = [
      [state(1, 0), 'states came before the description'],
      [described(2), 'agent 2.1 of another node'],
      [described(1, ...Array.from({ length: 1025 }, (_, i) => i)), 'more than 1024 agents'],
    ];
    for (const [messages, cause] of refused) {
      expect(() => follower.received(1, messages, nowNs)).toThrow(cause);
    }
    follower.received(1, described(1), nowNs);
    follower.open(nowNs);
    const later: [NodeMessages, string][] = [
      [state(1, 0, { key: { node: 1, agent: 2 } }), 'agent 1.2 is not described as wheeled'],
      [state(1, 0, { kind: 'copter' }), 'agent 1.1 is not described as copter'],
      [state(1, 0, { parts: { wheels: 5 } }), 'agent 1.1 has more wheels than it describes'],
    ];
    for (const [messages, cause] of later) {
      expect(() => follower.received(1, messages, nowNs)).toThrow(new Refusal(cause));
    }
    expect(follower.missing).toEqual([1]);
    expect(kinds(follower.received(1, state(1, 0), nowNs))).toEqual(['heartbeat']);
  });

  it('adds the way of an agent up', () => {
    open('wait', 1);
    follower.discovered(1, nowNs);
    const [added] = follower.received(1, described(1), nowNs);
    for (const x of [5, 7, 4]) {
      follower.open(nowNs);
      follower.received(1, state(1, x, { time: follower.beat, pose: { x, y: 0, yaw: 0 } }), nowNs);
      follower.answered(nowNs);
    }
    const agents = added?.kind === 'agentsAdded' ? added.agents : [];
    expect(agents).toMatchObject([{ distance: 5, state: { pose: { x: 4 } } }]);
  });

  it('ends with the end of a node, and says which agents are gone', () => {
    begin();
    const effects = follower.received(2, { ...nothing, quit: true }, nowNs);
    expect(effects).toMatchObject([
      { kind: 'quit', cause: 2 },
      {
        kind: 'agentsGone',
        agents: [{ description: { key: { node: 1 } } }, { description: { key: { node: 2 } } }],
      },
    ]);
    expect(follower.received(1, state(1, 0), nowNs)).toEqual([]);
    expect(follower.open(nowNs)).toEqual([]);
    expect(follower.agents.size).toBe(0);
  });
});

describe('NodeFollower without a node', () => {
  const missing = { kind: 'missing', nodes: [2] };

  it('waits, and names it again after each time-out', () => {
    begin('wait');
    follower.received(1, state(1, 0), nowNs);
    expect(follower.tick(2n * second - 1n)).toEqual([]);
    expect(follower.tick(2n * second)).toEqual([missing]);
    expect(follower.tick(3n * second)).toEqual([]);
    expect(follower.tick(4n * second)).toEqual([missing]);
    expect(follower.gone(2, 4n * second)).toEqual([missing]);
    expect(kinds(follower.received(2, state(2, 0), 5n * second))).toEqual(['heartbeat']);
  });

  it('drops it, and continues with the others until none is left', () => {
    begin('drop');
    follower.received(1, state(1, 0), nowNs);
    const effects = follower.tick(2n * second);
    expect(kinds(effects)).toEqual(['missing', 'dropped', 'agentsGone', 'heartbeat']);
    follower.answered(2n * second);
    expect(follower.received(2, state(2, 0.01), 2n * second)).toEqual([]);
    expect(follower.discovered(2, 2n * second)).toEqual([{ kind: 'notAwaited', node: 2 }]);
    follower.open(3n * second);
    expect(follower.gone(1, 3n * second)).toMatchObject([
      { kind: 'dropped', node: 1 },
      { kind: 'agentsGone' },
      { kind: 'quit', cause: 'no-nodes' },
      { kind: 'agentsGone', agents: [] },
    ]);
  });

  it('halts', () => {
    begin('halt');
    follower.received(1, state(1, 0), nowNs);
    expect(kinds(follower.tick(2n * second))).toEqual(['missing', 'quit', 'agentsGone']);
  });

  const undiscovered = (count: number) => ({ kind: 'undiscovered', count });

  it('names how many are not discovered after each time-out of the beginning', () => {
    open('wait');
    follower.discovered(1, second);
    expect(follower.tick(60n * second - 1n)).toEqual([]);
    expect(follower.tick(60n * second)).toEqual([undiscovered(1)]);
    expect(follower.tick(61n * second)).toEqual([]);
    expect(follower.tick(120n * second)).toEqual([undiscovered(1)]);
    expect(kinds(follower.discovered(2, 121n * second))).toEqual(['subscribe']);
    expect(follower.tick(122n * second)).toEqual([]);
    expect(follower.tick(123n * second)).toEqual([{ kind: 'missing', nodes: [1, 2] }]);
  });

  it('begins without a node that is not discovered, and halts, by policy', () => {
    open('drop');
    follower.discovered(1, second);
    expect(follower.received(1, described(1), second)).toMatchObject([{ kind: 'agentsAdded' }]);
    expect(follower.tick(60n * second)).toEqual([undiscovered(1), { kind: 'describe', others: 1 }]);
    expect(follower.discovered(2, 61n * second)).toEqual([{ kind: 'notAwaited', node: 2 }]);
    expect(follower.undiscovered).toBe(0);
    open('drop');
    const ended = [undiscovered(2), { kind: 'quit', cause: 'no-nodes' }];
    expect(follower.tick(60n * second)).toMatchObject([...ended, { kind: 'agentsGone' }]);
    open('halt');
    follower.discovered(1, second);
    const halted = [undiscovered(1), { kind: 'quit', cause: 'halt' }];
    expect(follower.tick(60n * second)).toMatchObject([...halted, { kind: 'agentsGone' }]);
  });

  it('applies the policy to a description, too', () => {
    open('drop');
    follower.discovered(1, 10n * second);
    follower.discovered(2, 10n * second);
    follower.received(1, described(1), 10n * second);
    expect(kinds(follower.tick(12n * second))).toEqual([
      'missing',
      'dropped',
      'agentsGone',
      'describe',
    ]);
  });

  it('measures the time-out from the time of the heartbeat', () => {
    begin();
    for (const node of [1, 2]) follower.received(node, state(node, 0), nowNs);
    follower.answered(nowNs);
    expect(follower.tick(50n * second)).toEqual([]);
    follower.open(60n * second);
    expect(follower.tick(61n * second)).toEqual([]);
    expect(follower.tick(62n * second)).toEqual([{ kind: 'missing', nodes: [1, 2] }]);
  });
});

it('never sends before all nodes have sent, in whatever order events come', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.record({ node: fc.constantFrom(1, 2), what: fc.constantFrom('describe', 'state') }),
          fc.constant({ node: 0, what: 'open' }),
        ),
        { maxLength: 60 },
      ),
      (events) => {
        open();
        follower.discovered(1, 0n);
        follower.discovered(2, 0n);
        /** What each node has sent, as the original counts it: the description and the states. */
        const sent = new Map([
          [1, 0],
          [2, 0],
        ]);
        let answers = 0;
        for (const { node, what } of events) {
          const count = sent.get(node) ?? 0;
          // An original node waits for the answer to its last message.
          const waits = node !== 0 && count > answers;
          if (waits || (what === 'describe') !== (count === 0 && node !== 0)) continue;
          let effects: NodeEffect[];
          if (what === 'open') effects = follower.open(0n);
          else {
            sent.set(node, count + 1);
            const messages = what === 'describe' ? described(node) : state(node, count);
            effects = follower.received(node, messages, 0n);
          }
          for (const { kind } of effects) {
            if (kind !== 'describe' && kind !== 'heartbeat') continue;
            answers++;
            expect([...sent.values()]).toEqual([answers, answers]);
            if (kind === 'heartbeat') follower.answered(0n);
          }
        }
      },
    ),
  );
});
