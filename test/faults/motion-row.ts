import { expect } from 'vitest';
import {
  JudgedLab,
  nowUs,
  type JudgedPlace,
  type JudgedVehicle,
  type JudgeProgram,
} from '../support/judged-lab.js';
import type { Middleware, MiddlewareStart } from '../support/middleware.js';
import { judgeStop, speedAt, type StopBudget, type StopVerdict } from '../support/motion.js';
import { patiently } from '../support/favoured.js';
import { oneAtATime } from '../support/one-at-a-time.js';
import { untilLittleIsStolen } from '../support/stolen-time.js';
import { faultTest, type Fault, type FaultOptions, type Measured } from './fault-row.js';

/** Response of the vehicle to a command, and what a busy machine may add to a period, s. */
const lagS = 0.3;
const machineS = 0.15;

/** The default of --miss-limit. */
const defaultMissLimit = 3;

/** The default of --braking-deceleration, m/s². */
const brakingMps2 = 2;

/** The speed at which the vehicles drive, m/s. */
const drivingMps = 1;

/** A vehicle that drives is faster than this, m/s. */
const drivingAtLeastMps = 0.3;

/** A lab in which all vehicles drive. */
export interface RunningLab {
  readonly lab: JudgedLab;
  readonly middleware: Middleware;
  /** The first controller, which is the only one unless the scenario has several. */
  readonly controller: JudgeProgram;
  readonly controllers: readonly JudgeProgram[];
}

/** One lab of a row. */
export interface MotionScenario {
  /** Differs from the names of the other labs of its row. */
  readonly name: string;
  readonly vehicles: readonly JudgedVehicle[];
  /** The vehicles of each controller; one for all unless given. */
  readonly controllers?: readonly (readonly JudgedVehicle[])[];
  /** The vehicles that must stop; all unless given. */
  readonly judged?: readonly JudgedVehicle[];
  /** Flags of the middleware. */
  readonly flags: readonly string[];
  readonly start?: MiddlewareStart;
  readonly place?: JudgedPlace;
  /** Longest time from the fault to the first stop command, s. */
  readonly detectionS: number;
  /** Speed of the fastest vehicle, m/s; 1 unless given. */
  readonly fastestMps?: number;
  /** The commands before the fault let the speed go up and down by so much, m/s. */
  readonly rippleMps?: number;
  /** The vehicles stand at the fault; they drive unless given. */
  readonly stands?: boolean;
  /** A vehicle may drive so much farther than the budget, m. */
  readonly fartherM?: number;
  /** For so long after the fault the vehicles are watched at least, s. */
  readonly watchedS?: number;
  /** Called when the middleware was started, where the vehicles need more than that to drive. */
  readonly begin?: (running: RunningLab) => unknown;
  /**
   * Makes the fault; settles as soon as it is there.
   * @returns the instant of the fault, monotonic clock, µs; that of the call unless given
   */
  readonly fault: (running: RunningLab) => unknown;
  /**
   * What else must hold once the vehicles can be judged.
   * @returns the instant until which the vehicles must be at rest; the end of the log unless given
   */
  readonly after?: (running: RunningLab) => unknown;
}

/** Flags of a lab in simulated time, which runs as fast as the clock of the wall. */
export const inSimulatedTime: readonly string[] = [
  '--period-ms=50',
  '--simulated-time',
  '--time-source=self',
  '--real-time-factor=1',
  '--offset-nanoseconds=1000000000',
];

/** Starts the middleware with a module of test/peers in its process. */
export function preloaded(
  file: string,
  { variables = [], nodeFlag = '' }: { variables?: readonly string[]; nodeFlag?: string },
): MiddlewareStart {
  const url = new URL(`../peers/${file}`, import.meta.url).href;
  return { through: ['env', ...variables, `NODE_OPTIONS=--import=${url} ${nodeFlag}`] };
}

/** Start signals of a lab before the next one begins. */
const firstStarts = 3;

/** What one lab showed. */
export interface MotionOutcome {
  /** For the table. */
  readonly figure: string;
  /** A sentence for each rule that the motion of a vehicle breaks. */
  readonly problems: readonly string[];
}

/** A row of the fault table that judges the stop of every vehicle by its motion. */
export function motionTest(
  fault: Omit<Fault, 'mode' | 'expected'> & Partial<Fault>,
  scenarios: readonly MotionScenario[],
  options?: FaultOptions,
): void {
  const run = (measured: Measured) => runScenarios(fault.row, scenarios, measured);
  faultTest({ mode: 'real time', expected: stopExpected, ...fault }, run, options);
}

/** What the table says of a stop. */
export const stopExpected = 'no motion added, at rest within the budget and for 3 s';

