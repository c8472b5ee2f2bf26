import { type ClockReading, earlier, later, type Moment, nsPerMs } from '../time.js';
import { type Command, createStampOf, validAfterOf } from '../command.js';
import type { EffectSink } from '../effects.js';
import { ForwardedCommands } from '../stop/forwarded-commands.js';
import type { StandStill } from '../stop/stand-still.js';
import { StopAuthority } from '../stop/stop-authority.js';
import type { SentCommands, StopConfig } from '../stop/supervised-vehicle.js';
import type { StampedMotion } from '../stop/vehicle-motion.js';
import type { Stopped } from '../stop/braking-place.js';
import type { VehicleProfile } from '../vehicle-obedience.js';
import type { MiddlewareReport, ReportedVehicle } from './reports.js';

/** A middleware is silent after this many periods, and not before this time, ns. */
const silentPeriods = 3n;
const leastSilenceNs = 300n * nsPerMs;

/** With a guard that fails itself, a vehicle counts as left alone after this part of the limit. */
const [overdue, ofLimit] = [3n, 4n];

/** A status comes once per period: a shorter silence than this, in periods, is none. */
const leastPeriods = 2n;

/** The shortest silence that `--guard-after-ms` may name, ns. */
export function shortestGuardAfter(periodNs: bigint): bigint {
  return leastPeriods * periodNs;
}

/**
 * Silence of a status after which the vehicles are stopped, ns.
 * @param afterNs `--guard-after-ms`, ns; raised to two periods; null: three periods, at least 300 ms.
 */
export function guardAfter(afterNs: bigint | null, periodNs: bigint): bigint {
  if (afterNs === null) return later(silentPeriods * periodNs, leastSilenceNs);
  return later(afterNs, shortestGuardAfter(periodNs));
}

/** One session of a middleware, as a guard knows it, and the stops of its vehicles. */
export class WatchedSession {
  /** Participant of its status; null where the transport does not name writers. */
  readonly participant: string | null;
  /** The vehicles that the guard has stopped in place of this session. */
  readonly held = new Set<number>();
  /** True while its status does not come. */
  isSilent = false;
  /** Silence of its status after which its vehicles are stopped, ns. */
  readonly limitNs: bigint;
  readonly #stops: StopAuthority;
  readonly #profile: VehicleProfile;
  /** The commands of this session that the guard received, by vehicle. */
  readonly #received = new Map<number, ForwardedCommands>();
  /** When the session last commanded each vehicle, steady, ns. */
  readonly #drivenAtNs = new Map<number, bigint>();
  readonly #newestCreateNs = new Map<number, bigint>();
  #report: MiddlewareReport;
  #reportedAtNs: bigint;
  #silentNs = 0n;

  /** @param afterNs silence after which its vehicles are stopped, ns; null: three periods. */
  constructor(
    report: MiddlewareReport,
    participant: string | null,
    config: StopConfig,
    afterNs: bigint | null,
    nowNs: bigint,
  ) {
    const periodNs = later(report.periodNs, 1n);
    this.participant = participant;
    this.limitNs = guardAfter(afterNs, periodNs);
    this.#stops = new StopAuthority(config, periodNs, 'real');
    this.#profile = config.profile;
    this.#report = report;
    this.#reportedAtNs = nowNs;
  }

  get report(): MiddlewareReport {
    return this.#report;
  }

  /** How long no status came while the guard was awake, ns. */
  get silentNs(): bigint {
    return this.#silentNs;
  }

  /** True while it is to be watched: it has not ended, and its status comes. */
  get isAlive(): boolean {
    return !this.isSilent && this.#report.phase !== 'ended';
  }

  /** True when a status came after this instant, steady, ns. */
  isReportedSince(atNs: bigint): boolean {
    return this.#reportedAtNs > atNs;
  }

  /** The vehicles that are being brought to rest, in no order. */
  get stopping(): number[] {
    return this.#stops.stopping;
  }

  /** True when nothing can follow from it any more. */
  get isDone(): boolean {
    if (this.held.size > 0) return false;
    return this.#report.phase === 'ended' || (this.isSilent && this.#drivenAtNs.size === 0);
  }

  /** When stops are to be acted on, steady, ns; null while none is under way. */
  get nextAtNs(): bigint | null {
    return this.#stops.nextAtNs;
  }

