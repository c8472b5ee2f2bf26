import { describe, expect, it } from 'vitest';
import type { StatusView, VehicleView } from '../../../src/observe/live/page-protocol.js';
import { metricsText } from '../../../src/observe/metrics/metrics-text.js';
import { sceneUpdate } from '../../../src/observe/foxglove/scene.js';
import { extendTrail } from '../../../src/observe/page/trail.js';
import { ageOf, isPlanOver, isStale, nowOf } from '../../../src/observe/page/vehicle-state.js';
import { VehicleStateCodec } from '../../../src/messages/index.js';
import { encodeCommand } from '../../../src/sides/index.js';
import { commandsOfAllKinds } from '../../support/commands.js';
import { oneController } from '../../support/open-tap.js';
import { LiveScript } from './live-script.js';

const running = { from: 1000, to: 60_000, speed: 2, isPaused: false, position: 1000 };
const paused = { ...running, isPaused: true };

describe('the time of the page', () => {
  it('continues in a recording with its speed, up to its end, and stands while it is paused', () => {
    const known = { t: 10_000, receivedAt: 500, simulatedMs: undefined };
    expect(nowOf(known, undefined, 1500).t).toBe(11_000);
    expect(nowOf(known, running, 1500).t).toBe(12_000);
    expect(nowOf(known, running, 1e9).t).toBe(60_000);
    expect(nowOf(known, paused, 1e9).t).toBe(10_000);
  });

  it('makes a vehicle old that is silent in a recording, and a whole silent fleet', () => {
    const script = new LiveScript('real').state(2000, { vehicle_id: 1 });
    script.effects(4000);
    const { t = 0, vehicles } = script.take();
    const [vehicle] = vehicles ?? [];
    if (vehicle === undefined) throw new TypeError('no vehicle');
    const now = nowOf({ t, receivedAt: 0, simulatedMs: undefined }, paused, 0);
    expect(ageOf(vehicle, now)).toBe(2000);
    expect(isStale(2000, 50)).toBe(true);
    expect(isStale(2000, 1000)).toBe(false);
    // The clock was set back by an hour after it.
    expect(isStale(ageOf(vehicle, { ...now, t: t - 3_600_000 }), 50)).toBe(true);
  });

  it('is that of the last start signal in simulated time', () => {
    const script = new LiveScript('simulated');
    const waiting = script.state(1000, { vehicle_id: 1 }).take();
    const [waits] = waiting.vehicles ?? [];
    if (waits === undefined) throw new TypeError('no vehicle');
    expect(ageOf(waits, { t: 1e9, simulatedMs: waiting.simulatedMs })).toBe(0);
    script.start(2000, 100).state(2001, { vehicle_id: 1 }).state(2001, { vehicle_id: 2 });
    // Fast: 2 s of simulated time within 20 ms.
    script.start(2020, 2100).state(2021, { vehicle_id: 2 });
    const { t = 0, simulatedMs, vehicles = [] } = script.take();
    const now = { t, simulatedMs };
    expect(vehicles.map((vehicle) => [vehicle.id, ageOf(vehicle, now)])).toEqual([
      [1, 2000],
      [2, 0],
    ]);
    // It stands still while it is paused.
    expect(script.effects(99_000).take()).toMatchObject({ simulatedMs: 2100 });
  });
});

describe('a plan', () => {
  const plan = (kind: 'trajectory' | 'pathTracking', atMs: number) => {
    const command = commandsOfAllKinds(1, BigInt(atMs) * 1_000_000n).find(
      (each) => each.kind === kind,
    );
    if (command === undefined) throw new TypeError(`no ${kind}`);
    return { ...command, bytes: encodeCommand(command), writerGuid: '0'.repeat(32) };
  };

  it('is over when its last point is past; without times, when no command renews it', () => {
    const script = new LiveScript('real');
    const [trajectory] = script.forward(5000, plan('trajectory', 5000)).take().plans ?? [];
    const [path] = script.forward(5000, plan('pathTracking', 5000)).take().plans ?? [];
    if (trajectory === undefined || path === undefined) throw new TypeError('no plan');
    const { untilMs = 0 } = trajectory;
    const at = (t: number) => ({ t, simulatedMs: undefined });
    expect(untilMs).toBeGreaterThan(5000);
    expect(isPlanOver(trajectory, at(untilMs), 50)).toBe(false);
    expect(isPlanOver(trajectory, at(untilMs + 1), 50)).toBe(true);
    expect(isPlanOver(trajectory, at(1000), 50)).toBe(true);
    expect(isPlanOver(path, at(5900), 50)).toBe(false);
    expect(isPlanOver(path, at(6001), 50)).toBe(true);
  });

  it('ends with the first stop command of the middleware, and with stops of its guard', () => {
    const script = new LiveScript('real').forward(5000, plan('pathTracking', 5000));
    expect(script.take().plans?.[0]?.points.length).toBeGreaterThan(0);
    const [stop] = commandsOfAllKinds(1, 1n);
    if (stop === undefined) throw new TypeError('no command');
    const own = { kind: 'commandVehicle', id: 1, command: stop } as const;
    const ended = [{ id: 1, kind: 'stop', points: [] }];
    expect(script.effects(5050, { ...own, cause: 'stop' }).take().plans).toMatchObject(ended);
    script.forward(5100, plan('pathTracking', 5100)).take();
    const safeStop = { kind: 'safeStop', id: 1, cause: 'misses', latched: true } as const;
    expect(script.effects(5150, safeStop).take().plans).toMatchObject(ended);
    script.forward(5200, plan('pathTracking', 5200)).take();
    const guard = { kind: 'vehiclesStopped', cause: 'guard', ids: 'all' } as const;
    script.step(5250, { ...guard, sent: [], atNs: 0n });
    expect(script.take().plans).toMatchObject(ended);
    // A page that is opened later gets no plan, too.
    expect(script.view.take(script.view.open(false))?.plans).toMatchObject(ended);
  });

  it('is renewed when the middleware repeats the last command', () => {
    const script = new LiveScript('real').forward(5000, plan('pathTracking', 5000));
    script.take();
    const command = plan('pathTracking', 5000);
    script.effects(6000, { kind: 'commandVehicle', id: 1, cause: 'hold', command });
    expect(script.take().plans).toMatchObject([{ id: 1, t: 6000, kind: 'pathTracking' }]);
  });
});

