import { describe, expect, it } from 'vitest';
import { topics, type VehicleStateList } from '../../../src/messages/index.js';
import { commandTopics, commandsOfAllKinds, directCommand } from '../../support/commands.js';
import type { ScriptedController, SentCommand } from '../../support/scripted-controller.js';
import { openTestLab } from '../../support/test-lab.js';

/** The last of {@link commandsOfAllKinds} is made less than this after the start signal, ns. */
const allKindsNs = 4n;

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
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const onStart = (list: VehicleStateList, controller: ScriptedController) => {
      for (const id of controller.ids) {
        for (const command of commandsOfAllKinds(id, list.t_now)) controller.send(command);
      }
    };
    const modern = lab.controller({ ids: [1, 255], onStart });
    const old = lab.controller({ ids: [2], commands: 'best-effort', onStart });
    modern.signIn();
    old.signIn();
    const periods = 20;
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1,2,255',
      '--period-ms=100',
      `--periods=${periods}`,
    );

    // What is sent before the vehicles and the middleware know each other does not count.
    await Promise.all(
      Object.keys(commandTopics).map((wanted) =>
        vehicles.commands.until(({ kind }) => kind === wanted),
      ),
    );
    const connected = modern.startSignals.items.length;
    const { list: first } = await modern.startSignals.untilCount(connected + 1);
    await middleware.ended;
    // The commands that stop the vehicles at the end of the run are younger than the last reply.
    const lastNs = modern.startSignals.items.at(-1)?.list.t_now ?? 0n;
    const counted = ({ createNs }: SentCommand) =>
      createNs >= first.t_now && createNs < lastNs + allKindsNs;
    const sent = [...modern.sent, ...old.sent].filter(counted);
    const perPeriod = 3 * 4;
    expect(sent).toHaveLength((periods - connected) * perPeriod);
    expect(sent.length).toBeGreaterThan(8 * perPeriod);
    await vehicles.commands.until(
      () => vehicles.commands.items.filter(counted).length >= sent.length,
    );
    expect(listed(vehicles.commands.items.filter(counted))).toEqual(listed(sent));

    expect(middleware.summary().commands_refused).toEqual({});
    expect(middleware.summary().commands_forwarded).toEqual({
      vehicleCommandDirect: 3 * periods,
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
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=100', '--periods=6');
    const line = await middleware.untilLogged('command refused: A command names vehicle 7');
    expect(line.vehicle).toBe(7);
    expect(line.writer).toMatch(/^[0-9a-f]{32}$/);
    await middleware.ended;

    expect(middleware.summary()).toMatchObject({
      commands_refused: { HLC_COMMAND_UNKNOWN_VEHICLE: 6 },
      commands_forwarded: { [topics.vehicleCommandDirect.name]: 6 },
      controllers: { 1: { replies: 6, misses: 0 } },
    });
    // Six in 0.6 s are reported once.
    expect(middleware.logged('command refused')).toHaveLength(1);
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

    expect(middleware.summary()).toMatchObject({
      commands_forwarded: { [topics.vehicleCommandDirect.name]: 5 },
      commands_refused: {
        HLC_COMMAND_NO_PERIOD: 1,
        HLC_COMMAND_NOT_NEWER: 5,
        HLC_COMMAND_OUT_OF_RANGE: 5,
      },
      controllers: { 1: { replies: 5, misses: 0 }, 2: { replies: 0, misses: 5 } },
    });
  });
});
