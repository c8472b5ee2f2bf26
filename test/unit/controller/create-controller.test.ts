import { describe, expect, it, vi } from 'vitest';
import { createController, type Command } from '../../../src/controller/index.js';
import { FakeMiddleware } from './fake-middleware.js';
import { drive, opened, period, setUp, slowPlanner, stateOf, t } from './set-up.js';

describe('a controller and the middleware', () => {
  it('says that it is ready for each of its vehicles, also to a middleware that starts later', async () => {
    const { middleware } = setUp({ vehicleIds: [3, 0, 255] });
    await middleware.network.idle();
    middleware.awaitReady();
    await middleware.network.idle();
    expect(middleware.ready.map(({ source_id }) => source_id)).toEqual([
      'hlc_3',
      'hlc_0',
      'hlc_255',
    ]);
  });

  it('can be started as soon as it says that it is ready', async () => {
    const middleware = new FakeMiddleware();
    middleware.awaitReady();
    opened.push(
      createController({
        vehicleIds: [1],
        transport: middleware.network.join(),
        onStep: () => drive(1),
      }),
    );
    expect(middleware.startSignalReaders).toBe(1);
    await middleware.start(t);
    expect(middleware.commands).toHaveLength(1);
  });

  it('sends every kind of command reliably, made at the start of the period', async () => {
    const commands: readonly Command[] = [
      { kind: 'direct', vehicle_id: 1, motor_throttle: 0.5, steering_servo: -0.25 },
      { kind: 'speedCurvature', vehicle_id: 2, speed: 1.5, curvature: -0.5 },
      {
        kind: 'trajectory',
        vehicle_id: 3,
        trajectory_points: [{ t: { nanoseconds: t }, px: 1, py: 2, vx: 3, vy: 4 }],
      },
      {
        kind: 'pathTracking',
        vehicle_id: 4,
        path: [{ pose: { x: 1, y: 2, yaw: 3 }, s: 0 }],
        speed: 1,
      },
    ];
    const { middleware } = setUp({ vehicleIds: [1, 2, 3, 4], onStep: () => commands });
    await middleware.start(t);
    expect(middleware.commands.map(({ topic }) => topic)).toEqual([
      'vehicleCommandDirect',
      'vehicleCommandSpeedCurvature',
      'vehicleCommandTrajectory',
      'vehicleCommandPathTracking',
    ]);
    for (const [index, { message, reliable }] of middleware.commands.entries()) {
      expect({ kind: commands[index]?.kind, ...message }).toEqual({
        ...commands[index],
        header: { create_stamp: { nanoseconds: t }, valid_after_stamp: { nanoseconds: t } },
      });
      expect(reliable).toBe(true);
    }
  });

  it('makes a command valid later than it was made, on request', async () => {
    const { middleware } = setUp({ onStep: () => ({ ...drive(1), validAfterNs: t + 7n }) });
    await middleware.start(t);
    expect(middleware.commands[0]?.message.header).toEqual({
      create_stamp: { nanoseconds: t },
      valid_after_stamp: { nanoseconds: t + 7n },
    });
  });

  it('gives each step the time, the period and the vehicles with a state', async () => {
    const { onStep, steps } = slowPlanner();
    const { middleware } = setUp({ onStep });
    await middleware.start(t, [stateOf(2, t - 80_000_000n), stateOf(0, 0n)], 20n);
    expect(steps[0]).toMatchObject({
      tNowNs: t,
      periodNs: 20_000_000n,
      activeVehicleIds: [2, 0],
    });
    expect([...(steps[0]?.vehicles.keys() ?? [])]).toEqual([2]);
    expect([...(steps[0]?.observations.keys() ?? [])]).toEqual([2]);
    expect(steps[0]?.vehicles.get(2)?.header.create_stamp.nanoseconds).toBe(t - 80_000_000n);
  });

  it('sends nothing for a step without a command', async () => {
    const { middleware, errors } = setUp({ onStep: () => undefined });
    await middleware.start(t);
    expect(middleware.commands).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('asks for a stop of all of its vehicles, or of those it names', async () => {
    const { middleware, controller } = setUp({ vehicleIds: [5, 6] });
    controller.requestStop();
    controller.requestStop([6]);
    await middleware.network.idle();
    expect(middleware.stopRequests.map(({ vehicle_id }) => vehicle_id)).toEqual([5, 6, 6]);
  });

  it('ignores a trigger that starts the lab', async () => {
    const onStop = vi.fn();
    const { middleware } = setUp({ onStop });
    await middleware.trigger(t);
    await middleware.start(t);
    expect(onStop).not.toHaveBeenCalled();
    expect(middleware.commands).toHaveLength(1);
  });

  it('stops when the lab stops: the step is aborted, onStop is called once, then it closes', async () => {
    const { onStep, steps, finish } = slowPlanner();
    let stopped!: () => void;
    const onStop = vi.fn(() => new Promise<void>((resolve) => (stopped = resolve)));
    const { middleware, controller, errors } = setUp({ onStep, onStop });
    await middleware.start(t);
    await middleware.trigger();
    await middleware.trigger();
    await middleware.start(t + period);
    expect(steps).toHaveLength(1);
    expect(steps[0]?.signal.reason).toMatchObject({ reason: 'stop' });
    expect(onStop).toHaveBeenCalledTimes(1);
    expect(middleware.startSignalReaders).toBe(1);
    finish(0, drive(1));
    stopped();
    await controller.closed;
    await middleware.network.idle();
    expect(middleware.startSignalReaders).toBe(0);
    expect(middleware.commands).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('begins no step after the lab stopped, whether it was waiting or comes later', async () => {
    const { onStep, steps, finish } = slowPlanner();
    const { middleware } = setUp({ onStep, onStop: () => new Promise<void>(() => undefined) });
    await middleware.start(t);
    await middleware.start(t + period);
    await middleware.trigger();
    finish(0, undefined);
    // One turn of the event loop: whatever the end of the step leads to has happened.
    await new Promise((resolve) => setImmediate(resolve));
    await middleware.start(t + 2n * period);
    expect(steps).toHaveLength(1);
  });

  it('closes after the lab stopped even when onStop throws', async () => {
    const failure = new Error('no');
    const { middleware, controller, errors } = setUp({
      onStop: () => {
        throw failure;
      },
    });
    await middleware.trigger();
    await controller.closed;
    expect(errors).toEqual([failure]);
  });

  it('leaves when it is closed, and closes twice', async () => {
    const { onStep, steps } = slowPlanner();
    const { middleware, controller } = setUp({ onStep });
    await middleware.start(t);
    controller.close();
    controller.close();
    await controller.closed;
    expect(steps[0]?.signal.reason).toMatchObject({ reason: 'closed' });
    expect(middleware.startSignalReaders).toBe(0);
    expect(() => controller.requestStop()).toThrow(expect.objectContaining({ code: 'HLC_CLOSED' }));
  });

  it('can be closed by its own step', async () => {
    const { middleware, controller, errors } = setUp({
      onStep: () => {
        controller.close();
        return drive(1);
      },
    });
    await middleware.start(t);
    expect(middleware.commands).toEqual([]);
    expect(errors).toEqual([]);
  });

  it.each([[[]], [[1, 1]], [[-1]], [[256]], [[1.5]], [[NaN]]])(
    'refuses to drive the vehicles %j',
    (vehicleIds) => {
      expect(() => setUp({ vehicleIds })).toThrow(
        expect.objectContaining({ code: 'HLC_CONTROLLER_VEHICLE_IDS', exitCode: 2 }),
      );
    },
  );
});
