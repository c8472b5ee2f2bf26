import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ChildProgram } from '../support/child-program.js';
import { startCommand } from '../support/gateway-program.js';
import { nowUs, type JudgedVehicle } from '../support/judged-lab.js';
import type { MiddlewareStart } from '../support/middleware.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allKinds } from './driven-kinds.js';
import { tolerance, type MotionScenario, type RunningLab } from './motion-row.js';

/** The default of --guard-after-ms, s. */
export function guardAfterS(periodMs: number): number {
  return Math.max(300, 3 * periodMs) / 1000;
}

/** A running lab with a guard. */
export interface GuardedLab extends RunningLab {
  /** Signals the middleware only. */
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly socket: string;
  /** Of a second middleware. */
  readonly flags: readonly string[];
}

/** What else a scenario may have; see `MotionScenario`. */
export interface GuardedOptions {
  readonly vehicles?: readonly JudgedVehicle[];
  readonly begin?: (running: RunningLab) => unknown;
  readonly after?: (lab: GuardedLab) => unknown;
  readonly detectionS?: number;
  readonly fastestMps?: number;
  readonly from?: MiddlewareStart;
  readonly more?: readonly string[];
}

/** A middleware with a guard of its own. */
export function guarded(
  name: string,
  periodMs: number,
  fault: (lab: GuardedLab) => unknown,
  {
    vehicles = allKinds,
    begin,
    after,
    detectionS = guardAfterS(periodMs),
    fastestMps,
    from = {},
    more = [],
  }: GuardedOptions = {},
): MotionScenario {
  let socket: string | undefined;
  const extended = (running: RunningLab): GuardedLab => {
    const { pid } = running.middleware.program;
    if (socket === undefined || pid === undefined) throw new Error('Nothing was started.');
    const kill = (signal: NodeJS.Signals) => void process.kill(pid, signal);
    return { ...running, kill, socket, flags: flagsFor(socket) };
  };
  const flagsFor = (of: string) => [
    `--period-ms=${periodMs}`,
    `--control-socket=${of}`,
    '--guard',
    ...tolerance(periodMs),
    ...more,
  ];
  return {
    name,
    vehicles,
    get flags() {
      return flagsFor((socket ??= path.join(temporaryFolder(), 'control.sock')));
    },
    start: from,
    detectionS,
    ...(fastestMps === undefined ? {} : { fastestMps }),
    ...(begin === undefined ? {} : { begin }),
    fault: (running) => fault(extended(running)),
    after: (running) => after?.(extended(running)),
  };
}

/** The process id of the guard, the only child of its middleware. */
export function guardOf({ middleware: { program } }: RunningLab): number {
  const { pid = 0 } = program;
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(child);
}

/**
 * Kills the middleware; settles when its guard stops the vehicles.
 * @returns the instant of the kill, monotonic clock, µs, and the process id of the guard
 */
export async function killUntilGuardStops(
  lab: GuardedLab,
): Promise<{ faultUs: number; guard: number }> {
  const guard = guardOf(lab);
  const faultUs = nowUs();
  lab.kill('SIGKILL');
  await untilStopping(lab.middleware.program);
  return { faultUs, guard };
}

/** Settles when a guard says that it stops the vehicles. */
export async function untilStopping({ stderr }: ChildProgram): Promise<void> {
  await stderr.until((line) => line.includes(': the guard stops vehicle'));
}

/** Starts one more guard. */
export function startGuard({ lab }: RunningLab, ...flags: readonly string[]): ChildProgram {
  return startCommand(lab.uri, 'guard', ...flags, '--log-format=json');
}

/** Starts one more guard; settles when it knows the middleware. */
export async function addGuard(
  running: RunningLab,
  ...flags: readonly string[]
): Promise<ChildProgram> {
  const guard = startGuard(running, ...flags);
  await untilWatching(guard);
  return guard;
}

/** Settles when a guard says that it watches a middleware. */
export async function untilWatching({ stderr }: ChildProgram): Promise<void> {
  await stderr.until((line) => line.includes('the guard watches the middleware'));
}