  /** The vehicles that may still obey a command of this session, and are not held, ascending. */
  get atRisk(): number[] {
    return [...this.#drivenAtNs.keys()].filter((id) => !this.held.has(id)).sort((a, b) => a - b);
  }

  /** True when the states of a vehicle show that it stands. */
  isAtRest(id: number): boolean {
    return this.#stops.isAtRest(id);
  }

  /**
   * True when its status may not come any more: more time is over than between two of them. Time in which the
   * guard stood still counts as well, since a guard that fails cannot wait for what came meanwhile.
   * @param nowNs steady.
   */
  isOverdue(nowNs: bigint): boolean {
    const sinceNs = nowNs - this.#reportedAtNs;
    return this.#report.phase !== 'ended' && sinceNs * ofLimit >= this.limitNs * overdue;
  }

  /** When the session last commanded a vehicle, steady, ns; null when it does not drive it. */
  drivenAtNs(id: number): bigint | null {
    return this.#drivenAtNs.get(id) ?? null;
  }

  /** True for a vehicle of this session: its status names it, or a command of it came before that. */
  has(id: number): boolean {
    return this.held.has(id) || this.#drivenAtNs.has(id) || this.reports(id);
  }

  /** True for a vehicle that its status names. */
  reports(id: number): boolean {
    return this.#report.vehicles.some((vehicle) => vehicle.id === id);
  }

  /** A status came: the middleware lives. */
  reported(report: MiddlewareReport, now: ClockReading): void {
    this.#report = report;
    this.#reportedAtNs = now.monotonicNs;
    this.#silentNs = 0n;
    this.isSilent = false;
    if (report.phase === 'ended') {
      this.#drivenAtNs.clear();
      return;
    }
    for (const vehicle of report.vehicles) this.#reportedVehicle(vehicle, now);
  }

  /** A command of this session, or for a vehicle that is held, came. */
  commanded(command: Command, isOwn: boolean, now: ClockReading): void {
    const moment = momentOf(now);
    if (isOwn) this.#commandedItself(command, moment);
    if (this.#stops.isNotFaster(command, moment)) this.#stops.stoppedElsewhere(command, moment);
    else this.#stops.forwarded(command, moment);
  }

  /** A stop command of another guard for a vehicle of this session came. */
  stoppedElsewhere(command: Command, now: ClockReading): void {
    this.#stops.stoppedElsewhere(command, momentOf(now));
  }

  /** A state of a vehicle came. */
  observe(id: number, motion: StampedMotion, at: ClockReading): void {
    this.#stops.observe(id, motion, momentOf(at));
  }

  /**
   * The guard was awake for this time, ns.
   * @returns true when the middleware has been silent for too long.
   */
  wait(awakeNs: bigint, nowNs: bigint): boolean {
    if (!this.isAlive) return this.isSilent;
    this.#silentNs += earlier(awakeNs, nowNs - this.#reportedAtNs);
    return this.#silentNs >= this.limitNs;
  }

  /** Begins to bring a vehicle to rest. @param stopped by another program, already. */
  hold<C extends Command>(
    id: number,
    now: ClockReading,
    effects: EffectSink<C>,
    stopped: Stopped,
  ): void {
    this.held.add(id);
    this.#stops.begin(id, momentOf(now), effects, stopped);
  }

  /** Another session drives a vehicle now. */
  cede(id: number): void {
    this.#drivenAtNs.delete(id);
  }

  /**
   * True when a vehicle obeys a command of this session, and can obey none of these any more: the command is
   * in force, it is newer than all of them, none of them begins to hold after it, and its kind comes first in
   * the order of the vehicle. Time-outs do not count: that of the vehicle may not be the declared one.
   * @param nowNs steady.
   */
  outranks(id: number, sent: SentCommands, nowNs: bigint): boolean {
    const { kinds } = this.#profile;
    const first = kinds.findIndex((kind) => sent.kinds.includes(kind));
    return kinds.slice(0, first + 1).some((kind) => {
      const newest = this.#received.get(id)?.newest(kind, nowNs) ?? null;
      if (newest === null || newest.validFromNs > nowNs) return false;
      const { command } = newest;
      const isNewer = createStampOf(command) > sent.newestCreateNs;
      return isNewer && validAfterOf(command) >= sent.newestValidNs;
    });
  }

  /** What was sent to a vehicle, the stops included. */
  sent(id: number): SentCommands {
    return this.#stops.sent(id);
  }

  /** The speed that the last command of a stop asks for, m/s; 0 where there is none. */
  speedOf(id: number): number {
    return this.#stops.speedOf(id);
  }

  /**
   * A middleware has taken over the stop of a vehicle.
   * @param isTaker it is that of this session: the vehicle obeys its commands, and may still move.
   */
  release(id: number, isTaker: boolean): void {
    this.held.delete(id);
    if (!isTaker) this.cede(id);
    this.#stops.release(id);
  }

  /** Repeats the commands of the stops when that is due. */
  act<C extends Command>(now: ClockReading, effects: EffectSink<C>): void {
    const { nextAtNs } = this.#stops;
    if (nextAtNs !== null && nextAtNs <= now.monotonicNs) {
      this.#stops.act(momentOf(now), effects);
    }
  }

  /** The commands that make a vehicle stand still at once. */
  standStill(id: number, now: ClockReading): StandStill[] {
    return this.#stops.standStill(id, momentOf(now));
  }

  /** A command of this session came. */
  #commandedItself(command: Command, now: Moment): void {
    const id = command.message.vehicle_id;
    this.#drives(id, createStampOf(command), now.steadyNs);
    const received = this.#received.get(id) ?? new ForwardedCommands(this.#profile);
    this.#received.set(id, received);
    received.add(command, now);
  }

  /** What the status says of a vehicle covers commands that did not reach the guard. */
  #reportedVehicle(vehicle: ReportedVehicle, now: ClockReading): void {
    const { id, kinds, newestCreateNs, newestValidNs } = vehicle;
    if (kinds.length === 0) return;
    const stamps = { createNs: newestCreateNs, validNs: newestValidNs };
    this.#stops.sentUnseen(id, kinds, stamps, momentOf(now));
    if (newestCreateNs > (this.#newestCreateNs.get(id) ?? -1n)) {
      this.#drives(id, newestCreateNs, now.monotonicNs);
    }
  }

  /** In simulated time a vehicle waits for the middleware, and needs no guard. */
  #drives(id: number, createNs: bigint, atNs: bigint): void {
    if (this.#report.simulatedTime) return;
    this.#newestCreateNs.set(id, later(createNs, this.#newestCreateNs.get(id) ?? createNs));
    this.#drivenAtNs.set(id, atNs);
  }
}

function momentOf({ monotonicNs, realtimeNs }: ClockReading): Moment {
  return { steadyNs: monotonicNs, stampNs: realtimeNs };
}
