import path from 'node:path';
import { expect } from 'vitest';
import { topics, type VehicleState } from '../../src/messages/index.js';
import { runCli } from '../support/cli.js';
import { cliProgram } from '../support/middleware.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTestLab, type TestLab } from '../support/test-lab.js';
import { TopicRecorder } from '../support/topic-recorder.js';
import { FourDrivers } from './driven-vehicles.js';
import { faultTest } from './fault-row.js';

const ids = [1, 2, 3, 4];
const kinds = ['direct', 'speed and curvature', 'trajectory', 'path'];
const periodMs = 50;
const graceMs = 2000;
const drivingMps = 0.3;
const restMps = 0.05;

/** The states of the vehicles of a simulated fleet. */
class Fleet {
  readonly #states: TopicRecorder<VehicleState>;
  readonly #newest = new Map<number, VehicleState>();

  constructor(lab: TestLab) {
    this.#states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
    this.#states.messages.forEach(({ message }) => this.#newest.set(message.vehicle_id, message));
    lab.startProgram(process.execPath, cliProgram, 'fleet', `--vehicle-ids=${ids.join(',')}`);
  }

  newest(id: number): VehicleState | undefined {
    return this.#newest.get(id);
  }

  /** Settles when the newest states of all vehicles are so. */
  async untilAll(wanted: (state: VehicleState) => boolean): Promise<void> {
    await this.#states.messages.until(() => {
      const newest = ids.map((id) => this.newest(id));
      return newest.every((state) => state !== undefined && wanted(state));
    });
  }
}

faultTest(
  {
    row: 3,
    fault: 'a controller hangs that drives a vehicle with each kind of command',
    mode: 'real time',
    expected: 'every vehicle stands, and drives again only after a resume',
  },
  async (measured) => {
    const lab = openTestLab();
    const socket = path.join(temporaryFolder(), 'control.sock');
    const fleet = new Fleet(lab);
    const drivers = new FourDrivers();
    let hangs = false;
    const controller = lab.controller({
      ids,
      onStart: (list, self) => {
        if (!hangs) for (const command of drivers.commands(list)) self.send(command);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware(
      `--vehicle-ids=${ids.join(',')}`,
      `--period-ms=${periodMs}`,
      '--miss-policy=stop',
      `--grace-ms=${graceMs}`,
      `--control-socket=${socket}`,
    );
    await fleet.untilAll(({ speed }) => speed > drivingMps);
    await controller.startSignals.untilCount(graceMs / periodMs + 1);
    hangs = true;
    const from = ids.map((id) => fleet.newest(id)?.odometer_distance ?? 0);
    for (const id of ids) await middleware.untilLogged(`vehicle ${id} stands`);
    await fleet.untilAll(({ speed }) => Math.abs(speed) < restMps);
    const figures = ids.map((id, i) => {
      const distance = (fleet.newest(id)?.odometer_distance ?? 0) - (from[i] ?? 0);
      const [stood] = middleware.logged(`vehicle ${id} stands`);
      return `${kinds[i] ?? ''}: ${Number(stood?.after_s).toFixed(2)} s, ${distance.toFixed(2)} m`;
    });
    measured(`from the stop command to rest, and way since the last answer: ${figures.join('; ')}`);

    hangs = false;
    for (const id of ids) await middleware.untilLogged(`controller ${id} is rejoining`);
    const { length } = controller.startSignals.items;
    await controller.startSignals.untilCount(length + 10);
    expect(ids.map((id) => Math.abs(fleet.newest(id)?.speed ?? 1)).every((v) => v < restMps)).toBe(
      true,
    );
    const resumed = await runCli('resume', '--control-socket', socket);
    expect(resumed.code).toBe(0);
    await fleet.untilAll(({ speed }) => speed > drivingMps);
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    // The last stop command of the run reaches vehicles that drive.
    await fleet.untilAll(({ speed }) => Math.abs(speed) < restMps);
    expect(middleware.summary().own_commands.stop).toBeGreaterThan(ids.length);
  },
);
