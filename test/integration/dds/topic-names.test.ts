import { expect, it, onTestFinished } from 'vitest';
import type { QosPolicies } from '../../../src/ports/index.js';
import { openDds } from '../../support/dds-fixture.js';
import { waitFor } from '../../support/wait-until.js';

const kept: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: { kind: 'keep-last', depth: 1 },
};
const typeName = 'SynDDSMessage';

it('a topic may have a dot in its name, which others discover, and no blank or wildcard', async () => {
  const dds = openDds();
  onTestFinished(() => dds.context.close());
  const network = { domainId: 3, networkInterface: 'lo', initialPeers: [] };
  const topic = { name: '/syn/node/3.0', typeName };
  const writing = dds.context.join(network, {}, topic.name);
  const reading = dds.join();
  const received: string[] = [];
  const sample = '0001000000000000020000000102';
  writing.createWriter(topic, kept).write(Buffer.from(sample, 'hex'));
  reading.createReader(topic, kept, {
    onSample: ({ bytes }) => received.push(Buffer.from(bytes).toString('hex')),
  });
  await waitFor(() => expect(received).toEqual([sample]));
  const [found] = reading.discovered().participants;
  expect(found).toMatchObject({ name: topic.name, endpoints: [{ topic: topic.name, typeName }] });
  // Each Cyclone DDS 0.10 refuses these; that of ROS 2 Jazzy takes other special characters.
  for (const name of ['/syn/node/3 0', '/syn/node.3*0', '']) {
    expect(() => reading.createWriter({ name, typeName }, kept), name).toThrow('Bad Parameter');
  }
});
