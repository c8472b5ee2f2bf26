import { readFileSync } from 'node:fs';

/** A vehicle at one instant, as judge-vehicle logs it. */
export interface MotionSample {
  /** Monotonic clock, µs. */
  readonly t: number;
  readonly id: number;
  /** m/s, negative backwards. */
  readonly v: number;
  /** Metres driven since the start, in either direction. */
  readonly s: number;
  /** The speed that the obeyed command asks for now, m/s. */
  readonly target: number;
  /** The kind of the obeyed command, and its stamps in ns. */
  readonly obeys?: string;
  readonly create?: string;
  readonly valid?: string;
}

/** Where a vehicle must be at rest after a fault, and how far it may drive until then. */
export interface StopBudget {
  readonly timeS: number;
  readonly distanceM: number;
}

/** What the motion after a fault shows. */
export interface StopVerdict {
  /** Seconds from the fault to the last instant of motion; infinite when the vehicle did not rest. */
  readonly restS: number;
  /** Metres driven after the fault. */
  readonly distanceM: number;
  /** One sentence for each rule that the motion breaks. */
  readonly problems: readonly string[];
}

/** Rise above the lowest speed since the fault that is the model's own lag, m/s. */
const laggingRiseMps = 0.05;

/** So long the vehicle must stay at rest, s. */
export const restingS = 3;

/** The motion of every vehicle in a log of judge-vehicle, by vehicle id, in the order of time. */
export function readMotion(file: string): ReadonlyMap<number, readonly MotionSample[]> {
  const motion = new Map<number, MotionSample[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.includes('"target"')) continue;
    const sample = JSON.parse(line) as MotionSample;
    const samples = motion.get(sample.id) ?? [];
    samples.push(sample);
    motion.set(sample.id, samples);
  }
  return motion;
}

/**
 * How many commands of each kind each vehicle received from an instant on, before another one, µs, by
 * vehicle id and kind.
 */
export function countCommands(
  file: string,
  fromUs: number,
  untilUs: number,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    // The last line may not be complete yet.
    if (!line.includes('"received"') || !line.endsWith('}')) continue;
    const { id, t, received } = JSON.parse(line) as { id: number; t: number; received: string };
    const key = `${id} ${received}`;
    if (t >= fromUs && t < untilUs) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The speed of a vehicle at an instant, m/s in either direction; 0 before its first sample. */
export function speedAt(motion: readonly MotionSample[], tUs: number): number {
  return Math.abs(motion.findLast(({ t }) => t <= tUs)?.v ?? 0);
}

/**
 * Judges a stop by motion alone.
 * @param faultUs the instant of the fault, monotonic clock, µs
 * @param allowedRiseMps what the commands before the fault may add
 */
export function judgeStop(
  motion: readonly MotionSample[],
  faultUs: number,
  budget: StopBudget,
  allowedRiseMps = laggingRiseMps,
): StopVerdict {
  const after = motion.filter(({ t }) => t >= faultUs);
  const problems: string[] = [];
  const rise = highestRise(after);
  if (rise.byMps > allowedRiseMps) {
    problems.push(
      `motion added: ${rise.fromMps.toFixed(2)} to ${(rise.fromMps + rise.byMps).toFixed(2)} m/s ` +
        `at ${seconds(rise.atUs - faultUs)}`,
    );
  }
  const [first] = after;
  const last = after.at(-1);
  const lastMoving = after.findLast(({ v }) => v !== 0);
  const endUs = last?.t ?? faultUs;
  const restUs = lastMoving?.t ?? faultUs;
  const distanceM = (last?.s ?? 0) - (first?.s ?? 0);
  const restS = last?.v === 0 ? (restUs - faultUs) / 1e6 : Infinity;
  if (restS === Infinity) {
    problems.push(
      `not at rest: ${Math.abs(last?.v ?? NaN).toFixed(2)} m/s ` +
        `${seconds(endUs - faultUs)} after the fault`,
    );
  } else if (restS > budget.timeS) {
    problems.push(`at rest after ${restS.toFixed(2)} s, budget ${budget.timeS.toFixed(2)} s`);
  } else if (endUs - restUs < restingS * 1e6) {
    problems.push(`seen at rest for ${seconds(endUs - restUs)} only`);
  }
  if (distanceM > budget.distanceM) {
    problems.push(`${distanceM.toFixed(2)} m driven, budget ${budget.distanceM.toFixed(2)} m`);
  }
  return { restS, distanceM, problems };
}

/** Judges that a vehicle does not move at all between two instants. */
export function judgeStandstill(
  motion: readonly MotionSample[],
  fromUs: number,
  toUs: number,
): readonly string[] {
  const moved = motion.find(({ t, v }) => t >= fromUs && t <= toUs && v !== 0);
  if (moved === undefined) return [];
  return [
    `moves at ${Math.abs(moved.v).toFixed(2)} m/s ${seconds(moved.t - fromUs)} after its rest`,
  ];
}

/** The highest rise of the speed above its lowest value before. */
function highestRise(motion: readonly MotionSample[]) {
  let lowest = Infinity;
  let highest = { byMps: 0, fromMps: 0, atUs: 0 };
  for (const { t, v } of motion) {
    const speed = Math.abs(v);
    if (speed - lowest > highest.byMps) {
      highest = { byMps: speed - lowest, fromMps: lowest, atUs: t };
    }
    lowest = Math.min(lowest, speed);
  }
  return highest;
}

function seconds(us: number): string {
  return `${(us / 1e6).toFixed(2)} s`;
}
