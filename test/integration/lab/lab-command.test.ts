import { describe, expect, it, onTestFinished } from 'vitest';
import { createVehicles } from '../../../src/sides/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { cliProgram } from '../../support/middleware.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

const ms = 1_000_000n;
const stopSymbol = 0xffff_ffff_ffff_ffffn;

function startLabControl({ uri }: TestLab, ...flags: string[]): ChildProgram {
  return new ChildProgram('the lab control', process.execPath, [cliProgram, 'lab', ...flags], uri);
}

describe('hlc-middleware lab', () => {
  it('gives a middleware its parameters, starts it, and stops it by a line', async () => {
    const lab = openTestLab();
    const labControl = startLabControl(lab, '--period-ms=40', '--vehicle-ids=1,7');
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--wait-for-start=true');
    controller.signIn();
    const { list } = await controller.startSignals.untilCount(5);
    expect(list).toMatchObject({ period_ms: 40n, active_vehicle_ids: [1, 7] });
    expect(labControl.stderr.items).toContain('middleware signed in');

    labControl.send('stop');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.triggers.items.at(-1)).toBe(stopSymbol);
    await labControl.stderr.until((line) => line === 'stopped');
    labControl.send('quit');
    expect(await labControl.ended).toEqual({ code: 0, signal: null });
  });

  it('says that simulated time waits for a participant that has left', async () => {
    const lab = openTestLab();
    const labControl = startLabControl(lab, '--simulated-time', '--participants=1');
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--simulated-time', '--period-ms=50');
    controller.signIn();
    await controller.startSignals.untilCount(3);
    middleware.signal('SIGTERM');
    expect(await middleware.ended).toEqual({ code: 143, signal: null });
    await labControl.stderr.until(
      (line) =>
        line ===
        'middleware has left, and time waits for it; start it again, or use "forget middleware"',
    );
    labControl.signal('SIGTERM');
    expect(await labControl.ended).toEqual({ code: 143, signal: null });
  });

  it('runs simulated time for vehicles of the SDK and a middleware, and ends it with a signal', async () => {
    const lab = openTestLab();
    const errors: unknown[] = [];
    const vehicles = await createVehicles({
      ids: [1],
      transport: lab.join('lab'),
      onError: (error) => errors.push(error),
      simulatedTime: {
        onStep: () => vehicles.publish({ vehicleId: 1, pose: { x: 0, y: 0, yaw: 0 }, speed: 0.25 }),
      },
    });
    onTestFinished(() => vehicles.close());
    const labControl = startLabControl(lab, '--simulated-time', '--participants=2');
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--simulated-time',
      '--period-ms=100',
      '--wait-for-start=true',
    );
    controller.signIn();
    await controller.startSignals.until(({ list }) => list.t_now > 20_000n * ms);
    labControl.signal('SIGTERM');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await labControl.ended).toEqual({ code: 143, signal: null });

    const lists = controller.startSignals.items.map(({ list }) => list);
    const first = lists.findIndex(({ state_list }) => state_list.length > 0);
    expect(first).toBeLessThan(100);
    // Vehicles, lab control and middleware are three participants, and each state is there in time.
    const stamps = lists.slice(first).map(({ state_list: [state] }) => state?.header.create_stamp);
    expect(stamps).toEqual(
      lists.slice(first).map(({ t_now }) => ({ nanoseconds: t_now - 1n - 60n * ms })),
    );
    expect(errors).toEqual([]);
  });
});
