import { describe, expect, it } from 'vitest';
import { runInDancersLab, windowNs } from '../../support/dancers-run.js';

/** Programs start one after the other on a busy machine. */
const patience = { timeout: 60_000 };
const ownDomain = { domainOfFirst: 11 };

/** A process has DDS once, and a test one lab. */
let first: Awaited<ReturnType<typeof runInDancersLab>> | undefined;

describe('a DANCERS run in a lab', patience, () => {
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
