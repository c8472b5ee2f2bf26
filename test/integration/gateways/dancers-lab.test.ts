import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { openDancersLab } from '../../support/dancers-lab.js';
import { startCommand } from '../../support/gateway-program.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

/** Programs start one after the other on a busy machine. */
const patience = { timeout: 60_000 };
const windowNs = 100_000_000n;

/** A lab of two vehicles, agents 0 and 1, that drive apart until their radios do not reach. */
async function run() {
  const { lab, startGateway, startWorld } = await openDancersLab({
    phy_step_size: 50_000,
    net_step_size: 100_000,
    simulation_length: 0,
  });
  const lists = new TopicRecorder(lab.join('controllers'), topics.neighborList);
  const labControl = startCommand(
    lab.uri,
    'lab',
    '--simulated-time',
    '--participants=2',
    '--period-ms=100',
  );
  const gateway = startGateway('--lab', '--ids=0:1,1:2', '--commands=velocity');
  const physics = startWorld('physics', { agents: { 0: [0, 0], 1: [1, 0] }, step: 0.05 });
  startWorld('network', { range: 1.5 });
  await labControl.stderr.until((line) => line.startsWith('dancers_gateway signed in'));
  await lists.untilMatched();
  const controller = lab.controller({
    ids: [1, 2],
    onStart({ t_now: createNs }, self) {
      const header = {
        create_stamp: { nanoseconds: createNs },
        valid_after_stamp: { nanoseconds: createNs },
      };
      for (const [vehicle_id, speed] of [
        [1, -0.5],
        [2, 0.5],
      ] as const) {
        const message = { vehicle_id, header, speed, curvature: 0 };
        self.send({ kind: 'speedCurvature', message });
      }
    },
  });
  const middleware = lab.startMiddleware(
    '--vehicle-ids=1,2',
    '--simulated-time',
    '--period-ms=100',
    '--wait-for-start=true',
    '--periods=20',
  );
  controller.signIn();
  expect((await middleware.ended).code).toBe(0);
  gateway.signal('SIGTERM');
  expect((await gateway.ended).code).toBe(143);
  return { starts: controller.startSignals.items.map(({ list }) => list), lists, physics };
}

/** A process has DDS once, and a test one lab. */
let first: Awaited<ReturnType<typeof run>> | undefined;

describe('a DANCERS run in a lab', patience, () => {
  it('has agents as vehicles that obey controllers, and neighbours for controllers', async () => {
    first = await run();
    const { starts, lists, physics } = first;
    expect(starts).toHaveLength(20);
    for (const [index, { t_now: now, state_list: states }] of starts.entries()) {
      expect(now).toBe(BigInt(index) * windowNs + 1n);
      // The states are those of the same instant.
      expect(
        states.map(({ vehicle_id: id, header }) => [id, header.create_stamp.nanoseconds]),
      ).toEqual(index === 0 ? [] : [1, 2].map((id) => [id, now - 1n]));
    }
    const last = starts.at(-1)?.state_list ?? [];
    expect(last.map(({ speed }) => speed)).toEqual([
      expect.closeTo(-0.5, 6) as unknown,
      expect.closeTo(0.5, 6) as unknown,
    ]);
    expect(last[0]?.pose.x).toBeLessThan(-0.7);
    const wanted = physics.seen.items.at(-1);
    expect([wanted?.[0]?.[0], wanted?.[1]?.[0]]).toEqual([-0.5, 0.5]);

    const ofFirst = lists.heard.filter(({ vehicle_id: id }) => id === 1);
    expect(ofFirst.map(({ t_now: now }) => now)).toEqual(
      ofFirst.map((_, index) => (ofFirst[0]?.t_now ?? 0n) + BigInt(index) * windowNs),
    );
    const near = ofFirst.map(({ neighbors }) => neighbors.map(({ vehicle_id: id }) => id).join());
    expect(near).toContain('2');
    expect(near.at(-1)).toBe('');
    expect(ofFirst.find(({ neighbors }) => neighbors.length > 0)?.neighbors).toEqual([
      { vehicle_id: 2, role: 0, link_quality: 0.5, age: 100_000n },
    ]);
  });

  it('repeats itself', async () => {
    const { starts, lists, physics } = await run();
    expect(starts).toEqual(first?.starts);
    expect(lists.heard).toEqual(first?.lists.heard);
    expect(physics.seen.items).toEqual(first?.physics.seen.items);
  });
});
