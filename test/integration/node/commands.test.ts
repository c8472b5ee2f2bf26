import { describe, expect, it } from 'vitest';
import { topics, type VehicleStateList } from '../../../src/messages/index.js';
import { commandsOfAllKinds, directCommand } from '../../support/commands.js';
import { openOriginalLab } from '../../support/original-lab.js';
import type { ScriptedController, SentCommand } from '../../support/scripted-controller.js';
import { openTestLab } from '../../support/test-lab.js';

/** One line for each command; in an order of its own, since topics have none among each other. */
function listed(commands: readonly SentCommand[]): string[] {
  return commands
    .map(({ kind, vehicleId, createNs, bytes }) => {
      return `${createNs} ${vehicleId} ${kind} ${Buffer.from(bytes).toString('hex')}`;
    })
    .sort();
}

describe('a command', () => {
  it('of each kind is forwarded byte for byte and once, from reliable and from best-effort writers', async () => {
    const lab = openOriginalLab();
    const side = lab.joinLab();
    const vehicles = lab.vehicles(side);
    const { met } = lab.realTimeControl({ side });
    const onStart = (list: VehicleStateList, controller: ScriptedController) => {
      for (const id of controller.ids) {
        for (const command of commandsOfAllKinds(id, list.t_now, 0n)) controller.send(command);
      }
    };
    const modern = lab.controller({ ids: [1, 255], onStart });
    const old = lab.controller({ ids: [2], commands: 'best-effort', onStart });
    // A step lasts until it replies: when the vehicles have all that the others sent in this step.
    const last = lab.controller({ ids: [3], onStart: () => undefined });
    const periods = 20;
    const perPeriod = 3 * 4;
    const middleware = lab.startMiddleware(
      '--vehicle_ids=1,2,3,255',
      '--simulated_time=true',
      '--time_source=self',
      '--offset_nanoseconds=1000000000',
      '--period_ms=100',
      `--periods=${periods}`,
    );
    await met();
    for (const controller of [modern, old, last]) controller.signIn();
    for (let step = 1; step <= periods; step++) {
      const { list } = await last.startSignals.untilCount(step);
      await vehicles.commands.untilCount(step * perPeriod + step - 1);
      last.answer(list);
      await vehicles.commands.untilCount(step * (perPeriod + 1));
    }
    await middleware.ended;
    // What follows stops the vehicles at the end of the run.
    const forwarded = vehicles.commands.items.slice(0, periods * (perPeriod + 1));
    expect(listed(forwarded)).toEqual(listed([...modern.sent, ...old.sent, ...last.sent]));

    expect(middleware.summary().commands_refused).toEqual({});
    expect(middleware.summary().commands_forwarded).toEqual({
      vehicleCommandDirect: 4 * periods,
      vehicleCommandSpeedCurvature: 3 * periods,
      vehicleCommandTrajectory: 3 * periods,
      vehicleCommandPathTracking: 3 * periods,
    });
  });

  it('for a vehicle without a controller here is refused, counted by its code and named', async () => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        self.send(directCommand(7, list.t_now));
        self.answer(list);
      },
    });
    controller.signIn();
    const time = ['--simulated-time', '--time-source=self', '--period-ms=100', '--periods=6'];
    const middleware = lab.startMiddleware('--vehicle-ids=1', ...time);
    const line = await middleware.untilLogged('command refused: A command names vehicle 7');
    expect(line.vehicle).toBe(7);
    expect(line.writer).toMatch(/^[0-9a-f]{32}$/);
    await middleware.ended;

    expect(middleware.summary()).toMatchObject({
      commands_refused: { HLC_COMMAND_UNKNOWN_VEHICLE: 6 },
      commands_forwarded: { [topics.vehicleCommandDirect.name]: 6 },
      controllers: { 1: { replies: 6, misses: 0 } },
    });
    // They are reported once a second.
    const times = middleware.logged('command refused').map((one) => Date.parse(one.time));
    expect(times.slice(1).filter((time, i) => time - (times[i] ?? 0) < 999)).toEqual([]);
    expect(vehicles.commands.items.filter(({ vehicleId }) => vehicleId !== 1)).toEqual([]);
  });

  it('is refused before the first period, and when its own check fails', async () => {
    const lab = openTestLab();
    const controller = lab.controller({
      ids: [1, 2],
      onStart: (list, self) => {
        self.answer(list, [1]);
        self.answer(list, [1]); // the same stamp again
        self.send(directCommand(2, list.t_now, { motor_throttle: 1.5 }));
      },
    });
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=100', '--periods=5');
    await middleware.untilLogged('waiting for controllers');
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    controller.send(directCommand(1, lab.clocks.realtimeNs()));
    const line = await middleware.untilLogged('command refused');
    expect(line.msg).toContain('came while no period was running');
    controller.signIn('hlc_2');
    await middleware.ended;

    const { commands_forwarded, commands_refused, controllers } = middleware.summary();
    const { replies = 0, misses = 0 } = controllers[1] ?? {};
    // A busy machine may delay a reply beyond its period: it is refused as late.
    expect(replies + misses).toBe(5);
    expect(controllers[2]).toMatchObject({ replies: 0, misses: 5 });
    const { [topics.vehicleCommandDirect.name]: forwarded = 0 } = commands_forwarded;
    expect(forwarded).toBeLessThanOrEqual(replies);
    // What the middleware itself held up is a reply, and too old to be forwarded.
    expect(replies - forwarded).toBeLessThanOrEqual(commands_refused.HLC_COMMAND_TOO_OLD ?? 0);
    expect(commands_refused.HLC_COMMAND_NO_PERIOD).toBe(1);
    expect(commands_refused.HLC_COMMAND_NOT_NEWER).toBeGreaterThan(0);
    expect(commands_refused.HLC_COMMAND_NOT_NEWER).toBeLessThanOrEqual(replies);
    expect(commands_refused.HLC_COMMAND_OUT_OF_RANGE).toBeGreaterThan(0);
  });
});
