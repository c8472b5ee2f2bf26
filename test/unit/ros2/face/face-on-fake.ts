import { RosParticipant, type RosNodeHandle } from '../../../../src/ros2/index.js';
import type { FakeRclnodejs } from '../../../support/fake-rclnodejs.js';

/** A node of the fake, and the faults that were reported. */
export interface OpenedNode {
  readonly handle: RosNodeHandle;
  readonly node: ReturnType<FakeRclnodejs['node']>;
  readonly faults: unknown[];
  close(): void;
}

export async function openNode(ros: FakeRclnodejs, name = 'middleware'): Promise<OpenedNode> {
  const faults: unknown[] = [];
  const index = ros.nodes.length;
  const participant = await RosParticipant.open(ros, {
    domainId: 3,
    name,
    rosArguments: [],
    useSimTime: false,
    startTypeDescription: true,
    writtenVehicles: 1,
    onFault: (fault) => faults.push(fault),
  });
  return {
    handle: participant.handle,
    node: ros.node(index),
    faults,
    close: () => participant.close(),
  };
}
