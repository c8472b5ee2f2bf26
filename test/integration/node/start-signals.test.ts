import { describe, expect, it } from 'vitest';
import { topics, type VehicleStateList } from '../../../src/messages/index.js';
import { openTestLab } from '../../support/test-lab.js';

const ms = 1_000_000n;

function stamps(createNs: bigint, validAfterNs = createNs) {
  return {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: validAfterNs },
  };
}

/** What a list says of each vehicle in it. */
function odometers(list: VehicleStateList): Record<number, number> {
  return Object.fromEntries(
    list.state_list.map(({ vehicle_id, odometer_distance }) => [vehicle_id, odometer_distance]),
  );
}

describe('the start signals', () => {
  it('are exactly on the grid of period and offset, one for each period', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const periodNs = 97_000_000n;
    const offsetNs = 12_345_679n;
    const middleware = lab.startMiddleware(
      '--vehicle-id=1',
      `--period-nanoseconds=${periodNs}`,
      `--offset-nanoseconds=${offsetNs}`,
      '--periods=20',
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });

    const lists = controller.startSignals.items.map(({ list }) => list);
    const times = lists.map(({ t_now }) => t_now);
    expect(times).toHaveLength(20);
    expect(times.filter((t) => (t - offsetNs) % periodNs !== 0n)).toEqual([]);
    expect(new Set(lists.map(({ period_ms }) => period_ms))).toEqual(new Set([97n]));

    // One for each period; on a busy machine but for those that are reported as skipped.
    const steps = times.slice(1).map((t, i) => Number((t - (times[i] ?? 0n)) / periodNs));
    expect(Math.min(...steps)).toBe(1);
    const reported = middleware.logged('the middleware was late');
    expect(steps.filter((step) => step > 1).length).toBeLessThanOrEqual(reported.length);
    const skipped = steps.reduce((sum, step) => sum + step - 1, 0);
    expect(middleware.summary()).toMatchObject({
      periods: 20 + skipped,
      start_signals: 20,
      skipped_periods: skipped,
    });
  });

  it('come at their time and not before', async () => {
    const lab = openTestLab();
    const aheads: bigint[] = [];
    const controller = lab.controller({
      ids: [1],
      onStart: (list) => aheads.push(list.t_now - lab.clocks.realtimeNs()),
    });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-id=1', '--period-ms=20', '--periods=50');
    await middleware.ended;
    expect(aheads).toHaveLength(50);
    expect(aheads.filter((ahead) => ahead > 0n)).toEqual([]);
  });

  it('carry the newest state that is valid at their time', async () => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.controller({ ids: [1, 2] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=40');
    const seen = (id: number, odometer: number) =>
      controller.startSignals.until(({ list }) => odometers(list)[id] === odometer);
    await Promise.all([controller.startSignals.untilCount(1), vehicles.untilRead()]);

    const firstNs = lab.clocks.realtimeNs();
    vehicles.sendState({ vehicle_id: 1, odometer_distance: 10, header: stamps(firstNs) });
    await seen(1, 10);
    const nowNs = lab.clocks.realtimeNs();
    const validNs = nowNs + 1000n * ms;
    vehicles.sendState({ vehicle_id: 1, odometer_distance: 20, header: stamps(nowNs, validNs) });
    await seen(1, 20);
    // One that was made earlier changes nothing, however late it comes; vehicle 2 says that it came.
    vehicles.sendState({ vehicle_id: 1, odometer_distance: 30, header: stamps(nowNs - 1n) });
    vehicles.sendState({ vehicle_id: 2, odometer_distance: 40, header: stamps(nowNs) });
    await seen(2, 40);
    // Of two that were made at the same time the one that came later counts.
    vehicles.sendState({ vehicle_id: 2, odometer_distance: 50, header: stamps(nowNs) });
    await seen(2, 50);

    const reported = controller.startSignals.items
      .map(({ list }) => ({ tNow: list.t_now, odometer: odometers(list)[1] }))
      .filter(({ odometer }) => odometer !== undefined);
    const firstTime = (wanted: number) =>
      reported.find(({ odometer }) => odometer === wanted)?.tNow ?? 0n;
    const early = reported.filter(({ tNow }) => tNow < validNs);
    // On a busy machine a start signal may repeat the states of the one before, which is logged.
    const repeats = middleware.logged('a start signal carries the states of an earlier period');
    const lateFrom = repeats.length === 0 ? validNs : firstTime(20);
    const late = reported.filter(({ tNow }) => tNow >= lateFrom);
    expect(new Set(early.map(({ odometer }) => odometer))).toEqual(new Set([10]));
    expect(new Set(late.map(({ odometer }) => odometer))).toEqual(new Set([20]));
  });

  it('list the active vehicles with a state or an observation in the order of their ids, and no others', async () => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    lab.startMiddleware('--vehicle-ids=1', '--active-vehicle-ids=200,3,7,5', '--period-ms=40');
    await Promise.all([controller.startSignals.untilCount(1), vehicles.untilRead()]);

    const header = stamps(lab.clocks.realtimeNs());
    const pose = { x: 1.5, y: -2.25, yaw: 3.125 };
    for (const vehicle_id of [1, 200, 3, 4, 7]) {
      vehicles.sendState({ vehicle_id, header, pose, speed: vehicle_id, is_real: true });
    }
    vehicles.sendObservation({ vehicle_id: 5, header, pose });
    vehicles.sendObservation({ vehicle_id: 6, header, pose });
    const { list } = await controller.startSignals.until(
      ({ list }) => list.state_list.length > 2 && list.vehicle_observation_list.length > 0,
    );
    expect(list.state_list).toEqual(
      [3, 7, 200].map((vehicle_id) => ({
        ...topics.vehicleState.codec.zero(),
        ...{ vehicle_id, header, pose, speed: vehicle_id, is_real: true },
      })),
    );
    expect(list.vehicle_observation_list).toEqual([{ vehicle_id: 5, header, pose }]);
    expect(list.active_vehicle_ids).toEqual([3, 5, 7, 200]);
  });

  it('list a vehicle without any state with zeros, with --absent-vehicles=default', async () => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.controller({ ids: [1, 2, 3] });
    controller.signIn();
    lab.startMiddleware('--vehicle-amount=3', '--absent-vehicles=default', '--period-ms=40');
    await Promise.all([controller.startSignals.untilCount(1), vehicles.untilRead()]);

    const header = stamps(lab.clocks.realtimeNs());
    vehicles.sendState({ vehicle_id: 2, header });
    const { list } = await controller.startSignals.until(({ list }) =>
      list.state_list.some(({ vehicle_id }) => vehicle_id === 2),
    );
    const absent = topics.vehicleState.codec.zero();
    expect(list.state_list).toEqual([absent, { ...absent, vehicle_id: 2, header }, absent]);
    const unseen = topics.vehicleObservation.codec.zero();
    expect(list.vehicle_observation_list).toEqual([unseen, unseen, unseen]);
  });
});