/** Runs labs side by side; throws when a vehicle did not stop as it must. */
export async function runScenarios(
  row: number,
  scenarios: readonly MotionScenario[],
  measured: Measured,
): Promise<void> {
  // Labs that wait for one that does not come up begin all the same: no program may outlive the test.
  const settled = await Promise.allSettled(scenarios.map((scenario) => runScenario(row, scenario)));
  const outcomes = settled.map((result, i) =>
    result.status === 'fulfilled' ? result.value : failed(scenarios[i]?.name, result.reason),
  );
  measured(outcomes.map(({ figure }) => figure).join('; '));
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  if (problems.length > 0) expect.fail(problems.join('\n'));
}

/** Of a lab that shows nothing. */
function failed(name: string | undefined, error: unknown): MotionOutcome {
  return { figure: `${name}: failed`, problems: [`${name}: ${firstLineOf(error)}`] };
}

function firstLineOf(error: unknown): string {
  return String(error).split('\n', 1)[0] ?? '';
}

/** So long may a middleware take to end once its vehicles are judged, s. */
const endingS = 3;

/** The middleware ends, or has ended, with one of these exit codes. */
export async function expectEnd(
  { lab, middleware }: RunningLab,
  ...codes: readonly number[]
): Promise<void> {
  const end = await Promise.race([middleware.ended, lab.untilTime(nowUs() + endingS * 1e6)]);
  if (end === undefined) expect.fail('the middleware does not end');
  expect(end.signal ?? end.code).toBeOneOf([...codes]);
}

/** From the last answer of a controller that hangs to its first stop command, s. */
export function detectionS(
  periodMs: number,
  missLimit = defaultMissLimit,
  vehicleTimeoutMs = 1000,
): number {
  const periodsMs = (missLimit + 1) * periodMs;
  const stopAfterMs = vehicleTimeoutMs === 0 ? periodsMs : Math.min(periodsMs, vehicleTimeoutMs);
  return Math.max(stopAfterMs, 2 * periodMs) / 1000;
}

/** More misses than by default where the period is short: a busy machine takes the processor away for some of them. */
export function missLimitOf(periodMs: number): number {
  return Math.max(defaultMissLimit, Math.ceil(150 / periodMs));
}

/** Flags without which the controllers of a lab with a short period would be out before the fault. */
export function tolerance(periodMs: number): string[] {
  const limit = missLimitOf(periodMs);
  return limit > defaultMissLimit ? [`--miss-limit=${limit}`] : [];
}

/**
 * On a busy machine the first periods of a program are over while V8 still compiles it. The fault comes
 * later than this: what follows from it is as by default.
 */
const forgiving = '--grace-ms=600';

/** A lab whose controllers have not signed in yet, or whose middleware has ended. */
type PreparedLab = Pick<RunningLab, 'lab' | 'middleware' | 'controllers'>;

async function prepareLab({
  vehicles,
  controllers: ids = [vehicles],
  place,
  flags,
  start = {},
}: MotionScenario): Promise<PreparedLab> {
  const lab = new JudgedLab(vehicles, place);
  try {
    const through = [...patiently, ...(start.through ?? [])];
    const forgiven = flags.includes('--simulated-time') ? flags : [forgiving, ...flags];
    const middleware = lab.startMiddleware(forgiven, { ...start, through });
    const controllers = ids.map((of) => lab.startController(of));
    const allMet = Promise.all([lab.judge, ...controllers].map((program) => program.untilMet()));
    lab.favour('prepared');
    await Promise.race([allMet, middleware.ended]);
    lab.favour('waiting');
    return { lab, middleware, controllers };
  } catch (error) {
    await lab.end();
    throw error;
  }
}

/** Settles when the lab drives, unless the scenario begins it itself, or when its middleware has ended. */
async function letDrive(
  { lab, middleware, controllers }: PreparedLab,
  { begin }: MotionScenario,
): Promise<RunningLab> {
  const [controller] = controllers;
  if (controller === undefined) throw new Error('A scenario needs a controller.');
  lab.favour('driving');
  for (const program of controllers) program.order('sign in');
  const drives = begin === undefined && controller.untilStarts(firstStarts);
  await Promise.race([drives, middleware.ended]);
  return { lab, middleware, controller, controllers };
}

async function runScenario(row: number, scenario: MotionScenario): Promise<MotionOutcome> {
  let prepared: PreparedLab | undefined;
  // A middleware that gets no processor time for some periods stops its vehicles before the fault. So one
  // lab at a time gets to its fault, the next one is prepared meanwhile, and each waits until the
  // hypervisor takes little away.
  const fault = oneAtATime('lab-preparation', () => prepareLab(scenario)).then((lab) => {
    prepared = lab;
    return oneAtATime('lab-drive', async () => {
      await untilLittleIsStolen();
      const running = await letDrive(lab, scenario);
      const faultUs = await driveAndBreak(running, scenario);
      running.lab.favour('judged');
      return { running, faultUs };
    });
  });
  try {
    const { running, faultUs } = await fault;
    const untilUs = await untilJudgeable(running, scenario, faultUs);
    return await judge(row, scenario, running, faultUs, untilUs);
  } catch (error) {
    if (prepared === undefined) throw error;
    return await endedEarly(row, scenario, prepared, error);
  } finally {
    await prepared?.lab.end();
  }
}

