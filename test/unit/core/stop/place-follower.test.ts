import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, TrajectoryPoint } from '../../../../src/core/index.js';
import { hermite } from '../../../../src/core/hermite.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { base, MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';

const stepNs = 5n * MS;
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
const promptly: Follows = { gain: 3, lagS: 0.05, mostMps2: Infinity };
const slowly: Follows = { gain: 2, lagS: 0.1, mostMps2: 4 };

/** What its states say, as a function of where it is. `delayed`: they all come late, from the begin on. */
type Fault =
  | 'none'
  | 'stop'
  | 'freeze'
  | 'freezePlace'
  | 'standsFrom'
  | 'jump'
  | 'late'
  | 'delayed'
  | 'elsewhere'
  | 'old';

/** A vehicle that follows the places of a trajectory on a straight line, without a time-out unless given. */
class Follower {
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
  ) {
    this.command = command;
    this.v = v;
  }

  step(nowNs: bigint): void {
    const points = this.command.kind === 'trajectory' ? this.command.message.trajectory_points : [];
    const { x, v } = planned(points, T0 + nowNs);
    const { gain, lagS, mostMps2 } = this.follows;
    const ageNs = T0 + nowNs - this.command.message.header.valid_after_stamp.nanoseconds;
    const isOver = this.timeoutNs !== null && ageNs > this.timeoutNs;
    const target = isOver ? 0 : v + gain * (x - this.x);
    const passedS = Number(stepNs) / 1e9;
    const most = mostMps2 * passedS;
    const wanted = (target - this.v) * (1 - Math.exp(-passedS / lagS));
    this.v += Math.max(-most, Math.min(most, wanted));
    this.x += this.v * passedS;
    this.way += Math.abs(this.v) * passedS;
    if (Math.abs(this.v) > 0.05) this.movedAtNs = nowNs;
  }
}

/** Place and speed of a trajectory at a time, ns; it goes on straight after its end. */
function planned(points: readonly TrajectoryPoint[], tNs: bigint): { x: number; v: number } {
  const next = points.findIndex(({ t }) => t.nanoseconds > tNs);
  const [from, to] = [points[next - 1], points[next]];
  if (from === undefined || to === undefined) return { x: points.at(-1)?.px ?? 0, v: 0 };
  const lengthS = Number(to.t.nanoseconds - from.t.nanoseconds) / 1e9;
  const part = Number(tNs - from.t.nanoseconds) / 1e9 / lengthS;
  const at = ({ px, vx }: TrajectoryPoint) => ({ x: px, y: 0, dx: vx, dy: 0 });
  const { x, dx } = hermite(at(from), at(to), lengthS, part);
  return { x, v: dx };
}

/** Where a plan has the vehicle after a time, s: m and m/s. */
type Shape = (s: number) => { readonly x: number; readonly v: number };

/** On a straight line. */
function line(speed: number): Shape {
  return (s) => ({ x: speed * s, v: speed });
}

/** To and fro, at 1.4 m/s in the middle. */
const toAndFro: Shape = (s) => ({ x: 0.7 * Math.sin(2 * s), v: 1.4 * Math.cos(2 * s) });

/** From 0.2 s before now on, for 2 s. */
function plan(shape: Shape, nowNs: bigint): Command {
  const trajectory_points = Array.from({ length: 12 }, (_, i) => {
    const afterNs = nowNs + BigInt(i - 1) * 200n * MS;
    const { x, v } = shape(Number(afterNs) / 1e9);
    return { t: { nanoseconds: T0 + afterNs }, px: x, py: 0, vx: v, vy: 0 };
  });
  return { kind: 'trajectory', message: { ...base(1, T0 + nowNs), trajectory_points } };
}

interface Drive {
  readonly fault: Fault;
  readonly speed: number;
  /** From the fault to the begin of the stop, ns. */
  readonly faultyNs: bigint;
  readonly stateNs: bigint;
  /** The program stands still for so long, 200 ms after the begin of the stop, ns. */
  readonly pauseNs?: bigint;
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
  readonly follows?: Follows;
  /** The last command goes out so long before the stop, ns. */
  readonly silentNs?: bigint;
  /** So late come states that are `delayed`, ns. */
  readonly delayNs?: bigint;
  /** Its poses are of another point of the vehicle, so much farther on, m. */
  readonly offsetM?: number;
  /** From the fault on its poses are so much farther on, m. */
  readonly shiftM?: number;
  /** The clock of the vehicle is behind by this, ns. */
  readonly clockBehindNs?: bigint;
  /** Time-out by which the program goes, and that of the vehicle, ns; null: none. */
  readonly declaredNs?: bigint | null;
  readonly timeoutNs?: bigint | null;
}

