import { expect } from 'vitest';
import { JudgedLab, nowUs, type JudgedVehicle, type JudgeProgram } from '../support/judged-lab.js';
import type { Middleware, MiddlewareStart } from '../support/middleware.js';
import { judgeStop, speedAt, type StopBudget } from '../support/motion.js';
import { faultTest, type Fault, type FaultOptions } from './fault-row.js';

/** Response of the vehicle to a command, and what a busy machine may add to a period, s. */
const lagS = 0.3;
const machineS = 0.15;

/** The default of --braking-deceleration, m/s². */
const brakingMps2 = 2;

/** The speed at which the vehicles drive, m/s. */
const drivingMps = 1;

/** A lab in which all vehicles drive. */
export interface RunningLab {
  readonly lab: JudgedLab;
  readonly middleware: Middleware;
  readonly controller: JudgeProgram;
}

/** One lab of a row; all labs of a row run side by side. */
export interface MotionScenario {
  /** What tells it from the others of its row. */
  readonly name: string;
  readonly vehicles: readonly JudgedVehicle[];
  /** Flags of the middleware. */
  readonly flags: readonly string[];
  readonly start?: MiddlewareStart;
  /** Longest time from the fault to the first stop command, s. */
  readonly detectionS: number;
  /** Speed of the fastest vehicle, m/s; 1 unless given. */
  readonly fastestMps?: number;
  /** Makes the fault; settles as soon as it is there. */
  readonly fault: (running: RunningLab) => unknown;
  /** What else must hold once all vehicles are judged. */
  readonly after?: (running: RunningLab) => unknown;
}

/** A row of the fault table that judges the stop of every vehicle by its motion. */
export function motionTest(
  fault: Omit<Fault, 'mode' | 'expected'> & Partial<Fault>,
  scenarios: readonly MotionScenario[],
  options?: FaultOptions,
): void {
  const expected = 'no motion added, at rest within the budget, and at rest for 3 s';
  faultTest(
    { mode: 'real time', expected, ...fault },
    async (measured) => {
      const outcomes = await Promise.all(
        scenarios.map((scenario) => runScenario(fault.row, scenario)),
      );
      measured(outcomes.map(({ figure }) => figure).join('; '));
      expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
    },
    options,
  );
}

/** From the last answer of a controller that hangs to its first stop command, s. */
export function detectionS(periodMs: number, missLimit = 3, vehicleTimeoutMs = 1000): number {
  const periodsMs = (missLimit + 1) * periodMs;
  const stopAfterMs = vehicleTimeoutMs === 0 ? periodsMs : Math.min(periodsMs, vehicleTimeoutMs);
  return Math.max(stopAfterMs, 2 * periodMs) / 1000;
}

async function runScenario(row: number, scenario: MotionScenario) {
  const { name, vehicles, flags, start, fastestMps = drivingMps } = scenario;
  const lab = new JudgedLab(vehicles);
  const controller = lab.startController();
  const middleware = lab.startMiddleware(flags, start);
  const running = { lab, middleware, controller };
  await lab.untilSteady();
  const faultUs = nowUs();
  await scenario.fault(running);
  await lab.untilJudgeable(faultUs, budgetFrom(scenario.detectionS, fastestMps).timeS);
  await scenario.after?.(running);
  const motion = await lab.motion();
  lab.keepLogs(`${row}-${name}`, faultUs);
  const verdicts = vehicles.map((vehicle) => {
    const samples = motion.get(vehicle.id) ?? [];
    const budget = budgetFrom(scenario.detectionS, speedAt(samples, faultUs));
    return { vehicle, budget, ...judgeStop(samples, faultUs, budget) };
  });
  const problems = verdicts.flatMap(({ vehicle, problems }) =>
    problems.map((problem) => `${name}, ${vehicle.name}: ${problem}`),
  );
  const good = verdicts.filter((verdict) => verdict.problems.length === 0).length;
  const rest = Math.max(...verdicts.map(({ restS }) => restS));
  const distance = Math.max(...verdicts.map(({ distanceM }) => distanceM));
  const budget = Math.max(...verdicts.map(({ budget: { timeS } }) => timeS));
  const all = good === verdicts.length ? '' : `${good} of ${verdicts.length} vehicles: `;
  const figure =
    `${name}: ${all}at rest after ${rest.toFixed(2)} s (budget ${budget.toFixed(2)} s), ` +
    `${distance.toFixed(2)} m`;
  return { figure, problems };
}

/** What may pass from the fault to rest at this speed. */
function budgetFrom(detectedS: number, speedMps: number): StopBudget {
  const reactionS = detectedS + lagS + machineS;
  const timeS = reactionS + speedMps / brakingMps2;
  return { timeS, distanceM: speedMps * reactionS + speedMps ** 2 / (2 * brakingMps2) };
}
