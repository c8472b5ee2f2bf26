import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCodes, cpmLabCommandRules, type CheckName } from '../../../src/core/index.js';
import type { VehicleStateList } from '../../../src/messages/index.js';
import { directCommand, type AnyCommand } from '../../support/commands.js';
import type { Middleware } from '../../support/middleware.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Wrong = (tNowNs: bigint) => AnyCommand;

function header(createNs: bigint) {
  const stamp = { nanoseconds: createNs };
  return { create_stamp: stamp, valid_after_stamp: stamp };
}

/** A trajectory with points at these times, ns from now. */
const trajectory =
  (...times: readonly number[]): Wrong =>
  (tNowNs) => ({
    kind: 'trajectory',
    message: {
      vehicle_id: 1,
      header: header(tNowNs),
      trajectory_points: times.map((t) => ({
        t: { nanoseconds: tNowNs + BigInt(t) },
        px: 0,
        py: 0,
        vx: 1,
        vy: 0,
      })),
    },
  });

/** A path with points at these lengths, which by default ends where it begins. */
const pathAt =
  (lengths: readonly number[], lastX = 0, vehicle_id = 1): Wrong =>
  (tNowNs) => ({
    kind: 'pathTracking',
    message: {
      vehicle_id,
      header: header(tNowNs),
      speed: 1,
      path: lengths.map((s, i) => {
        const last = i === lengths.length - 1;
        return { s, pose: { x: last ? lastX : i, y: 0, yaw: 0 } };
      }),
    },
  });

/** A command with this speed, m/s. */
const speedCommand =
  (speed: number): Wrong =>
  (tNowNs) => ({
    kind: 'speedCurvature',
    message: { vehicle_id: 1, header: header(tNowNs), speed, curvature: 0 },
  });

/** A command that holds from so long after it was made, ns. */
const holdsLater =
  (aheadNs: bigint): Wrong =>
  (tNowNs) => {
    const wrong = header(tNowNs);
    const valid_after_stamp = { nanoseconds: tNowNs + aheadNs };
    return directCommand(1, tNowNs, { header: { ...wrong, valid_after_stamp } });
  };

/** For each check a command within a step that fails this check alone. */
const wrongInAStep: readonly (readonly [CheckName, Wrong])[] = [
  ['unknownVehicle', (tNowNs) => directCommand(7, tNowNs)],
  ['createdInFuture', (tNowNs) => directCommand(1, tNowNs + 1n)],
  ['createdBeforePeriod', (tNowNs) => directCommand(1, tNowNs - 1n)],
  ['notFinite', (tNowNs) => directCommand(1, tNowNs, { steering_servo: NaN })],
  ['validTooFarAhead', holdsLater(1_000_000_001n)],
  ['tooLarge', pathAt([0, 1, 2.1e7])],
  ['tooFast', speedCommand(5.000001)],
  ['outOfRange', (tNowNs) => directCommand(1, tNowNs, { motor_throttle: -1.000001 })],
  ['trajectoryTooShort', trajectory(-1, 1_000_000_000)],
  ['trajectoryNoPast', trajectory(1, 2, 1_000_000_000)],
  ['trajectoryNoFuture', trajectory(-3, -2, -1)],
  ['trajectoryTimeOrder', trajectory(-1, 1_000, 1_000, 1_000_000_000)],
  ['pathTooShort', pathAt([0])],
  // Here the original ends. Another vehicle, since a code is logged once a second for each.
  ['pathTooShort', pathAt([], 0, 2)],
  ['pathStart', pathAt([0.5, 1, 2])],
  ['pathOrder', pathAt([0, 2, 1, 3])],
  ['pathNotClosed', pathAt([0, 1, 2], 0.5)],
];

const simulatedSteps = ['--simulated_time=true', '--time_source=self', '--period_ms=20'];

/** How often the codes of these checks stand in a summary. */
function countedByCode(checks: readonly CheckName[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const check of checks) counts[checkCodes[check]] = (counts[checkCodes[check]] ?? 0) + 1;
  return counts;
}

/** Vehicles that hear all that is forwarded, and controllers of the vehicles 1 and 2. */
async function openChecks(...flags: string[]) {
  const lab = openOriginalLab();
  const side = lab.joinLab();
  const vehicles = lab.vehicles(side);
  const { met } = lab.realTimeControl({ side });
  const controller = lab.controller({ ids: [1, 2], onStart: () => undefined });
  const middleware = lab.startMiddleware('--vehicle_ids=1,2', ...flags);
  await met();
  const forwarded = (count: number) => vehicles.commands.untilCount(count);
  return { controller, middleware, vehicles, forwarded };
}

/** Settles when the middleware has logged so many refusals. */
async function refusals(middleware: Middleware, count: number): Promise<void> {
  await middleware.logs.until(() => middleware.logged('command refused').length >= count);
}

/** Those that need more than one command within a step. */
const wrongElsewhere: readonly CheckName[] = ['noPeriod', 'notNewer'];

/** A command within a step is never old. */
const ofRealTime: readonly CheckName[] = ['tooOld'];

/** The original compares with the wall clock: in simulated time nothing is in the future. */
const notCompatible: CheckName = 'createdInFuture';

/** Those of supervision, which has tests of its own: a controller that is out, or is two. */
const ofSupervision: readonly CheckName[] = ['notTakingPart', 'otherWriter'];

