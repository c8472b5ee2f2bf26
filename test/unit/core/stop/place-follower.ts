import type { Command, TrajectoryPoint } from '../../../../src/core/index.js';
import { hermite } from '../../../../src/core/hermite.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import type { StampedMotion } from '../../../../src/core/stop/vehicle-motion.js';
import { base, MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';

export const stepNs = 5n * MS;
const periodNs = 50n * MS;
/** How a vehicle follows places. */
interface Follows {
  /** It drives so fast towards its planned place, 1/s. */
  readonly gain: number;
  /** Response of its speed, s. */
  readonly lagS: number;
  /** Bound of its acceleration, m/s². */
  readonly mostMps2: number;
}
export const promptly: Follows = { gain: 3, lagS: 0.05, mostMps2: Infinity };
export const slowly: Follows = { gain: 2, lagS: 0.1, mostMps2: 4 };
export const softly: Follows = { gain: 2, lagS: 0.2, mostMps2: Infinity };

/** What its states say, as a function of where it is. `delayed`: they all come late, from the begin on. `gap`:
 * none comes for so long. */
type Fault =
  | 'none'
  | 'stop'
  | 'freeze'
  | 'freezePlace'
  | 'jump'
  | 'late'
  | 'delayed'
  | 'gap'
  | 'elsewhere'
  | 'old';

/** A vehicle that follows the places of a trajectory on a straight line, without a time-out unless given. */
export class Follower {
  x = 0;
  v: number;
  back = 0;
  way = 0;
  movedAtNs = 0n;
  command: Command;

  constructor(
    command: Command,
    v: number,
    private readonly follows: Follows,
    private readonly timeoutNs: bigint | null,
    private readonly goesOn: boolean,
  ) {
    this.command = command;
    this.v = v;
  }

  /** Somebody holds it, and carries it on by this way, m. */
  hold(wayM: number): void {
    this.v = 0;
    this.x += wayM;
  }

  /** @param beyondM it takes itself to be so much farther on, m. */
  step(nowNs: bigint, clockAheadNs = 0n, beyondM = 0): void {
    const points = this.command.kind === 'trajectory' ? this.command.message.trajectory_points : [];
    const { x, v } = planned(points, T0 + nowNs + clockAheadNs, this.goesOn);
    const { gain, lagS, mostMps2 } = this.follows;
    const ageNs = T0 + nowNs - this.command.message.header.valid_after_stamp.nanoseconds;
    const isOver = this.timeoutNs !== null && ageNs > this.timeoutNs;
    const target = isOver ? 0 : v + gain * (x - this.x - beyondM);
    const passedS = Number(stepNs) / 1e9;
    const most = mostMps2 * passedS;
    const wanted = (target - this.v) * (1 - Math.exp(-passedS / lagS));
    this.v += Math.max(-most, Math.min(most, wanted));
    this.x += this.v * passedS;
    this.way += Math.abs(this.v) * passedS;
    if (Math.abs(this.v) > 0.05) this.movedAtNs = nowNs;
  }
}

/** Place and speed of a trajectory at a time, ns; after its end it rests there, or goes on. */
function planned(
  points: readonly TrajectoryPoint[],
  tNs: bigint,
  goesOn: boolean,
): { x: number; v: number } {
  const next = points.findIndex(({ t }) => t.nanoseconds > tNs);
  const [from, to] = [points[next - 1], points[next]];
  if (from === undefined || to === undefined) {
    const end = points.at(-1);
    if (end === undefined) return { x: 0, v: 0 };
    const sinceS = Number(tNs - end.t.nanoseconds) / 1e9;
    return goesOn ? { x: end.px + end.vx * sinceS, v: end.vx } : { x: end.px, v: 0 };
  }
  const lengthS = Number(to.t.nanoseconds - from.t.nanoseconds) / 1e9;
  const part = Number(tNs - from.t.nanoseconds) / 1e9 / lengthS;
  const at = ({ px, vx }: TrajectoryPoint) => ({ x: px, y: 0, dx: vx, dy: 0 });
  const { x, dx } = hermite(at(from), at(to), lengthS, part);
  return { x, v: dx };
}

/** Where a plan has the vehicle after a time, s: m and m/s. */
type Shape = (s: number) => { readonly x: number; readonly v: number };

/** On a straight line. */
export function line(speed: number): Shape {
  return (s) => ({ x: speed * s, v: speed });
}

/** To and fro, at 1.4 m/s in the middle. */
export const toAndFro: Shape = (s) => ({ x: 0.7 * Math.sin(2 * s), v: 1.4 * Math.cos(2 * s) });

/** From a little before now on, for so long, ns. */
export function plan(shape: Shape, nowNs: bigint, horizonNs: bigint): Command {
  const trajectory_points = Array.from({ length: 12 }, (_, i) => {
    const afterNs = nowNs + (BigInt(i - 1) * horizonNs) / 10n;
    const { x, v } = shape(Number(afterNs) / 1e9);
    return { t: { nanoseconds: T0 + afterNs }, px: x, py: 0, vx: v, vy: 0 };
  });
  return { kind: 'trajectory', message: { ...base(1, T0 + nowNs), trajectory_points } };
}

export interface Drive {
  readonly fault: Fault;
  readonly speed: number;
  /** From the fault to the begin of the stop, ns; negative where it comes later. */
  readonly faultyNs: bigint;
  readonly stateNs: bigint;
  /** The program stands still for so long, 200 ms after the begin of the stop, ns. */
  readonly pauseNs?: bigint;
  /**
   * From the stop on the program is suspended for so long, ns, ten times, and runs for 20 ms before each. It acts
   * before it receives the states of that time, all at once.
   */
  readonly suspendedNs?: bigint;
  /**
   * From the fault until so long after the begin of the stop, ns, no state reaches the program, and none of its
   * commands the vehicle, which another program drives meanwhile.
   */
  readonly cutNs?: bigint;
  /** Another program drives the vehicle on until so long after the begin of the stop, ns; all see its states. */
  readonly rivalNs?: bigint;
  /** The stop commands reach the vehicle meanwhile, in turn with those of the other program. */
  readonly inTurn?: boolean;
  readonly shape?: Shape;
  /** Each plan begins where the vehicle was so long ago, ns; null: all are of the same places. */
  readonly replansNs?: bigint | null;
  readonly follows?: Follows;
  /** The last command goes out so long before the stop, ns. */
  readonly silentNs?: bigint;
  /** So late come states that are `delayed`, ns. */
  readonly delayNs?: bigint;
  /** Its poses are of another point of the vehicle, so much farther on, m. */
  readonly offsetM?: number;
  /** From the fault on its poses are so much farther on, m. */
  readonly shiftM?: number;
  /** So are the poses by which it drives. */
  readonly isLost?: boolean;
  /** The clock by which the vehicle drives, and stamps its states, is ahead by this, ns. */
  readonly clockAheadNs?: bigint;
  /** The clock of its states is behind by this, ns. */
  readonly clockBehindNs?: bigint;
  /** 3 s after the begin of the stop somebody carries it on by this, m, in 1 s, and lets it go 1 s later. */
  readonly carriedM?: number;
  /** It is held from so long before the fault on, ns, and let go as it has been carried. */
  readonly heldNs?: bigint;
  /** Its poses are wrong by up to this, m. */
  readonly noiseM?: number;
  /** The speeds of its states are wrong by this, m/s. */
  readonly biasMps?: number;
  /** So far reach its plans, ns; after its end it goes on at its last speed, or rests. */
  readonly horizonNs?: bigint;
  readonly goesOn?: boolean;
  /** Its motion is judged for so long, ns. */
  readonly lastsNs?: bigint;
  /** Time-out by which the program goes, and that of the vehicle, ns; null: none. */
  readonly declaredNs?: bigint | null;
  readonly timeoutNs?: bigint | null;
}

/** Drives, lets the states fail, stops, and says how the vehicle moved from the begin of the stop on. */
export function driven({
  fault,
  speed,
  faultyNs,
  stateNs,
  pauseNs = 0n,
  suspendedNs = 0n,
  cutNs = 0n,
  rivalNs = 0n,
  inTurn = false,
  shape = line(speed),
  replansNs = null,
  follows = promptly,
  silentNs = 0n,
  delayNs = 0n,
  clockAheadNs = 0n,
  clockBehindNs = 0n,
  offsetM = 0,
  shiftM = 0,
  isLost = false,
  carriedM = 0,
  heldNs = 0n,
  noiseM = 0,
  biasMps = 0,
  horizonNs = 2n * S,
  goesOn = false,
  lastsNs = 4n * S,
  declaredNs = null,
  timeoutNs = null,
}: Drive) {
  const profile = { ...stops.profile, timeoutNs: declaredNs };
  const authority = new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const vehicle = new Follower(plan(shape, 0n, horizonNs), shape(0).v, follows, timeoutNs, goesOn);
  const faultNs = faultyNs < 0n ? S - faultyNs : S;
  const stopNs = faultNs + faultyNs;
  let frozen = { x: 0, v: 0 };
  const past: Seen[] = [];
  const waiting: StampedMotion[] = [];
  const pausedFromNs = stopNs + 200n * MS;
  const carriedNs = carriedM === 0 && heldNs === 0n ? null : stopNs + cutNs + 3n * S;
  const heldFromNs = heldNs > 0n ? faultNs - heldNs : carriedNs;
  const judgedNs = carriedNs === null ? stopNs + cutNs : carriedNs + 2n * S;

  const begin = { x: 0, way: 0, back: 0, highest: 0, slowest: Infinity, rise: 0, v: 0, turned: 0 };
  for (let nowNs = 0n; nowNs < judgedNs + lastsNs; nowNs += stepNs) {
    const now = { steadyNs: nowNs, stampNs: T0 + nowNs };
    const effects: TestEffect[] = [];
    const isCut = cutNs > 0n && nowNs > faultNs && nowNs < judgedNs;
    const isRival = nowNs >= stopNs && nowNs < stopNs + rivalNs;
    const phaseNs = isRival ? periodNs / 2n : 0n;
    if ((nowNs < stopNs - silentNs || isCut || isRival) && nowNs % periodNs === phaseNs) {
      const from = replansNs === null ? undefined : past.at(-1 - Number(replansNs / stepNs));
      const begins = from && from.x - shape(Number(nowNs) / 1e9).x;
      const planned = (s: number) => ({ x: shape(s).x + (begins ?? 0), v: shape(s).v });
      vehicle.command = plan(planned, nowNs, horizonNs);
      if (!isCut && !isRival) authority.forwarded(vehicle.command, now);
    }
    past.push({ x: vehicle.x, v: vehicle.v, atNs: nowNs });
    if (nowNs <= faultNs) frozen = { x: vehicle.x, v: vehicle.v };
    if (nowNs % stateNs === 0n && !isCut) {
      const seen: Seen | null = seenNow(fault, nowNs - faultNs, past, frozen, delayNs);
      const beyondM = offsetM + (nowNs > faultNs ? shiftM : 0);
      // Not random, and seldom twice the same.
      const wrongM = noiseM * Math.sin(Number(nowNs / stateNs) * 2.4);
      const pose = seen && { x: seen.x + beyondM + wrongM, y: 0, yaw: 0 };
      const createStampNs = T0 + (seen?.atNs ?? nowNs) - clockBehindNs + clockAheadNs;
      if (pose) waiting.push({ speedMps: seen.v + biasMps, pose, createStampNs });
    }
    const isSuspended = suspendedAt(nowNs - stopNs, suspendedNs);
    if (!isSuspended && !suspendedAt(nowNs - stopNs - stepNs, suspendedNs)) {
      for (const motion of waiting.splice(0)) authority.observe(1, motion, now);
    }
    if (nowNs === judgedNs) {
      Object.assign(begin, { x: vehicle.x, way: vehicle.way, v: vehicle.v });
    }
    if (nowNs === stopNs) authority.begin(1, now, effects);
    else if (
      (authority.nextAtNs ?? nowNs + 1n) <= nowNs &&
      !isSuspended &&
      (nowNs <= pausedFromNs || nowNs > pausedFromNs + pauseNs)
    ) {
      authority.act(now, effects);
    }
    const { command } = only(effects, 'commandVehicle').at(-1) ?? vehicle;
    if (!isCut && (!isRival || inTurn)) vehicle.command = command;
    if (carriedNs !== null && heldFromNs !== null && nowNs >= heldFromNs && nowNs < judgedNs) {
      const isCarried = nowNs >= carriedNs && nowNs < carriedNs + S;
      vehicle.hold(isCarried ? (carriedM * Number(stepNs)) / 1e9 : 0);
    } else vehicle.step(nowNs, clockAheadNs, isLost && nowNs > faultNs ? shiftM : 0);
    if (nowNs < judgedNs) continue;
    begin.highest = Math.max(begin.highest, vehicle.x);
    begin.back = Math.max(begin.back, begin.highest - vehicle.x);
    begin.slowest = Math.min(begin.slowest, vehicle.v);
    begin.turned = Math.max(begin.turned, -vehicle.v * Math.sign(begin.v));
    begin.rise = Math.max(begin.rise, vehicle.v - begin.slowest);
  }
  return {
    backM: begin.back,
    wayM: vehicle.way - begin.way,
    restS: Number(vehicle.movedAtNs - judgedNs) / 1e9,
    riseMps: begin.rise,
    turnedMps: begin.turned,
  };
}

const awakeNs = 20n * MS;

/** @param sinceNs of the begin of the stop; negative before it. */
function suspendedAt(sinceNs: bigint, suspendedNs: bigint): boolean {
  const cycleNs = awakeNs + suspendedNs;
  return sinceNs >= 0n && sinceNs < 10n * cycleNs && sinceNs % cycleNs >= awakeNs;
}

/** What a state says, m and m/s, and when it was made, ns; now unless given. */
interface Seen {
  readonly x: number;
  readonly v: number;
  readonly atNs?: bigint;
}

/** @param sinceNs of the fault; negative before it. */
function seenNow(
  fault: Fault,
  sinceNs: bigint,
  past: readonly Seen[],
  frozen: Seen,
  delayNs: bigint,
): Seen | null {
  if (fault === 'gap' && sinceNs > 0n && sinceNs <= delayNs) return null;
  if (fault === 'delayed') return past.at(-1 - Number(delayNs / stepNs)) ?? null;
  return sinceNs > 0n ? faulty(fault, sinceNs, past, frozen) : (past.at(-1) ?? frozen);
}

/** @param sinceNs of the fault. */
function faulty(
  fault: Exclude<Fault, 'delayed'>,
  sinceNs: bigint,
  past: readonly Seen[],
  frozen: Seen,
): Seen | null {
  const now = past.at(-1) ?? frozen;
  switch (fault) {
    case 'none':
    case 'gap':
      return now;
    case 'stop':
      return null;
    case 'freeze':
      return frozen;
    case 'freezePlace':
      return { ...now, x: frozen.x };
    case 'elsewhere':
      return { x: frozen.x - 1.5, v: 0 };
    case 'jump':
      return { ...now, x: now.x + ((sinceNs / (140n * MS)) % 2n === 0n ? 1 : -1) };
    case 'late':
      return past.at(-20) ?? frozen;
    case 'old':
      return sinceNs === 300n * MS ? (past[0] ?? frozen) : null;
  }
}
