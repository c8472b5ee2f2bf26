import { describe, expect, it } from 'vitest';
import type { DdsParticipant } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import { openDancersLab } from '../../support/dancers-lab.js';
import { startCommand } from '../../support/gateway-program.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

/** Programs start one after the other on a busy machine. */
const patience = { timeout: 60_000 };
const windowNs = 100_000_000n;

/** A lab of two vehicles, agents 0 and 1, that drive apart until their radios do not reach. */
async function run(
  domainOfFirst: 'controllers' | number = 'controllers',
  leaveAt = Infinity,
  ...flags: string[]
) {
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
  const visibility =
    domainOfFirst === 'controllers'
      ? []
      : ['--visibility=neighbors', `--controller-domains=1:${domainOfFirst}`];
  const gateway = startGateway('--lab', '--ids=0:1,1:2', '--commands=velocity', ...visibility);
  const physics = startWorld('physics', { agents: { 0: [0, 0], 1: [1, 0] }, step: 0.05 });
  startWorld('network', { range: 1.5 });
  await labControl.stderr.until((line) => line.startsWith('dancers_gateway signed in'));
  await lists.untilMatched();
  const speeds = { 1: -0.5, 2: 0.5 } as const;
  const drive = (id: 1 | 2, side: DdsParticipant) =>
    new ScriptedController(side, {
      ids: [id],
      onStart({ t_now: createNs }, self) {
        if (id === 1 && createNs > leaveAt) {
          side.close();
          return;
        }
        const stamp = { nanoseconds: createNs };
        const header = { create_stamp: stamp, valid_after_stamp: stamp };
        const message = { vehicle_id: id, header, speed: speeds[id], curvature: 0 };
        self.send({ kind: 'speedCurvature', message });
      },
    });
  const ownSide =
    domainOfFirst === 'controllers' ? lab.join(domainOfFirst) : lab.joinDomain(domainOfFirst);
  const controllers = [drive(1, ownSide), drive(2, lab.join('controllers'))] as const;
  const middleware = lab.startMiddleware(
    '--vehicle-ids=1,2',
    '--simulated-time',
    '--period-ms=100',
    '--wait-for-start=true',
    '--periods=20',
    ...flags,
  );
  for (const controller of controllers) controller.signIn();
  expect((await middleware.ended).code).toBe(0);
  labControl.send('stop');
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.stderr.items.at(-1)).toBe('the run is over: the lab has stopped');
  const [firsts, starts] = controllers.map(({ startSignals }) =>
    startSignals.items.map(({ list }) => list),
  );
  return { firsts: firsts ?? [], starts: starts ?? [], lists, physics };
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

    const ofFirst = lists.samples.filter(({ vehicle_id: id }) => id === 1);
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
    expect(lists.samples).toEqual(first?.lists.samples);
    expect(physics.seen.items).toEqual(first?.physics.seen.items);
  });

  it('shows a controller on a domain of its own what its radio reaches, and changes nothing else', async () => {
    const { firsts, starts, lists, physics } = await run(11);
    expect(starts).toEqual(first?.starts);
    expect(physics.seen.items).toEqual(first?.physics.seen.items);
    const reached = new Map(
      lists.samples
        .filter(({ vehicle_id: id }) => id === 1)
        .map(({ t_now: now, neighbors }) => [now + 1n, neighbors.map((one) => one.vehicle_id)]),
    );
    expect(firsts).toEqual(
      starts.map((list) => {
        const visible = [1, ...(reached.get(list.t_now) ?? [])];
        return {
          ...list,
          state_list: list.state_list.filter((state) => visible.includes(state.vehicle_id)),
          vehicle_observation_list: list.vehicle_observation_list.filter((one) =>
            visible.includes(one.vehicle_id),
          ),
          active_vehicle_ids: list.active_vehicle_ids.filter((id) => visible.includes(id)),
        };
      }),
    );
    const counts = firsts.map(({ state_list: states }) => states.length);
    expect(new Set(counts)).toEqual(new Set([0, 1, 2]));
  });

  it('lets a controller on a domain of its own leave: time advances without it', async () => {
    const policy = ['--reply-timeout-policy=drop', '--reply-timeout-ms=600000'];
    const { firsts, starts } = await run(11, 500_000_000, ...policy);
    expect(firsts.length).toBeLessThan(10);
    expect(starts).toHaveLength(20);
  });
});