async function judge(
  row: number,
  scenario: MotionScenario,
  { lab }: RunningLab,
  faultUs: number,
  untilUs: number,
): Promise<MotionOutcome> {
  const { name, vehicles, judged = vehicles, detectionS, rippleMps, fartherM = 0 } = scenario;
  const motion = await lab.motion();
  lab.keepLogs(`${row}-${name}`, faultUs);
  const verdicts = judged.map((vehicle) => {
    const samples = (motion.get(vehicle.id) ?? []).filter(({ t }) => t <= untilUs);
    const { timeS, distanceM } = budgetFrom(detectionS, speedAt(samples, faultUs));
    const budget = { timeS, distanceM: distanceM + fartherM };
    const verdict = judgeStop(samples, faultUs, budget, rippleMps);
    const faultMps = speedAt(samples, faultUs);
    // Else the lab says nothing of the fault: the middleware stopped the vehicle before.
    const isStopped = scenario.stands !== true && faultMps < drivingAtLeastMps;
    const early = `it drives at ${faultMps.toFixed(2)} m/s only when the fault comes`;
    const problems = isStopped ? [early, ...verdict.problems] : verdict.problems;
    return { vehicle, budget, ...verdict, problems };
  });
  return outcomeOf(name, verdicts);
}

async function endedEarly(
  row: number,
  { name }: MotionScenario,
  { lab, middleware }: PreparedLab,
  error: unknown,
): Promise<MotionOutcome> {
  await lab.motion();
  lab.keepLogs(`${row}-${name}`, 0);
  const said = middleware.program.stderr.items.slice(-3).join(' ');
  const problem = `${name}: ${firstLineOf(error)}; the middleware said: ${said}`;
  return { figure: `${name}: ended early`, problems: [problem] };
}

/** Fails when the middleware ends. */
async function failAtEnd({ ended, program }: Middleware): Promise<never> {
  const { code, signal } = await ended;
  const said = program.stderr.items.at(-1) ?? 'nothing';
  throw new Error(`the middleware ended (${signal ?? code}) before the fault, and said: ${said}`);
}

/** @returns the instant of the fault, µs */
async function driveAndBreak(running: RunningLab, scenario: MotionScenario): Promise<number> {
  await scenario.begin?.(running);
  await Promise.race([running.lab.untilSteady(), failAtEnd(running.middleware)]);
  const calledUs = nowUs();
  const saidUs = await scenario.fault(running);
  return typeof saidUs === 'number' ? saidUs : calledUs;
}

/** @returns the instant until which the vehicles must be at rest, µs */
async function untilJudgeable(
  running: RunningLab,
  { detectionS, fastestMps = drivingMps, watchedS, after }: MotionScenario,
  faultUs: number,
): Promise<number> {
  const { lab } = running;
  await lab.untilJudgeable(faultUs, budgetFrom(detectionS, fastestMps).timeS);
  if (watchedS !== undefined) await lab.untilTime(faultUs + watchedS * 1e6);
  const restingUs = await after?.(running);
  return typeof restingUs === 'number' ? restingUs : Infinity;
}

function outcomeOf(
  name: string,
  verdicts: readonly (StopVerdict & { vehicle: JudgedVehicle; budget: StopBudget })[],
): MotionOutcome {
  const problems = verdicts.flatMap((verdict) =>
    verdict.problems.map((problem) => `${name}, ${verdict.vehicle.name}: ${problem}`),
  );
  const good = verdicts.filter((verdict) => verdict.problems.length === 0).length;
  const rest = Math.max(...verdicts.map(({ restS }) => restS));
  const distance = Math.max(...verdicts.map(({ distanceM }) => distanceM));
  const budget = Math.max(...verdicts.map(({ budget: { timeS } }) => timeS));
  const counted =
    good === verdicts.length ? `${good} vehicles` : `${good} of ${verdicts.length} vehicles`;
  const figure =
    `${name}: ${counted} at rest after ${rest.toFixed(2)} s ` +
    `(budget ${budget.toFixed(2)} s) and ${distance.toFixed(2)} m`;
  return { figure, problems };
}

/** What may pass from the fault to rest at this speed. */
function budgetFrom(detectedS: number, speedMps: number): StopBudget {
  const reactionS = detectedS + lagS + machineS;
  const timeS = reactionS + speedMps / brakingMps2;
  return { timeS, distanceM: speedMps * reactionS + speedMps ** 2 / (2 * brakingMps2) };
}