describe('the checks of commands', () => {
  it('are all tried here, but for those of supervision', () => {
    const inSteps = wrongInAStep.map(([check]) => check);
    const tried = [...inSteps, ...wrongElsewhere, ...ofRealTime, ...ofSupervision];
    expect(new Set(tried)).toEqual(new Set(Object.keys(checkCodes)));
  });

  it('refuse what fails one of them: it is counted by its code, named, and not forwarded', async () => {
    const { controller, middleware, vehicles, forwarded } = await openChecks(...simulatedSteps);
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    controller.send(directCommand(1, 1n));
    await refusals(middleware, 1);
    controller.signIn('hlc_2');

    let refused = 1;
    let good = 0;
    let step = 0;
    const next = async (): Promise<VehicleStateList> =>
      (await controller.startSignals.untilCount(++step)).list;
    for (const [, wrong] of wrongInAStep) {
      const { t_now } = await next();
      controller.send(wrong(t_now));
      await refusals(middleware, ++refused);
      controller.send(directCommand(1, t_now));
      controller.send(directCommand(2, t_now));
      await forwarded((good += 2));
    }
    const { t_now } = await next();
    controller.send(directCommand(1, t_now));
    controller.send(directCommand(1, t_now));
    await refusals(middleware, refused + 1);
    await forwarded(good + 1);
    middleware.signal('SIGTERM');
    await middleware.ended;

    const { commands_refused, commands_flagged, commands_forwarded } = middleware.summary();
    const tried = wrongInAStep.map(([check]) => check);
    expect(commands_refused).toEqual(countedByCode([...tried, 'noPeriod', 'notNewer']));
    expect(commands_flagged).toEqual({});
    expect(commands_forwarded).toEqual({ vehicleCommandDirect: good + 1 });
    expect(vehicles.commands.items.every(({ kind }) => kind === 'direct')).toBe(true);
    expect(controller.startSignals.items).toHaveLength(step);
  });

  it('forward it with --compat=cpm-lab, where any command is a reply, and flag what the original flags, in its words', async () => {
    const { controller, middleware, vehicles, forwarded } = await openChecks(
      ...simulatedSteps,
      '--compat=cpm-lab',
    );
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    controller.send(directCommand(1, 1n));
    await forwarded(1);
    controller.signIn('hlc_2');

    let step = 0;
    const send = async (command: AnyCommand) => {
      controller.send(command);
      await forwarded(controller.sent.length);
    };
    const next = async (): Promise<VehicleStateList> =>
      (await controller.startSignals.untilCount(++step)).list;
    // The command before the first period has the stamp of that period.
    const { t_now: first } = await next();
    await send(directCommand(2, first));
    await send(directCommand(1, first));
    for (const [, wrong] of wrongInAStep) {
      const { t_now } = await next();
      const command = wrong(t_now);
      await send(command);
      const others = [1, 2].filter((id) => id !== command.message.vehicle_id);
      for (const id of others) await send(directCommand(id, t_now));
    }
    await next();
    middleware.signal('SIGTERM');
    await middleware.ended;

    const { commands_refused, commands_flagged, commands_forwarded } = middleware.summary();
    const flagged = wrongInAStep
      .map(([check]) => check)
      .filter((check) => cpmLabCommandRules.policies[check] === 'flag')
      .filter((check) => check !== notCompatible);
    expect(flagged).toHaveLength(10);
    expect(commands_refused).toEqual({});
    expect(commands_flagged).toEqual(countedByCode(flagged));
    const sentences = middleware.logs.items.filter(({ msg }) => /HLC (script|message)/.test(msg));
    expect(sentences.map(({ code }) => code)).toEqual(flagged.map((check) => checkCodes[check]));
    expect(middleware.logged('command forwarded')).toEqual([]);
    expect(middleware.program.stdout.items.join('\n')).toContain('commands flagged');
    // What follows stops the vehicles at the end of the run.
    const forwardedItems = vehicles.commands.items.slice(0, controller.sent.length);
    expect(forwardedItems).toMatchObject(controller.sent);
    const total = Object.values(commands_forwarded).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(controller.sent.length);
  });

  it.each([
    { rest: 'reject', pathNotClosed: 'flag', outOfRange: undefined },
    { rest: 'flag', pathNotClosed: undefined, outOfRange: 'reject' },
  ])(
    'have policies of their own in the configuration file: $rest, but pathNotClosed $pathNotClosed and outOfRange $outOfRange',
    async ({ rest, pathNotClosed, outOfRange }) => {
      const file = path.join(temporaryFolder(), 'middleware.yaml');
      const single = Object.entries({ pathNotClosed, outOfRange })
        .filter(([, policy]) => policy !== undefined)
        .map(([check, policy]) => `  ${check}: ${policy ?? ''}\n`);
      writeFileSync(file, `check-policy: ${rest}\nchecks:\n${single.join('')}`);
      const { controller, middleware, forwarded, vehicles } = await openChecks(
        ...simulatedSteps,
        `--config=${file}`,
      );
      controller.signIn();
      const { list } = await controller.startSignals.untilCount(1);
      controller.send(pathAt([0, 1, 2], 0.5)(list.t_now));
      await forwarded(1);
      controller.send(directCommand(2, list.t_now, { motor_throttle: 2 }));
      await refusals(middleware, 1);
      expect(vehicles.commands.items.map(({ kind }) => kind)).toEqual(['pathTracking']);
      middleware.signal('SIGTERM');
      await middleware.ended;
      expect(middleware.summary()).toMatchObject({
        commands_refused: { HLC_COMMAND_OUT_OF_RANGE: 1 },
        commands_flagged: { HLC_PATH_NOT_CLOSED: 1 },
        controllers: { 1: { replies: 1 }, 2: { replies: 0 } },
      });
    },
  );
});
