import { participantData, RosNamedTransport } from '../../../src/ros2/on-dds/index.js';
import type { ContractSubject } from '../../contract/contract-subject.js';
import { describeTransport } from '../../contract/transport-contract.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';

const domainId = 3;
const writtenVehicles = 20;

function subject(join: (dds: DdsFixture, number: number) => ReturnType<ContractSubject['join']>) {
  return (): ContractSubject => {
    const dds = openDds();
    let sides = 0;
    return {
      join: () => join(dds, sides++),
      faults: dds.faults,
      close: () => dds.context.close(),
    };
  };
}

describeTransport(
  'DDS',
  subject((dds) => dds.join(domainId)),
  { identifiesWriters: true, writtenVehicles },
);

describeTransport(
  'DDS with the names of ROS 2',
  subject((dds, number) => {
    const network = { domainId, networkInterface: 'lo', initialPeers: [] };
    return new RosNamedTransport(dds.context.join(network, { userData: participantData }), {
      node: { name: `node_${number}`, namespace: '/contract' },
      topicRemaps: [],
      writtenVehicles,
      nowNs: () => 0n,
      onError: (error) => dds.faults.push(error),
    });
  }),
  { identifiesWriters: true, writtenVehicles },
);