/** Drives, lets the states fail, stops, and says how the vehicle moved from the begin of the stop on. */
function driven({
  fault,
  speed,
  faultyNs,
  stateNs,
  pauseNs = 0n,
  cutNs = 0n,
  rivalNs = 0n,
  inTurn = false,
  shape = line(speed),
  follows = promptly,
  silentNs = 0n,
  delayNs = 0n,
  clockBehindNs = 0n,
  offsetM = 0,
  shiftM = 0,
  declaredNs = null,
  timeoutNs = null,
}: Drive) {
  const profile = { ...stops.profile, timeoutNs: declaredNs };
  const authority = new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const vehicle = new Follower(plan(shape, 0n), shape(0).v, follows, timeoutNs);
  const faultNs = S;
  const stopNs = faultNs + faultyNs;
  let frozen = { x: 0, v: 0 };
  const past: Seen[] = [];
  const pausedFromNs = stopNs + 200n * MS;
  const judgedNs = stopNs + cutNs;
  const begin = { x: 0, way: 0, back: 0, highest: 0, slowest: Infinity, rise: 0, v: 0, turned: 0 };
  for (let nowNs = 0n; nowNs < judgedNs + 4n * S; nowNs += stepNs) {
    const now = { steadyNs: nowNs, stampNs: T0 + nowNs };
    const effects: TestEffect[] = [];
    const isCut = cutNs > 0n && nowNs > faultNs && nowNs < judgedNs;
    const isRival = nowNs >= stopNs && nowNs < stopNs + rivalNs;
    const phaseNs = isRival ? periodNs / 2n : 0n;
    if ((nowNs < stopNs - silentNs || isCut || isRival) && nowNs % periodNs === phaseNs) {
      vehicle.command = plan(shape, nowNs);
      if (!isCut && !isRival) authority.forwarded(vehicle.command, now);
    }
    past.push({ x: vehicle.x, v: vehicle.v, atNs: nowNs });
    if (nowNs <= faultNs) frozen = { x: vehicle.x, v: vehicle.v };
    if (nowNs % stateNs === 0n && !isCut) {
      const seen: Seen | null = seenNow(fault, nowNs - faultNs, past, frozen, delayNs);
      const beyondM = offsetM + (nowNs > faultNs ? shiftM : 0);
      const pose = seen && { x: seen.x + beyondM, y: 0, yaw: 0 };
      const createStampNs = T0 + (seen?.atNs ?? nowNs) - clockBehindNs;
      if (pose) authority.observe(1, { speedMps: seen.v, pose, createStampNs }, now);
    }
    if (nowNs === judgedNs) {
      Object.assign(begin, { x: vehicle.x, way: vehicle.way, v: vehicle.v });
    }
    if (nowNs === stopNs) authority.begin(1, now, effects);
    else if (
      (authority.nextAtNs ?? nowNs + 1n) <= nowNs &&
      (nowNs <= pausedFromNs || nowNs > pausedFromNs + pauseNs)
    ) {
      authority.act(now, effects);
    }
    const { command } = only(effects, 'commandVehicle').at(-1) ?? vehicle;
    if (!isCut && (!isRival || inTurn)) vehicle.command = command;
    vehicle.step(nowNs);
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
      return now;
    case 'stop':
      return null;
    case 'freeze':
      return frozen;
    case 'freezePlace':
      return { ...now, x: frozen.x };
    case 'standsFrom':
      return { x: frozen.x, v: 0 };
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

describe('a stop of a vehicle that follows places', () => {
  it.each(['none', 'stop', 'freeze', 'jump', 'late'] as const)(
    'never drives it back, and brings it to rest in time, with states of the fault %s',
    (fault) => {
      const drive = fc.record({
        speed: fc.double({ min: 0.3, max: 3, noNaN: true }),
        faultyNs: fc.bigInt({ min: 1n, max: 400n }).map((steps) => steps * stepNs),
        stateNs: fc.constantFrom(4n, 5n, 10n).map((steps) => steps * stepNs),
      });
      fc.assert(
        fc.property(drive, ({ speed, faultyNs, stateNs }) => {
          const { backM, wayM, restS } = driven({ fault, speed, faultyNs, stateNs });
          expect(backM).toBeLessThan(0.1);
          // A response of the vehicle and of its repeats; 2 m/s² are the rest.
          expect(wayM).toBeLessThan(speed * 0.2 + speed ** 2 / 4 + 0.05);
          expect(restS).toBeLessThan(speed / 2 + 1);
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(['freezePlace', 'elsewhere'] as const)(
    'believes no place again that its states contradicted as they failed, with the fault %s',
    (fault) => {
      for (let steps = 1n; steps < 28n; steps++) {
        for (const speed of [0.5, 1, 2]) {
          const drive = { fault, speed, faultyNs: steps * 10n * MS, stateNs: 20n * MS };
          const { backM, restS } = driven(drive);
          // Poses stand still for some cm before that shows.
          expect(backM).toBeLessThan(0.15);
          expect(restS).toBeLessThan(speed / 2 + 1);
        }
      }
    },
  );

  it.each(['stop', 'jump', 'freeze'] as const)(
    'hardly drives a slow follower back, with states of the fault %s',
    (fault) => {
      for (const faultyMs of [5n, 20n, 50n, 100n, 200n, 400n]) {
        for (const speed of [0.5, 1, 2]) {
          const drive = { fault, speed, faultyNs: faultyMs * MS, stateNs: 20n * MS };
          const { turnedMps, restS } = driven({ ...drive, follows: slowly });
          // It counts as standing below 0.05 m/s.
          expect(turnedMps).toBeLessThan(0.05);
          expect(restS).toBeLessThan(speed / 2 + 0.2);
        }
      }
    },
  );

  it('believes no place to which the states have jumped, however long before the stop', () => {
    for (const faultyMs of [50n, 310n, 400n, 1000n, 5000n]) {
      const drive = { fault: 'elsewhere', speed: 1, faultyNs: faultyMs * MS } as const;
      const { backM, restS } = driven({ ...drive, stateNs: 20n * MS, follows: slowly });
      expect(backM).toBeLessThan(0.15);
      expect(restS).toBeLessThan(1.3);
    }
  });

  it('is not driven back where states end, and an old one is sent once more', () => {
    for (const faultyMs of [100n, 150n, 200n, 290n, 310n, 400n]) {
      for (const speed of [0.5, 1, 1.5]) {
        const drive = { fault: 'old', speed, faultyNs: faultyMs * MS, stateNs: 20n * MS } as const;
        const { backM, restS } = driven(drive);
        expect(backM).toBeLessThan(0.1);
        expect(restS).toBeLessThan(speed / 2 + 1);
      }
    }
  });

  it('goes on from where the vehicle has braked to, after the program stood still', () => {
    const pauses = [100n, 200n, 400n, 800n].map((ms) => ms * MS);
    for (const pauseNs of pauses) {
      const drive = { fault: 'stop', speed: 2, faultyNs: 50n * MS, stateNs: 20n * MS } as const;
      // Some cm in front of where it stands.
      expect(driven({ ...drive, pauseNs }).riseMps).toBeLessThan(0.15);
    }
  });

  it.each(['none', 'stop', 'freeze', 'freezePlace', 'standsFrom'] as const)(
    'is not driven back when the stop begins after the time-out, with states of the fault %s',
    (fault) => {
      for (const timeoutNs of [S, null]) {
        for (const follows of [promptly, slowly]) {
          for (let silentMs = 970n; silentMs <= 1300n; silentMs += 30n) {
            const silentNs = silentMs * MS;
            const times = { faultyNs: 1500n * MS, stateNs: 20n * MS, silentNs };
            const vehicle = { follows, timeoutNs, declaredNs: S };
            const { backM, riseMps, restS } = driven({ fault, speed: 1, ...times, ...vehicle });
            const words = `${silentMs} ms after the last command`;
            // One that has no time-out is the farther away the later its stop begins.
            const lateS = timeoutNs === null ? Math.max(0, Number(silentMs - 1060n) / 1000) : 0;
            expect(backM, words).toBeLessThan(0.15 + 1.1 * lateS);
            expect(riseMps, words).toBeLessThan(0.25 + 2 * lateS);
            expect(restS, words).toBeLessThan(1.25 + 2 * lateS);
          }
        }
      }
    },
  );

  it('comes to rest where its states are of another point of the vehicle', () => {
    for (const offsetM of [-0.3, -0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4]) {
      for (const follows of [promptly, slowly]) {
        for (const speed of [0.5, 1, 2]) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS };
          const drive = driven({ fault: 'none', speed, ...times, offsetM, follows });
          const words = `${offsetM} m, ${speed} m/s`;
          expect(drive.wayM, words).toBeLessThan(speed * 0.2 + speed ** 2 / 4 + 0.07);
          expect(drive.restS, words).toBeLessThan(speed / 2 + 1.1 - Math.min(0, 2 * offsetM));
          expect(drive.riseMps, words).toBeLessThan(0.1 + 2.5 * Math.max(0, -offsetM));
        }
      }
    }
  });

  it('comes to rest where its states have jumped and stay there', () => {
    for (const shiftM of [-3, -1, -0.9, -0.7, -0.5, -0.3, -0.1, -0.05, 0.05, 0.1, 0.3, 0.5, 1, 3]) {
      for (const faultyMs of [20n, 100n, 300n, 1000n]) {
        for (const follows of [promptly, slowly]) {
          const times = { faultyNs: faultyMs * MS, stateNs: 20n * MS };
          const drive = driven({ fault: 'none', speed: 1, ...times, shiftM, follows });
          const words = `${shiftM} m, ${faultyMs} ms before the stop`;
          expect(drive.wayM, words).toBeLessThan(0.6);
          expect(drive.restS, words).toBeLessThan(1.5);
          expect(drive.riseMps, words).toBeLessThan(0.7);
        }
      }
    }
  });

  it('is not driven back where all states come late, however late', () => {
    for (const delayMs of [0n, 20n, 50n, 100n, 200n, 240n, 260n, 300n, 500n, 1000n, 3000n]) {
      for (const follows of [promptly, slowly]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, delayNs: delayMs * MS };
        const { backM, restS } = driven({ fault: 'delayed', speed: 1, ...times, follows });
        expect(backM, `${delayMs} ms`).toBeLessThan(0.05);
        expect(restS, `${delayMs} ms`).toBeLessThan(1);
      }
    }
  });

  it('is stopped in its braking distance where its clock is behind', () => {
    for (const behindMs of [0n, 20n, 100n, 200n, 300n, 1000n, 3000n, 20_000n]) {
      for (const follows of [promptly, slowly]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, clockBehindNs: behindMs * MS };
        const { backM, wayM } = driven({ fault: 'none', speed: 1, ...times, follows });
        expect(backM, `${behindMs} ms`).toBeLessThan(0.05);
        expect(wayM, `${behindMs} ms`).toBeLessThan(0.39);
      }
    }
  });

  it.each([true, false])(
    'is not turned round when another program has driven it on, its stop commands reach it meanwhile: %s',
    (inTurn) => {
      for (const rivalMs of [300n, 1000n, 2000n]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, rivalNs: rivalMs * MS };
        const { turnedMps } = driven({ fault: 'none', speed: 1, ...times, inTurn });
        expect(turnedMps).toBeLessThan(0.1);
      }
    },
  );

  it('rests where it is seen after a cut in which no command reached it', () => {
    for (const follows of [promptly, slowly]) {
      for (const speed of [0.5, 1, 2]) {
        for (let cutMs = 20n; cutMs < 2500n; cutMs += 70n) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS, cutNs: cutMs * MS };
          const { turnedMps, restS } = driven({ fault: 'none', speed, ...times, follows });
          expect(turnedMps).toBeLessThan(0.1);
          expect(restS).toBeLessThan(speed / 2 + 0.2);
        }
      }
    }
  });

  it.each(['none', 'stop', 'late'] as const)(
    'rests where its plan turns round, with states of the fault %s',
    (fault) => {
      for (let steps = 1n; steps < 120n; steps += 7n) {
        const drive = { fault, speed: 1.4, faultyNs: steps * 10n * MS, stateNs: 20n * MS };
        expect(driven({ ...drive, shape: toAndFro }).turnedMps).toBeLessThan(0.13);
      }
    },
  );
});