describe('a state with numbers that are not finite', () => {
  const { pose } = VehicleStateCodec.zero();
  const lost = { vehicle_id: 1, pose: { ...pose, x: NaN, y: NaN, yaw: NaN }, battery_voltage: NaN };
  const shown = (): VehicleView => {
    const [vehicle] = new LiveScript('real').state(5000, lost).take().vehicles ?? [];
    if (vehicle === undefined) throw new TypeError('no vehicle');
    return vehicle;
  };

  it('is unknown to the page, and not at the origin', () => {
    expect(shown()).toMatchObject({ x: null, y: null, yaw: null, battery: null, speed: 0 });
    const trail: number[] = [];
    extendTrail(trail, undefined, { ...shown(), x: 1, y: 1 });
    extendTrail(trail, { ...shown(), x: 1, y: 1 }, shown());
    expect(trail).toEqual([1, 1, NaN, NaN]);
  });

  it('has no voltage for Prometheus, and no arrow in Foxglove', () => {
    const { view } = new LiveScript('real').state(5000, lost);
    view.summary = oneController;
    const text = metricsText(view);
    expect(text).toContain('hlc_vehicle_speed_metres_per_second{vehicle="1"} 0');
    expect(text).not.toContain('hlc_vehicle_battery_volts{');
    const scene = sceneUpdate({ vehicles: [shown()] }, undefined, { sec: 1, nsec: 0 });
    expect(scene).toMatchObject({ entities: [{ id: 'vehicle 1', arrows: [], texts: [] }] });
  });

  it.each([
    ['real', 50, false, { sec: 1, nsec: 0 }],
    ['real', 500, false, { sec: 1, nsec: 500_000_000 }],
    ['real', 50, true, { sec: 0, nsec: 0 }],
    ['simulated', 50, false, { sec: 0, nsec: 0 }],
  ] as const)(
    'stays in the scene of Foxglove for a time (%s, %d ms, recording: %s)',
    (mode, periodMs, isRecording, lifetime) => {
      const script = new LiveScript('real').state(1000, { vehicle_id: 1 });
      const status = { mode, periodMs, controllers: [] } as unknown as StatusView;
      const scene = sceneUpdate(script.take(), status, { sec: 1, nsec: 0 }, isRecording);
      expect(scene).toMatchObject({ entities: [{ id: 'vehicle 1', lifetime }] });
    },
  );

  it('has a command that shows such a number as none', () => {
    const script = new LiveScript('real');
    const [direct] = commandsOfAllKinds(1, 1n);
    if (direct?.kind !== 'direct') throw new TypeError('no direct command');
    const message = { ...direct.message, motor_throttle: NaN };
    const command = { kind: 'direct', message } as const;
    script.forward(5000, {
      ...command,
      bytes: encodeCommand(command),
      writerGuid: '0'.repeat(32),
    });
    expect(script.view.commands(1)[0]?.numbers).toMatchObject({ motor_throttle: null });
  });
});

it('a state and a plan are decoded once, for all pages', () => {
  const script = new LiveScript('real').state(2000, { vehicle_id: 1 });
  const [command] = commandsOfAllKinds(1, 1_000_000_000n).filter(
    ({ kind }) => kind === 'trajectory',
  );
  if (command === undefined) throw new TypeError('no trajectory');
  script.forward(2001, { ...command, bytes: encodeCommand(command), writerGuid: '0'.repeat(32) });
  const { vehicles, plans } = script.take();
  const other = script.view.take(script.view.open(false));
  expect(other?.vehicles?.[0]).toBe(vehicles?.[0]);
  expect(other?.plans?.[0]).toBe(plans?.[0]);
});
