import type { QosPolicies } from '../../core/ports/index.js';

const maxBlockingTimeNs = 100_000_000n;
const keepAll = { kind: 'keep-all' } as const;
const keepNewest = { kind: 'keep-last', depth: 1 } as const;

/** How the lab control writes parameters and system triggers (CPM Lab wire contract). */
export const reliableWriterQos: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs },
  durability: { kind: 'volatile' },
  history: keepNewest,
};

/** How it writes goal states and log levels: a late joiner gets all of them (CPM Lab wire contract). */
export const lastingWriterQos: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs },
  durability: { kind: 'transient-local' },
  history: keepAll,
  // Without it a late reader gets one sample of an instance only.
  durabilityService: { history: keepAll },
};

/** How it asks for and answers round trips (CPM Lab, `RTTTool`). */
export const bestEffortWriterQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: keepNewest,
};

/** How it reads ready signals, logs and signs of life (CPM Lab wire contract). */
export const reliableReaderQos: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'volatile' },
  history: keepAll,
};

/** How it reads parameter requests, stop requests and round trips (CPM Lab wire contract). */
export const bestEffortReaderQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: keepAll,
};
