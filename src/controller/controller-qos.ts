import type { QosPolicies } from '../core/ports/index.js';

const keepAll = { kind: 'keep-all' } as const;

/** Ready signals: reliable, and kept for a middleware that starts later (CPM Lab wire contract). */
export const readySignalQos: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs: 100_000_000n },
  durability: { kind: 'transient-local' },
  history: keepAll,
  // Without it a late reader gets the last ready signal only, and they have no key.
  durabilityService: { history: keepAll },
};

/** Start signals: only the newest counts; best effort matches every middleware. */
export const startSignalQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: { kind: 'keep-last', depth: 1 },
};

/** System triggers: none may be lost. */
export const systemTriggerQos: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'volatile' },
  history: keepAll,
};

/** Commands and stop requests: reliable; a best-effort reader matches too. */
export const commandQos: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs: 100_000_000n },
  durability: { kind: 'volatile' },
  history: keepAll,
};
