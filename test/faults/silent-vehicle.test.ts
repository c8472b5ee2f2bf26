import { expect } from 'vitest';
import type { VehicleStateList } from '../../src/messages/index.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, inBothModes, ms } from './fault-row.js';

const s = 1_000_000_000n;

for (const { mode, flags } of inBothModes) {
  faultTest(
    {
      row: 25,
      fault: 'a vehicle falls silent, another never speaks',
      mode,
      expected: 'listed with the stamps of its last state, logged as stale, never as zeros',
    },
    async (measured) => {
      const lab = openTestLab();
      const vehicles = lab.vehicles();
      const pose = { x: 1.5, y: -2.5, yaw: 0.25 };
      const speak = (vehicle_id: number, nowNs: bigint) => {
        const stamp = { nanoseconds: nowNs };
        const header = { create_stamp: stamp, valid_after_stamp: stamp };
        vehicles.sendState({ vehicle_id, header, pose });
      };
      let lastOf2 = 0n;
      let silent = false;
      const stateOf = (list: VehicleStateList, id: number) =>
        list.state_list.find(({ vehicle_id }) => vehicle_id === id);
      const controller = lab.controller({
        ids: [1],
        onStart: (list, self) => {
          speak(1, list.t_now);
          if (!silent) {
            lastOf2 = list.t_now;
            speak(2, list.t_now);
          }
          self.answer(list);
        },
      });
      controller.signIn();
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1',
        '--active-vehicle-ids=1,2,3',
        ...flags,
      );
      await controller.startSignals.until(({ list }) => stateOf(list, 2) !== undefined);
      const { length } = controller.startSignals.items;
      await controller.startSignals.untilCount(length + 10);
      silent = true;
      const logLine = await middleware.untilLogged('vehicle 2 is stale');
      const received = controller.startSignals.items.length;
      const { list } = await controller.startSignals.untilCount(received + 5);
      const listed = stateOf(list, 2);
      const ageNs = list.t_now - (listed?.header.create_stamp.nanoseconds ?? 0n);
      expect(listed).toMatchObject({ pose, header: { create_stamp: { nanoseconds: lastOf2 } } });
      expect(ageNs).toBeGreaterThan(s);
      expect(stateOf(list, 3)).toBeUndefined();
      silent = false;
      await middleware.untilLogged('states of vehicle 2 arrive again');
      middleware.signal('SIGINT');
      await middleware.ended;
      const zeros = controller.startSignals.items.flatMap((signal) =>
        signal.list.state_list.filter((state) => state.pose.x === 0),
      );
      expect(zeros).toEqual([]);
      const stale = middleware.logged('vehicle').filter(({ msg }) => msg.includes('is stale'));
      expect(stale.map(({ vehicle }) => vehicle)).toEqual([2]);
      const periods = middleware.summary().vehicles[2]?.stale_periods ?? 0;
      expect(periods).toBeGreaterThanOrEqual(5);
      measured(
        `logged as stale at an age of ${ms(Number(logLine.age_s) * 1e9)}, listed with its stamps for ${periods} stale periods, 0 zeros`,
      );
      expect(Number(logLine.age_s)).toBeLessThan(1.5);
    },
  );
}
