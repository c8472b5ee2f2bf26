import type { QosPolicies, Transport } from '../../src/ports/index.js';

/** An adapter of the transport port under test; what it opens discovers nothing outside of the test. */
export interface ContractSubject {
  /** A participant of its own on the one network of the test. */
  join(): Transport;
  /** What listeners threw, in its order; a test that expects some takes them out. */
  readonly faults: unknown[];
  close(): void | Promise<void>;
}

/** In what adapters may differ. */
export interface ContractTraits {
  /** It reports which writer matched and which one wrote, by their RTPS GUIDs, and when it wrote. */
  readonly identifiesWriters: boolean;
  /** Sides of the middleware write about several vehicles; how many may be written about here. */
  readonly writtenVehicles: number;
}

export const reliable: QosPolicies = {
  reliability: { kind: 'reliable' },
  history: { kind: 'keep-all' },
};
export const bestEffort: QosPolicies = {
  reliability: { kind: 'best-effort' },
  history: { kind: 'keep-all' },
};
/** A late joiner receives all that was written. */
export const retained: QosPolicies = {
  ...reliable,
  durability: { kind: 'transient-local' },
  durabilityService: { history: { kind: 'keep-all' } },
};
