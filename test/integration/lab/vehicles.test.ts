import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { topics, type VehicleStateList } from '../../../src/messages/index.js';
import { createVehicles } from '../../../src/sides/index.js';
import { root } from '../../../tools/paths.mjs';
import type { AnyCommand } from '../../support/commands.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { openTestLab } from '../../support/test-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

const ms = 1_000_000n;
const second = 1000n * ms;

function driveAt(speed: number, { t_now }: VehicleStateList): AnyCommand {
  const stamp = { nanoseconds: t_now };
  const header = { create_stamp: stamp, valid_after_stamp: stamp };
  return { kind: 'speedCurvature', message: { vehicle_id: 1, header, speed, curvature: 0.5 } };
}

describe('the vehicle of examples/typescript', () => {
  it('drives by the commands of a controller, and stops 1 s after the last one', async () => {
    const lab = openTestLab();
    const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
    let isAnswering = true;
    let lastCommandNs = 0n;
    const controller = lab.controller({
      ids: [1],
      onStart(list, self) {
        if (!isAnswering) return;
        self.send(driveAt(0.5, list));
        lastCommandNs = list.t_now;
      },
    });
    const program = path.join(root, 'build/examples/typescript/vehicle.js');
    const vehicle = lab.startProgram(process.execPath, program, '--vehicle-id', '1');
    await states.messages.untilCount(1);
    lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
    controller.signIn();

    const { message: fast } = await states.messages.until(({ message }) => message.speed === 0.5);
    isAnswering = false;
    expect(controller.startSignals.items.at(-1)?.list.state_list).toMatchObject([
      { vehicle_id: 1 },
    ]);
    const { message: atRest } = await states.messages.until(({ message }) => {
      const { create_stamp } = message.header;
      return create_stamp.nanoseconds > fast.header.create_stamp.nanoseconds && message.speed === 0;
    });
    const slower = states.samples.find(({ speed, header }) => {
      return speed < 0.5 && header.create_stamp.nanoseconds > fast.header.create_stamp.nanoseconds;
    });
    expect(slower?.header.create_stamp.nanoseconds).toBeGreaterThanOrEqual(lastCommandNs + second);
    expect(atRest.pose.x).toBeGreaterThan(fast.pose.x + 0.3);
    expect(atRest.pose.yaw).toBeGreaterThan(fast.pose.yaw);

    vehicle.signal('SIGTERM');
    expect(await vehicle.ended).toEqual({ code: 0, signal: null });
    expect(vehicle.stderr.items).toEqual([]);
  });
});

describe('vehicles of the SDK in simulated time', () => {
  it('are at every step where the lab is, and drive by what is forwarded to them', async () => {
    const lab = openOriginalLab();
    const transport = lab.joinLab();
    const errors: unknown[] = [];
    const steps: bigint[] = [];
    let x = 0;
    const vehicles = await createVehicles({
      ids: [1],
      transport,
      onError: (error) => errors.push(error),
      simulatedTime: {
        onStep(nowNs) {
          const command = vehicles.commandFor(1);
          const speed = command?.kind === 'speedCurvature' ? command.message.speed : 0;
          x += speed * 0.02;
          steps.push(nowNs);
          vehicles.publish({ vehicleId: 1, pose: { x, y: 0, yaw: 0 }, speed });
        },
      },
    });
    onTestFinished(() => vehicles.close());
    const { control, met, signedIn } = lab.simulatedTimeControl(
      { expected: ['middleware', 'vehicle_1'] },
      { side: transport },
    );
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => self.send(driveAt(2, list)),
    });
    const middleware = lab.startMiddleware(
      '--vehicle_ids=1',
      '--simulated_time=true',
      '--period_ms=100',
      '--periods=30',
    );
    await met();
    controller.signIn();
    await Promise.all([signedIn('middleware'), signedIn('vehicle_1')]);
    control.time.start();
    expect(await middleware.ended).toEqual({ code: 0, signal: null });

    const lists = controller.startSignals.items.map(({ list }) => list);
    expect(lists).toHaveLength(30);
    // States may be used 60 ms after they were made, and the first one was made at 0.
    expect(lists.slice(1).map(({ state_list: [state] }) => state?.header.create_stamp)).toEqual(
      lists.slice(1).map(({ t_now }) => ({ nanoseconds: t_now - 1n - 60n * ms })),
    );
    expect(steps.slice(0, 3)).toEqual([0n, 20n * ms, 40n * ms]);
    const last = lists.at(-1)?.state_list[0];
    expect(last?.speed).toBe(2);
    expect(last?.pose.x).toBeGreaterThan(5);
    expect(errors).toEqual([]);
  });
});
