// What is sent in test/asan: topics, QoS and samples.

import { topics } from './built.mjs';

/** @typedef {(below: number) => number} Random a whole number from 0 to `below` - 1 */

/** Few, so that readers and writers meet: with a key, without one, with lists, and large. */
export const usedTopics = [topics.vehicleState, topics.readyStatus, topics.parameter, topics.log];
/** @type {import('../../src/ports/index.js').QosPolicies[]} */
export const qosKinds = [
  { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } },
  { reliability: { kind: 'best-effort' }, history: { kind: 'keep-last', depth: 3 } },
  {
    reliability: { kind: 'reliable', maxBlockingTimeNs: 5_000_000n },
    durability: { kind: 'transient-local' },
    durabilityService: { history: { kind: 'keep-last', depth: 8 } },
    resourceLimits: { maxSamples: 64 },
    liveliness: { kind: 'automatic', leaseDurationNs: 200_000_000n },
    userData: Uint8Array.of(1, 2, 3),
  },
  { partition: { names: ['a', 'b'] }, ownership: { kind: 'exclusive', strength: 2 } },
];
export const refusedQos = /** @type {import('../../src/ports/index.js').QosPolicies} */ (
  /** @type {unknown} */ ({
    userData: Uint8Array.of(1),
    partition: { names: ['a'] },
    writerDataLifecycle: { autodisposeUnregisteredInstances: 'perhaps' },
    readerDataLifecycle: { autopurgeNowriterSamplesDelayNs: 1 },
  })
);

/** A sample of a topic, of random size where its type has a text. @param {Random} random */
export function sampleFor(/** @type {string} */ topicName, random) {
  const { vehicleState, readyStatus, parameter, log } = topics;
  switch (topicName) {
    case vehicleState.name:
      return vehicleState.codec.encode({ ...vehicleState.codec.zero(), vehicle_id: random(20) });
    case readyStatus.name:
      return readyStatus.codec.encode({
        ...readyStatus.codec.zero(),
        source_id: 'r'.repeat(random(40)),
      });
    case parameter.name: {
      const values_double = Array.from({ length: random(100) }, (_, i) => i / 2);
      return parameter.codec.encode({ ...parameter.codec.zero(), values_double });
    }
    default:
      return log.codec.encode({ ...log.codec.zero(), content: 'x'.repeat(random(100_000)) });
  }
}
