import { describe, expect, it } from 'vitest';

import { AgentIds } from '../../../../src/gateways/dancers/lab/agent-ids.js';
import { runInLab } from '../../../../src/gateways/dancers/lab/run-in-lab.js';
import { encodePoses } from '../../../../src/gateways/dancers/protocol/payloads.js';
import { emptyAnswer, type Answer } from '../../../../src/gateways/dancers/side.js';
import type { Sides } from '../../../../src/gateways/dancers/sides.js';
import { topics, type Topic } from '../../../../src/messages/index.js';
import { InMemoryNetwork } from '../../../support/in-memory-transport.js';

const windowNs = 100_000_000n;
const windows = 4;
const address = { kind: 'uds', path: '' } as const;
const config = {
  windowUs: 100_000,
  physics: { stepUs: 50_000, address },
  network: { stepUs: 100_000, address },
  lengthS: 0.4,
  realTimeFactor: undefined,
};
const ids = new AgentIds([
  [1, 1],
  [2, 2],
]);

/** Agents 1 and 2 that drive apart by 1 m in each step. */
const pose = (agentId: number, step: number) => ({ agentId, x: step, y: 0, yaw: 0, speed: 1 });

/** Runs all windows with these sides, with a lab control that triggers what is wanted. */
async function run(answers: { physics(step: number): Answer; network(step: number): Answer }) {
  const [labNetwork, controllerNetwork] = [new InMemoryNetwork(), new InMemoryNetwork()];
  const reliable = { reliability: { kind: 'reliable' } } as const;
  const read = <T>(network: InMemoryNetwork, topic: Topic<T>, onMessage: (message: T) => void) => {
    network.join().createReader(topic, reliable, {
      onSample: ({ bytes }) => onMessage(topic.codec.decode(bytes)),
    });
  };
  const triggers = labNetwork.join().createWriter(topics.systemTrigger, reliable);
  read(labNetwork, topics.readyStatus, ({ next_start_stamp: next }) =>
    triggers.write(topics.systemTrigger.codec.encode({ next_start: next })),
  );
  const states: (readonly [id: number, createNs: bigint, x: number])[] = [];
  read(labNetwork, topics.vehicleState, ({ vehicle_id: id, header, pose: { x } }) =>
    states.push([id, header.create_stamp.nanoseconds, x]),
  );
  const lists: (readonly [id: number, nowNs: bigint])[] = [];
  read(controllerNetwork, topics.neighborList, ({ vehicle_id: id, t_now: now }) =>
    lists.push([id, now]),
  );
  const malformed = labNetwork.join().createWriter(topics.vehicleCommandDirect, reliable);
  read(labNetwork, topics.systemTrigger, () => malformed.write(Buffer.from('no command')));
  const steps = { physics: 0, network: 0 };
  const side = (name: 'physics' | 'network') => ({
    step: () => Promise.resolve(answers[name](steps[name]++)),
  });
  const logged: string[] = [];
  await runInLab(
    config,
    {
      connected: Promise.resolve(),
      physics: side('physics'),
      network: side('network'),
    } as unknown as Sides,
    {
      ids,
      commands: 'none',
      labSide: labNetwork.join(),
      controllerSide: controllerNetwork.join(),
      onNeighbors: () => undefined,
      log: (line) => logged.push(line),
    },
  );
  triggers.write(
    topics.systemTrigger.codec.encode({ next_start: { nanoseconds: 2n ** 64n - 1n } }),
  );
  await Promise.all([labNetwork.idle(), controllerNetwork.idle()]);
  return { steps, states, lists, logged };
}

const ends = Array.from({ length: windows }, (_, index) => BigInt(index + 1) * windowNs);

describe('a run in a lab', () => {
  it('keeps the time of a side with the lab after empty answers', async () => {
    const empty = new Set([0, 1, 5]);
    let stepped = 0;
    const { steps, states } = await run({
      physics(step) {
        if (empty.has(step)) return emptyAnswer;
        stepped++;
        return encodePoses([pose(1, stepped), pose(2, -stepped)]);
      },
      network: (step) => (step === 1 ? emptyAnswer : new Uint8Array()),
    });
    expect(steps).toEqual({ physics: 2 * windows + empty.size, network: windows + 1 });
    const expected = ends.flatMap((nowNs, index) => [
      [1, nowNs, 2 * (index + 1)],
      [2, nowNs, -2 * (index + 1)],
    ]);
    expect(states).toEqual(expected);
  });

  it('has a neighbour list of each vehicle in each window, also when no agent is reported', async () => {
    const { lists } = await run({
      physics: () => new Uint8Array(),
      network: () => new Uint8Array(),
    });
    expect(lists).toEqual(ends.flatMap((nowNs) => [1, 2].map((id) => [id, nowNs])));
  });

  it('logs malformed samples at most once a second', async () => {
    const { logged } = await run({
      physics: () => new Uint8Array(),
      network: () => new Uint8Array(),
    });
    const faults = logged.filter((line) => line.startsWith('fault: '));
    expect(faults).toHaveLength(1);
  });
});
