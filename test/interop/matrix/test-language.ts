import { beforeAll, describe, expect, it } from 'vitest';
import { commandTopics, type CommandKind } from '../../support/commands.js';
import { ScriptedVehicles } from '../../support/scripted-vehicles.js';
import { openInteropLab, timeModes, type TimeMode } from '../interop-lab.js';
import { languages, type Language } from '../languages.js';
import { contentOf, expectedContent, expectedLine, probePeriods, runProbe } from '../probe-run.js';

const restartedVehicle = 7;
const examplePeriods = 40;
const examplePeriod = ['--period-ms=100', `--periods=${examplePeriods}`];
const kinds = Object.keys(commandTopics) as CommandKind[];
const modes = Object.keys(timeModes) as TimeMode[];

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

/**
 * The tests of one row of the matrix. Each row has a file of its own, so that two run at a time.
 * @param name of the language
 */
export function testLanguage(name: string): void {
  const language = languages.find((each) => each.name === name);
  if (language === undefined) throw new Error(`${name} is no language of the matrix`);
  describe(name, () => {
    const missing = language.missing();
    if (missing !== undefined) {
      it(`is not tested: ${missing} cannot be found`, ({ skip }) => skip(`${missing} is missing`));
      return;
    }

    beforeAll(() => language.build(), 600_000);

    it('ready', async () => {
      const { controllers, vehicles, samples_malformed } = await runExamples(language, 'real time');
      for (const { replies, misses } of Object.values(controllers)) {
        expect(replies + misses).toBe(examplePeriods);
        expect(replies).toBeGreaterThan(examplePeriods / 2);
      }
      for (const { distance_m } of Object.values(vehicles)) expect(distance_m).toBeGreaterThan(0.5);
      expect(samples_malformed).toEqual({});
    });

    it.each(modes)('state list in %s', async (mode) => {
      const { world, lines } = await runProbe(language.probe, mode);
      const times = lines.map((line) => BigInt(line.split(' ')[0] ?? ''));
      expect(lines).toEqual(times.map((tNowNs) => expectedLine(world, tNowNs)));
      expect(lines.length).toBeGreaterThan(probePeriods / 2);
    });

    it.each(modes)('commands in %s', async (mode) => {
      const { world, commands } = await runProbe(language.probe, mode);
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
        `--vehicle-ids=${restartedVehicle},8`,
        '--period-ms=50',
        '--reply-timeout-ms=500',
        '--reply-timeout-policy=drop',
      );
      other.signIn();
      const answered = (afterNs: bigint) =>
        vehicles.commands.until((c) => c.vehicleId === restartedVehicle && c.createNs > afterNs);
      const first = lab.startController(language.example, restartedVehicle);
      await answered(0n);
      first.signal('SIGKILL');
      await middleware.untilLogged(`controller ${restartedVehicle} is dead`);
      const before = vehicles.commands.items.at(-1)?.createNs ?? 0n;
      const second = lab.startController(language.example, restartedVehicle);
      await answered(before);
      middleware.signal('SIGINT');
      expect(await second.ended).toEqual({ code: 0, signal: null });
      expect(await middleware.ended).toEqual({ code: 130, signal: null });
    });
  });
}
