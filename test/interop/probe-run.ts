import { expect } from 'vitest';
import { topics } from '../../src/messages/index.js';
import { commandTopics } from '../support/commands.js';
import type { Middleware } from '../support/middleware.js';
import type { SentCommand } from '../support/scripted-controller.js';
import { ScriptedVehicles } from '../support/scripted-vehicles.js';
import { TopicSource } from '../support/topic-source.js';
import { expectedCommand, expectedList, hashOf } from './expected.js';
import { openInteropLab, type TimeMode } from './interop-lab.js';
import { randomWorld, type RandomWorld } from './random-world.js';

/** More vehicles than the bound that some code generators give to a sequence without bounds. */
const manyVehicles = 120;
const probedVehicle = 7;
const probePeriodMs = 100;

/** Start signals of one run. */
export const probePeriods = 24;

/** What came of a run of the probe in a world of many vehicles. */
export interface ProbeRun {
  readonly world: RandomWorld;
  /** Lines of the probe: the time of a start signal, and the hash of what it received. */
  readonly lines: readonly string[];
  /** The commands of the probe that were forwarded to the vehicles. */
  readonly commands: readonly SentCommand[];
  /** Has ended. */
  readonly middleware: Middleware;
}

/** @param probe its command with first arguments */
export async function runProbe(
  probe: readonly string[],
  mode: TimeMode,
  ...flags: string[]
): Promise<ProbeRun> {
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
    ...flags,
  );
  await Promise.all([states.untilReadBy(1), observations.untilReadBy(1)]);
  for (const state of world.states) states.write(state);
  for (const observation of world.observations) observations.write(observation);
  const program = lab.startController(probe, probedVehicle);
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(program.stderr.items).toEqual([]);
  const lines = program.stdout.items;
  // The end of the run adds stop commands of the middleware, with stamps of their own.
  const times = new Set(lines.map((line) => line.split(' ')[0]));
  const commands = vehicles.commands.items.filter(({ createNs }) => times.has(`${createNs}`));
  return { world, lines, commands, middleware };
}

/** The line of a probe that received what was sent at this time. */
export function expectedLine(world: RandomWorld, tNowNs: bigint): string {
  return `${tNowNs} ${hashOf(listAt(world, tNowNs))}`;
}

/** As on the wire, without what does not belong to the content: padding, for example. */
export function contentOf({ kind, bytes }: SentCommand): string {
  const { codec } = commandTopics[kind];
  return Buffer.from(codec.encode(codec.decode(bytes) as never)).toString('hex');
}

/** The content of the command that a probe answers at this time. */
export function expectedContent(world: RandomWorld, tNowNs: bigint): string {
  const { kind, message } = expectedCommand(listAt(world, tNowNs), probedVehicle);
  return Buffer.from(commandTopics[kind].codec.encode(message as never)).toString('hex');
}

function listAt(world: RandomWorld, tNowNs: bigint) {
  return expectedList(world, tNowNs, BigInt(probePeriodMs));
}
