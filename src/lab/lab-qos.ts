import type { QosPolicies } from '../core/ports/index.js';

/**
 * How vehicles offer their state and observation: only the newest matters, and a reader that asks
 * for best effort, as the original middleware does, matches too. A slow reader must not hold up
 * the fleet for longer than 5 ms.
 */
export const vehicleStateWriterQos: QosPolicies = {
  reliability: { kind: 'reliable', maxBlockingTimeNs: 5_000_000n },
  durability: { kind: 'volatile' },
  history: { kind: 'keep-last', depth: 1 },
};

const commandHistory = { kind: 'keep-last', depth: 64 } as const;

/** How vehicles read what reliable writers command. */
export const reliableCommandReaderQos: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'volatile' },
  history: commandHistory,
};

/** How vehicles read what best-effort writers command, as the original middleware does. */
export const bestEffortCommandReaderQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: commandHistory,
};

/** How a fleet looks for others that drive its vehicles: the newest state of each says enough. */
export const foreignStateReaderQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: { kind: 'keep-last', depth: 1 },
};
