import { describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../src/core/index.js';
import { openDancersLab } from '../../support/dancers-lab.js';
import { startLabControl } from '../../support/gateway-program.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { runInDancersLab, windowNs } from '../../support/dancers-run.js';

const ownDomain = { domainOfFirst: 11 };

/** A process has DDS once, and a test one lab. */
let first: Awaited<ReturnType<typeof runInDancersLab>> | undefined;

describe('a DANCERS run in a lab', () => {
  it('has agents as vehicles that obey controllers, and neighbours for controllers', async () => {
    first = await runInDancersLab();
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
    const wanted = physics.at(-1);
    expect([wanted?.[0]?.[0], wanted?.[1]?.[0]]).toEqual([-0.5, 0.5]);

    const ofFirst = lists.filter(({ vehicle_id: id }) => id === 1);
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
    const { starts, lists, physics } = await runInDancersLab();
    expect(starts).toEqual(first?.starts);
    expect(lists).toEqual(first?.lists);
    expect(physics).toEqual(first?.physics);
  });

  it('is the same when the gateway keeps the time', async () => {
    const { starts, lists, physics } = await runInDancersLab({ keepsTime: true });
    expect(starts).toEqual(first?.starts);
    expect(lists).toEqual(first?.lists);
    expect(physics).toEqual(first?.physics);
  });

  it('shows a controller on a domain of its own what its radio reaches, and changes nothing else', async () => {
    const { firsts, starts, lists, physics } = await runInDancersLab(ownDomain);
    expect(starts).toEqual(first?.starts);
    expect(physics).toEqual(first?.physics);
    const reached = new Map(
      lists
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

  it('stops a controller on a domain of its own when its simulated time is over', async () => {
    const { lab, startGateway, startWorld } = await openDancersLab({
      phy_step_size: 50_000,
      net_step_size: 100_000,
    });
    const labControl = startLabControl(lab.uri);
    const gateway = startGateway(
      ...['--lab', '--ids=0:1', '--commands=velocity', '--visibility=neighbors'],
      '--controller-domains=1:11',
    );
    startWorld('physics', { agents: { 0: [0, 0] }, step: 0.05 });
    startWorld('network', { range: 1.5 });
    await labControl.stderr.until((line) => line.startsWith('dancers_gateway signed in'));
    const controller = new ScriptedController(lab.joinDomain(11), { ids: [1] });
    lab.startMiddleware(
      ...['--vehicle-ids=1', '--simulated-time', '--period-ms=100', '--wait-for-start=true'],
    );
    controller.signIn();
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.stderr.items.at(-1)).toBe('the run is over: 0.5 s of simulated time');
    await controller.triggers.until((next) => next === stopSymbol);
  });

  it('stops the lab when its simulated time is over and the gateway keeps the time', async () => {
    const { lab, startGateway, startWorld } = await openDancersLab({
      phy_step_size: 50_000,
      net_step_size: 100_000,
    });
    const flags = ['--ids=0:1', '--commands=velocity', '--participants=2'];
    const gateway = startGateway('--lab', ...flags);
    startWorld('physics', { agents: { 0: [0, 0] }, step: 0.05 });
    startWorld('network', { range: 1.5 });
    await gateway.stderr.until((line) => line.startsWith('dancers_gateway signed in'));
    const controller = new ScriptedController(lab.join('controllers'), { ids: [1] });
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--simulated-time', '--period-ms=100', '--wait-for-start=true'],
    );
    controller.signIn();
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    await controller.triggers.until((next) => next === stopSymbol);
  });

  it('lets a controller on a domain of its own leave: time advances without it', async () => {
    const policy = ['--reply-timeout-policy=drop', '--reply-timeout-ms=600000'];
    const { firsts, starts } = await runInDancersLab({
      ...ownDomain,
      leaveAt: 500_000_000,
      flags: policy,
    });
    expect(firsts.length).toBeLessThan(10);
    expect(starts).toHaveLength(20);
  });
});
