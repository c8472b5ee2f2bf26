import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import type { RunSummary } from '../../../src/node/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import { programsOf } from '../../support/programs-of.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

/** `hlc-middleware` with these arguments, in a lab of its own. */
function start(lab: TestLab, ...args: string[]): ChildProgram {
  const name = `hlc-middleware ${args[0] ?? ''}`;
  return new ChildProgram(name, process.execPath, [cliProgram, ...args], loopbackUri(lab.uri));
}

/** Plays to the end, and gives the summary. */
async function play(lab: TestLab, ...flags: string[]): Promise<RunSummary> {
  const file = path.join(temporaryFolder(), 'summary.json');
  const program = start(lab, 'play', '--control-socket=off', `--summary=${file}`, ...flags);
  const end = await program.ended;
  expect(end, program.stderr.items.join('\n')).toEqual({ code: 0, signal: null });
  return JSON.parse(readFileSync(file, 'utf8')) as RunSummary;
}

/** How far each vehicle drove, metres, by its id. */
function distances({ vehicles }: RunSummary): number[] {
  return Object.values(vehicles).map(({ distance_m }) => distance_m);
}

describe('hlc-middleware play', () => {
  it('plays in real time, with an example controller for each vehicle', async () => {
    const summary = await play(openTestLab(), '--periods=60', '--track=figure-eight');
    expect(summary.start_signals).toBe(60);
    // How many replies are in time depends on the machine.
    for (const id of [1, 2, 3]) expect(summary.controllers[id]?.replies).toBeGreaterThan(0);
    expect(distances(summary)).toHaveLength(3);
    for (const distance of distances(summary)) expect(distance).toBeGreaterThan(0);
  });

  it('plays in simulated time: every step is answered, every vehicle drives', async () => {
    const flags = ['--simulated-time', '--periods=200', '--vehicle-amount=2', '--track=oval'];
    const summary = await play(openTestLab(), ...flags);
    expect(summary).toMatchObject({
      start_signals: 200,
      commands_refused: {},
      controllers: { 1: { replies: 200, misses: 0 }, 2: { replies: 200, misses: 0 } },
    });
    // 10 s of simulated time at up to 0.8 m/s.
    for (const distance of distances(summary)) expect(distance).toBeGreaterThan(6);
  });

  it('is a lab of its own also where CYCLONEDDS_URI is empty', async () => {
    const flags = ['--control-socket=off', '--vehicle-ids=1', '--simulated-time', '--periods=20'];
    const args = [cliProgram, 'play', ...flags];
    const program = new ChildProgram('hlc-middleware play', process.execPath, args, '');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it('loses all states with --loss=1', async () => {
    const flags = ['--simulated-time', '--vehicle-ids=1', '--loss=1', '--periods=20'];
    expect((await play(openTestLab(), ...flags)).vehicles).toEqual({});
  });

  it('loses the fraction --loss of the states, and drives on', async () => {
    const flags = ['--simulated-time', '--vehicle-ids=1', '--loss=0.25', '--seed=3'];
    const summary = await play(openTestLab(), ...flags, '--periods=400', '--track=circle');
    // 50 states a second over the 19.95 s between the first step and the last.
    const received = (summary.vehicles[1]?.states_received ?? 0) / 997;
    expect(received).toBeGreaterThan(0.7);
    expect(received).toBeLessThan(0.8);
    expect(distances(summary)[0]).toBeGreaterThan(10);
  });
});

const periods = 80;

/** A run in simulated time whose third vehicle is driven by a controller of this process. */
async function runWithOwn(seed: number): Promise<readonly string[]> {
  const lab = openTestLab();
  const side = lab.join('controllers');
  const lists = new TopicRecorder(side, topics.vehicleStateList);
  const own = lab.controller({ ids: [3] });
  const program = start(
    lab,
    'play',
    '--control-socket=off',
    '--simulated-time',
    '--own=3',
    `--seed=${seed}`,
    `--periods=${periods}`,
    '--loss=0.2',
    '--delay-ms=30',
    '--state-noise=0.02',
  );
  await program.stderr.until((line) => line.includes('vehicle 3 waits for your controller'));
  await lists.untilMatched();
  own.signIn();
  const end = await program.ended;
  expect(end, program.stderr.items.join('\n')).toEqual({ code: 0, signal: null });
  await lists.messages.untilCount(periods);
  const seen = lists.samples.flatMap(({ state_list }) => state_list);
  for (const id of [1, 2, 3]) expect(seen.some((state) => state.vehicle_id === id)).toBe(true);
  return lists.messages.items.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
}

describe('a play in simulated time with disturbances', () => {
  let first: readonly string[];

  it('makes all its steps with a controller of another process', async () => {
    first = await runWithOwn(7);
    expect(first).toHaveLength(periods);
  });

  it('gives the same bytes for the same seed', async () => {
    expect(await runWithOwn(7)).toEqual(first);
  });

  it('gives other bytes for another seed', async () => {
    expect(await runWithOwn(8)).not.toEqual(first);
  });
});

describe('a play that is killed', () => {
  it('leaves vehicles at rest, and then no program; those of another lab go on', async () => {
    const otherUri = loopbackUri(isolatedCycloneUri());
    const fleet = [cliProgram, 'fleet', '--vehicle-ids=1'];
    const other = new ChildProgram('another fleet', process.execPath, fleet, otherUri);
    await other.stderr.until((line) => line.startsWith('vehicle 1'));
    const lab = openTestLab();
    const states = new TopicRecorder(lab.join('lab'), topics.vehicleState, {
      reliability: { kind: 'best-effort' },
      history: { kind: 'keep-all' },
    });
    const socket = path.join(temporaryFolder(), 'a.sock');
    const flags = ['--page', '--vehicle-ids=1,2', `--control-socket=${socket}`];
    const played = start(lab, 'play', ...flags, `--record=${socket}.mcap`);
    const speed = (id: number) =>
      states.samples.findLast(({ vehicle_id }) => vehicle_id === id)?.speed ?? 0;
    await expect.poll(() => Math.min(speed(1), speed(2)), { timeout: 30_000 }).toBeGreaterThan(0.3);
    // Itself, two controllers, vehicles, page, guard and recorder.
    expect(programsOf(lab.uri).length).toBeGreaterThanOrEqual(7);
    played.signal('SIGKILL');
    await expect.poll(() => programsOf(lab.uri), { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => [speed(1), speed(2)]).toEqual([0, 0]);
    expect(other.gone).toBe(false);
  });
});

describe('hlc-middleware fleet', () => {
  it('notices another program that drives one of its vehicles', async () => {
    const lab = openTestLab();
    const fleets = ['1,2', '2,3'].map((ids) => start(lab, 'fleet', `--vehicle-ids=${ids}`));
    for (const fleet of fleets) {
      await fleet.stderr.until((line) =>
        line.includes('Another program publishes states of vehicle 2'),
      );
    }
    for (const fleet of fleets) {
      fleet.signal('SIGTERM');
      expect(await fleet.ended).toEqual({ code: 143, signal: null });
      const logged = fleet.stderr.items.filter((line) =>
        line.includes('Another program publishes'),
      );
      expect(logged).toHaveLength(1);
    }
  });

  it('steps with a middleware that is started by itself', async () => {
    const lab = openTestLab();
    const fleet = start(lab, 'fleet', '--vehicle-ids=1', '--simulated-time');
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const flags = ['--vehicle-ids=1', '--period-ms=20', '--simulated-time', '--periods=50'];
    const middleware = lab.startMiddleware(...flags);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary()).toMatchObject({ start_signals: 50, commands_refused: {} });
    const states = controller.startSignals.items.map(({ list }) => list.state_list.length);
    // A state is valid 60 ms after it was made.
    expect(states).toEqual([0, 0, 0, 0, ...Array.from({ length: 46 }, () => 1)]);
    await fleet.stderr.until((line) => line.startsWith('middleware has left, and time waits for'));
    fleet.signal('SIGTERM');
    expect(await fleet.ended).toEqual({ code: 143, signal: null });
    expect(fleet.stderr.items).toContain('middleware signed in');
  });

  it('ends the run of the middleware when they end', async () => {
    const lab = openTestLab();
    const fleet = start(lab, 'fleet', '--vehicle-ids=1', '--simulated-time');
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--simulated-time', '--period-ms=20');
    await controller.startSignals.untilCount(5);
    fleet.signal('SIGTERM');
    expect(await fleet.ended).toEqual({ code: 143, signal: null });
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  });
});
