// Opens all that src/dds has, and leaves in the middle of its work without closing anything.
// Usage: open-everything.mjs exit|throw|fault

import process from 'node:process';

const built = new URL('../../dist/dds/index.js', import.meta.url).href;
/** @type {unknown} */
const loaded = await import(built);
const { DdsContext } = /** @type {typeof import('../../src/dds/index.js')} */ (loaded);

const topic = { name: 'systemTrigger', typeName: 'SystemTrigger' };
/** @type {import('../../src/ports/index.js').QosPolicies} */
const qos = { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } };
/** A `SystemTrigger` in CDR. */
const sample = Uint8Array.of(0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);

/** @type {Record<string, () => void>} */
const waysOut = {
  exit: () => process.exit(0),
  throw: () => {
    setImmediate(() => {
      throw new Error('left by a throw');
    });
  },
  fault: () => {
    throw new Error('left by a fault');
  },
};
const leave = waysOut[process.argv[2] ?? ''];
if (leave === undefined) process.exit(2);

const context = DdsContext.open({
  onFault: (fault) => {
    throw fault;
  },
});
let received = 0;
const writers = [5, 6].flatMap((domainId) => {
  const join = () => context.join({ domainId, networkInterface: 'lo', initialPeers: [] });
  const writer = join().createWriter(topic, qos);
  join().createReader(topic, qos, {
    onSample: () => {
      received++;
      if (received === 200) leave();
    },
  });
  return [writer];
});
const pacer = context.createPacer();
pacer.onTick(() => {
  for (const writer of writers) for (let i = 0; i < 10; i++) writer.write(sample);
  pacer.arm(context.clocks.monotonicNs() + 1_000_000n);
});
pacer.arm(context.clocks.monotonicNs());
