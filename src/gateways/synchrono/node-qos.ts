import type { QosPolicies } from '../../ports/index.js';
import type { Side } from '../../sides/index.js';

const lasting: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs: 100_000_000n },
  durability: { kind: 'transient-local' },
};
const newest = { kind: 'keep-last', depth: 1 } as const;

/**
 * The QoS of a node of SynChrono, but for the history of readers: a node with several agents sends
 * every buffer several times, and the first one must not be lost by a copy of it.
 */
export const nodeQos: Side['qos'] = {
  writer: () => ({ ...lasting, history: newest, durabilityService: { history: newest } }),
  readers: () => [
    {
      qos: { ...lasting, history: { kind: 'keep-all' } },
      options: { ignoreReliableWriters: false },
    },
  ],
};
