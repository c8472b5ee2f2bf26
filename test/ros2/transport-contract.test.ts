import { loadRclnodejs, RosParticipant } from '../../src/ros2/index.js';
import type { ContractSubject } from '../contract/contract-subject.js';
import { describeTransport } from '../contract/transport-contract.js';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { isolatedRosUri, rosVariables } from '../support/ros2/ros-environment.js';

const writtenVehicles = 20;
/** More than any test of the contract joins. */
const participants = 4;

/** Nodes take a moment to make, and a test joins at once. */
async function subject(): Promise<ContractSubject> {
  Object.assign(process.env, rosVariables, { CYCLONEDDS_URI: isolatedRosUri() });
  const rclnodejs = await loadRclnodejs();
  const faults: unknown[] = [];
  const nodes: RosParticipant[] = [];
  for (let number = 0; number < participants; number++) {
    const node = await RosParticipant.open(rclnodejs, {
      domainId: 3,
      name: `node_${number}`,
      rosArguments: [],
      useSimTime: false,
      startTypeDescription: true,
      writtenVehicles,
      onFault: (fault: unknown) => void faults.push(fault),
    });
    nodes.push(node);
  }
  const free = [...nodes];
  return {
    join() {
      const node = free.shift();
      if (node === undefined) throw new Error('There is no further node.');
      return node;
    },
    faults,
    close() {
      for (const node of nodes) node.close();
    },
  };
}

describeWithRos2('rclnodejs', () => {
  const traits = { identifiesWriters: false, writtenVehicles };
  describeTransport('rclnodejs', subject, traits);
});
