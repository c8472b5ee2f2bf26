import { beforeAll, describe, expect, it } from 'vitest';
import { topics } from '../../src/messages/index.js';
import { commandTopics, type CommandKind } from '../support/commands.js';
import type { SentCommand } from '../support/scripted-controller.js';
import { ScriptedVehicles } from '../support/scripted-vehicles.js';
import { TopicSource } from '../support/topic-source.js';
import { expectedCommand, expectedList, hashOf } from './expected.js';
import { openInteropLab, timeModes, type TimeMode } from './interop-lab.js';
import { languages, type Language } from './languages.js';
import { randomWorld, type RandomWorld } from './random-world.js';

/** More vehicles than the bound that some code generators give to a sequence without bounds. */
const manyVehicles = 120;
const probedVehicle = 7;
const probePeriodMs = 100;
const probePeriods = 24;
const examplePeriods = 40;
const examplePeriod = ['--period-ms=100', `--periods=${examplePeriods}`];
const kinds = Object.keys(commandTopics) as CommandKind[];
const modes = Object.keys(timeModes) as TimeMode[];

/** What came of a run of the probe in a world of many vehicles. */
interface ProbeRun {
  readonly world: RandomWorld;
  /** Lines of the probe: the time of a start signal, and the hash of what it received. */
  readonly lines: readonly string[];
  readonly commands: readonly SentCommand[];
}

async function runProbe({ probe }: Language, mode: TimeMode): Promise<ProbeRun> {
  const world = randomWorld(manyVehicles);
  const lab = await openInteropLab();
  const side = lab.joinLab();
  const vehicles = new ScriptedVehicles(side);
  const states = new TopicSource(side, topics.vehicleState);
  const observations = new TopicSource(side, topics.vehicleObservation);
  const middleware = lab.startMiddleware(
    mode,
    `--vehicle-ids=${probedVehicle}`,
    `--active-vehicle-ids=${world.states.map(({ vehicle_id }) => vehicle_id).join(',')}`,
    `--period-ms=${probePeriodMs}`,
    `--periods=${probePeriods}`,
  );
  await Promise.all([states.untilReadBy(1), observations.untilReadBy(1)]);
  for (const state of world.states) states.write(state);
  for (const observation of world.observations) observations.write(observation);
  const program = lab.startController(probe, probedVehicle);
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(program.stderr.items).toEqual([]);
  return { world, lines: program.stdout.items, commands: vehicles.commands.items };
}

function listAt(world: RandomWorld, tNowNs: bigint) {
  return expectedList(world, tNowNs, BigInt(probePeriodMs));
}

/** As on the wire, without what does not belong to the content: padding, for example. */
function contentOf({ kind, bytes }: SentCommand): string {
  const { codec } = commandTopics[kind];
  return Buffer.from(codec.encode(codec.decode(bytes) as never)).toString('hex');
}

function expectedContent(world: RandomWorld, tNowNs: bigint): string {
  const { kind, message } = expectedCommand(listAt(world, tNowNs), probedVehicle);
  return Buffer.from(commandTopics[kind].codec.encode(message as never)).toString('hex');
}

/** Three vehicles, each with an example of its own, in one run of the middleware. */
async function runExamples({ example }: Language, mode: TimeMode) {
  const ids = [1, 2, 3];
  const lab = await openInteropLab();
  const vehicles = `--vehicle-ids=${ids.join(',')}`;
  lab.startFleet(vehicles);
  const controllers = ids.map((id) => lab.startController(example, id));
  const middleware = lab.startMiddleware(mode, vehicles, ...examplePeriod);
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  for (const controller of controllers) {
    expect(await controller.ended).toEqual({ code: 0, signal: null });
    expect(controller.stderr.items).toEqual([]);
  }
  return middleware.summary();
}

describe.each(languages.map((language) => [language.name, language] as const))(
  '%s',
  (_, language) => {
    const missing = language.missing();
    if (missing !== undefined && process.env.CI === undefined) {
      it.skip(`is not tested: ${missing} cannot be found`);
      return;
    }

    beforeAll(() => language.build(), 600_000);

    // Tried again, since a machine that is busy with something else can make true misses.
    it('ready', { retry: 2 }, async () => {
      const { controllers, vehicles, samples_malformed } = await runExamples(language, 'real time');
      for (const { replies, misses } of Object.values(controllers)) {
        expect(replies + misses).toBe(examplePeriods);
        expect(replies).toBeGreaterThan(examplePeriods / 2);
      }
      for (const { distance_m } of Object.values(vehicles)) expect(distance_m).toBeGreaterThan(0.5);
      expect(samples_malformed).toEqual({});
    });

    it.each(modes)('state list in %s', async (mode) => {
      const { world, lines } = await runProbe(language, mode);
      const expected = lines.map((line) => {
        const tNowNs = BigInt(line.split(' ')[0] ?? '');
        return `${tNowNs} ${hashOf(listAt(world, tNowNs))}`;
      });
      expect(lines).toEqual(expected);
      expect(lines.length).toBeGreaterThan(probePeriods / 2);
    });

    it.each(modes)('commands in %s', async (mode) => {
      const { world, commands } = await runProbe(language, mode);
      for (const command of commands) {
        expect(contentOf(command)).toBe(expectedContent(world, command.createNs));
      }
      expect(new Set(commands.map(({ kind }) => kind))).toEqual(new Set(kinds));
    });

    it('simulated time', async () => {
      const everyStep = { replies: examplePeriods, misses: 0 };
      expect(await runExamples(language, 'simulated time')).toMatchObject({
        start_signals: examplePeriods,
        commands_refused: {},
        samples_malformed: {},
        controllers: { 1: everyStep, 2: everyStep, 3: everyStep },
      });
    });

    it('rejoin', async () => {
      const lab = await openInteropLab();
      const vehicles = new ScriptedVehicles(lab.joinLab());
      const other = lab.controller({ ids: [8] });
      const middleware = lab.startMiddleware(
        'simulated time',
        `--vehicle-ids=${probedVehicle},8`,
        '--period-ms=50',
        '--reply-timeout-ms=500',
        '--reply-timeout-policy=drop',
      );
      other.signIn();
      const answered = (afterNs: bigint) =>
        vehicles.commands.until((c) => c.vehicleId === probedVehicle && c.createNs > afterNs);
      const first = lab.startController(language.example, probedVehicle);
      await answered(0n);
      first.signal('SIGKILL');
      await middleware.untilLogged(`controller ${probedVehicle} is dead`);
      const before = vehicles.commands.items.at(-1)?.createNs ?? 0n;
      const second = lab.startController(language.example, probedVehicle);
      await answered(before);
      middleware.signal('SIGINT');
      expect(await second.ended).toEqual({ code: 0, signal: null });
      expect(await middleware.ended).toEqual({ code: 130, signal: null });
    });
  },
);
