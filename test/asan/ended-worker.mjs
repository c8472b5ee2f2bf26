// Ends a worker thread in the middle of its DDS traffic, as `worker.terminate()` does, and then ends
// by itself.

import { once } from 'node:events';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { DdsContext, topics } from './built.mjs';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  await once(worker, 'message');
  await worker.terminate();
  console.log('worker ended');
} else {
  const context = DdsContext.open({
    onFault: (fault) => {
      throw fault;
    },
  });
  const topic = topics.systemTrigger;
  const join = () => context.join({ domainId: 3, networkInterface: 'lo', initialPeers: [] });
  const writer = join().createWriter(topic, {});
  let received = 0;
  join().createReader(
    topic,
    {},
    {
      onSample: () => {
        received++;
        if (received === 200) parentPort?.postMessage('enough');
      },
    },
  );
  const pacer = context.createPacer();
  pacer.onTick(() => {
    for (let i = 0; i < 10; i++) writer.write(topic.codec.encode(topic.codec.zero()));
    pacer.arm(context.clocks.monotonicNs() + 1_000_000n);
  });
  pacer.arm(context.clocks.monotonicNs());
}
