import { describe, expect, it } from 'vitest';
import type { QosPolicies } from '../../../src/ports/index.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';

const topic = { name: 'log', typeName: 'Log' };
const reliable: QosPolicies = { reliability: { kind: 'reliable' } };
const bestEffort: QosPolicies = { reliability: { kind: 'best-effort' } };
const lastKept: QosPolicies = { ...reliable, durability: { kind: 'transient-local' } };
const kept: QosPolicies = {
  ...lastKept,
  durabilityService: { history: { kind: 'keep-all' } },
};

/** What a reader receives of a writer that wrote 1 and 2 before it came and 3 afterwards. */
async function exchange(
  offered: QosPolicies,
  asked: QosPolicies,
  options: { ignoreReliableWriters?: boolean } = {},
) {
  const network = new InMemoryNetwork();
  const heard: (number | string | undefined)[] = [];
  const writer = network.join().createWriter(topic, offered);
  writer.write(Uint8Array.of(1));
  writer.write(Uint8Array.of(2));
  network.join().createReader(
    topic,
    asked,
    {
      onSample: ({ bytes }) => heard.push(bytes[0]),
      onIncompatibleQos: ({ policy }) => heard.push(policy),
    },
    options,
  );
  writer.write(Uint8Array.of(3));
  expect(heard).toEqual([]);
  await network.idle();
  return heard;
}

describe('the in-memory transport', () => {
  it.each([
    ['reliable and reliable', reliable, reliable, [3]],
    ['reliable and best effort', reliable, bestEffort, [3]],
    ['best effort and best effort', bestEffort, bestEffort, [3]],
    ['best effort and reliable', bestEffort, reliable, ['RELIABILITY']],
    ['volatile and transient local', reliable, kept, ['DURABILITY']],
    ['transient local and transient local', kept, kept, [1, 2, 3]],
    ['transient local and volatile', kept, reliable, [3]],
  ])('matches %s as DDS does', async (_, offered, asked, heard) => {
    expect(await exchange(offered, asked)).toEqual(heard);
  });

  it('keeps only the last sample for late readers without a durability service', async () => {
    expect(await exchange(lastKept, kept)).toEqual([2, 3]);
  });

  it('leaves out reliable writers on request', async () => {
    const options = { ignoreReliableWriters: true };
    expect(await exchange(reliable, bestEffort, options)).toEqual([]);
    expect(await exchange(bestEffort, bestEffort, options)).toEqual([3]);
  });

  it('rethrows what a listener threw when it is asked to be idle', async () => {
    const network = new InMemoryNetwork();
    network.join().createReader(topic, reliable, {
      onSample: () => {
        throw new Error('listener broke');
      },
    });
    network.join().createWriter(topic, reliable).write(Uint8Array.of(1));
    await expect(network.idle()).rejects.toThrow('listener broke');
  });
});
