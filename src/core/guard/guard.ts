import { type ClockReading, earlier, later } from '../time.js';
import type { Command } from '../command.js';
import { hasUnusableStamp } from '../command-checks.js';
import type { PlainEffect } from '../effects.js';
import { forgetOldest } from '../forget-oldest.js';
import type { StopConfig } from '../stop/supervised-vehicle.js';
import type { StampedMotion } from '../stop/vehicle-motion.js';
import type { LatchedVehicle } from '../supervision/miss-policy.js';
import type { GuardStop, MiddlewareReport } from './reports.js';
import type { GuardEffect, SessionChange } from './guard-effects.js';
import { GuardEnd } from './guard-end.js';
import { isOfLatches, latchedReport, leastLatchedWaitNs } from './latched-before.js';
import { type LeftAlone, leftAlone } from './left-alone.js';
import { Looks } from './looks.js';
import { obeyedInstead, sentTogether } from './several-sessions.js';
import { guardAfter, WatchedSession } from './watched-session.js';

/** Sessions that are watched at the same time; ended ones, and other guards, that are remembered. */
const mostSessions = 64;

export interface GuardConfig {
  /** Differs between guards. */
  readonly epoch: bigint;
  readonly stops: StopConfig;
  /** Silence of a status after which the vehicles are stopped, ns; null: three periods, at least 300 ms. */
  readonly afterNs: bigint | null;
}

/**
 * The rules of a guard, which stops the vehicles of a middleware that falls silent. It commands a
 * vehicle from the silence of its middleware until a middleware has taken over the stop, and at no
 * other time. It does nothing by itself: give it each event, carry out the effects, and wake it at
 * `wakeAtNs`. Instants of all events but states rise: a state has that of its reception.
 */
export class Guard {
  readonly #config: GuardConfig;
  readonly #sessions = new Map<string, WatchedSession>();
  /** Number of the stop of each vehicle that is held. */
  readonly #stops = new Map<number, bigint>();
  /** The participants that commanded a vehicle since it is held; null where the transport does not say. */
  readonly #commanders = new Map<number, Set<string | null>>();
  /** By the id of a middleware: vehicles that it drove, and that another one drove when it fell silent. */
  readonly #ceded = new Map<string, Set<number>>();
  /** Sessions that have ended: a status that was written before may come after that. */
  readonly #ended = new Set<string>();
  /** Participants of the other guards of the lab side. */
  readonly #guards = new Set<string>();
  #lastNumber = 0n;
  readonly #looks = new Looks();
  #end: GuardEnd | null = null;
  #isOver = false;
  #effects: GuardEffect[] = [];
  readonly #sink = {
    push: (...effects: PlainEffect<Command>[]) => {
      for (const effect of effects) {
        const { kind } = effect;
        if (
          kind === 'commandVehicle' ||
          kind === 'vehicleStopped' ||
          kind === 'vehicleMovesAgain'
        ) {
          this.#effects.push(effect);
        }
      }
    },
  };

  constructor(config: GuardConfig) {
    this.#config = config;
  }

  /** Wake the guard at this monotonic instant, ns; null while it knows no middleware, and once it is over. */
  get wakeAtNs(): bigint | null {
    let wakeNs = this.#looks.nextAtNs;
    if (this.#isOver || wakeNs === null) return null;
    if (this.#looks.isWaiting) return wakeNs;
    for (const { nextAtNs } of this.#sessions.values()) {
      if (nextAtNs !== null) wakeNs = earlier(wakeNs, nextAtNs);
    }
    return wakeNs;
  }

  /**
   * True while a session of a middleware with this id is watched, or one that drives a vehicle in its place:
   * the guard of that middleware may be the only one there is.
   */
  watches(sourceId: string): boolean {
    const ceded = [...(this.#ceded.get(sourceId) ?? [])];
    return [...this.#sessions.values()].some(
      (session) =>
        session.report.sourceId === sourceId ||
        ceded.some((id) => session.drivenAtNs(id) !== null || session.held.has(id)),
    );
  }

  /** The stops that no middleware has taken over, ascending by vehicle. */
  get stops(): GuardStop[] {
    return [...this.#stops]
      .flatMap(([id, number]) => {
        const sent = sentTogether(this.#sessions.values(), id);
        return sent === null ? [] : [{ id, ...sent, number, speedMps: this.#speedOf(id) }];
      })
      .sort((first, second) => first.id - second.id);
  }

  /** The speed that the stop of a vehicle commands, m/s. */
  #speedOf(id: number): number {
    return Math.max(0, ...[...this.#sessions.values()].map((session) => session.speedOf(id)));
  }

  /**
   * A status of a middleware came.
   * @param participant of its writer; null where the transport does not name writers.
   */
  status(
    report: MiddlewareReport,
    participant: string | null,
    now: ClockReading,
  ): readonly GuardEffect[] {
    this.#effects = [];
    const session = this.#sessionOf(report, participant, now.monotonicNs);
    if (session !== undefined) {
      if (session.isSilent) this.#changed(session, 'back');
      session.reported(report, now);
      if (report.phase === 'ended') this.#changed(session, 'ended');
    }
    const takenOver = report.takenOver.flatMap(({ guard, id, number }) => {
      const isStop = guard === this.#config.epoch && this.#stops.get(id) === number;
      return isStop && this.#maySettle(id, participant) ? [id] : [];
    });
    for (const id of takenOver) {
      this.#standStillUnlessOutranked(id, report, now);
      this.#release(id, session);
    }
    if (takenOver.length > 0) this.#effects.push({ kind: 'takenOver', ids: takenOver });
    this.#forgetDone();
    return this.#effects;
  }

  /**
   * These vehicles were latched when this guard was started, and may still move. They are stopped after
   * one detection time, unless they stand by then, their middleware lives, or another one drives them.
   * @param periodNs of the middleware with this id, ns.
   */
  latchedBefore(
    sourceId: string,
    vehicles: readonly LatchedVehicle[],
    periodNs: bigint,
    now: ClockReading,
  ): void {
    const report = latchedReport(sourceId, vehicles, periodNs, now.realtimeNs);
    const { stops, afterNs } = this.#config;
    const waitNs = later(guardAfter(afterNs, periodNs), leastLatchedWaitNs);
    const session = new WatchedSession(report, null, stops, waitNs, now.monotonicNs);
    session.reported(report, now);
    this.#sessions.set(`${report.epoch} ${sourceId}`, session);
    this.#looks.begin(now.monotonicNs);
  }

  /** Another guard published its stops. */
  otherGuard(sourceId: string, participant: string): readonly GuardEffect[] {
    if (this.#guards.has(participant)) return [];
    remember(this.#guards, participant);
    return [{ kind: 'otherGuard', sourceId }];
  }

  /**
   * A command for a vehicle came on the lab side, from another program than the guard.
   * @param participant of its writer; null where the transport does not name writers.
   */
  command(command: Command, participant: string | null, now: ClockReading): void {
    // What cannot be outranked is not worth a try; a middleware forwards no such command.
    if (hasUnusableStamp(command)) return;
    const id = command.message.vehicle_id;
    if (participant !== null && this.#guards.has(participant)) {
      for (const session of this.#sessions.values()) {
        if (session.has(id)) session.stoppedElsewhere(command, now);
      }
      return;
    }
    const commanders = this.#commanders.get(id);
    if (commanders !== undefined) remember(commanders, participant);
    const sessions = [...this.#sessions.values()];
    const senders = sessions.filter((session) => session.participant === participant);
    const reporters = senders.filter((session) => session.reports(id));
    // The status that names a vehicle may come a period after the first command to it.
    const owners = reporters.length > 0 || participant === null ? reporters : senders;
    for (const session of sessions) {
      const isOwn = owners.includes(session);
      if (isOwn || session.held.has(id)) session.commanded(command, isOwn, now);
    }
  }

  /** A state of a vehicle came. */
  vehicleState(id: number, motion: StampedMotion, at: ClockReading): void {
    for (const session of this.#sessions.values()) {
      if (session.has(id)) session.observe(id, motion, at);
    }
  }

  /** The instant `wakeAtNs` has come, or any other time. */
  wake(now: ClockReading): readonly GuardEffect[] {
    this.#effects = [];
    if (this.#isOver) return [];
    const { monotonicNs } = now;
    const awakeNs = this.#looks.look(monotonicNs);
    if (awakeNs === null) return [];
    for (const session of this.#sessions.values()) {
      if (session.wait(awakeNs, monotonicNs)) this.#silent(session, now);
      session.act(now, this.#sink);
    }
    this.#forgetDone();
    if (this.#end?.isOver(this.#sessions.values(), monotonicNs) === true) this.#finish(now);
    return this.#effects;
  }

  /**
   * The guard is to end. It goes on until no stop can begin and its vehicles stand.
   * @param longestNs so long the vehicles may take to rest, ns.
   */
  end(now: ClockReading, longestNs: bigint): readonly GuardEffect[] {
    this.#end ??= new GuardEnd(this.#sessions.values(), now.monotonicNs, longestNs);
    const effects = this.wake(now);
    return this.#isOver ? effects : [...effects, { kind: 'guardEnding' }];
  }

  /** The guard ends now: the commands that make each vehicle that it stops stand still at once. */
  standStill(now: ClockReading): Command[] {
    return [...this.#sessions.values()].flatMap((session) =>
      session.stopping.flatMap((id) => session.standStill(id, now).map(({ command }) => command)),
    );
  }

  /** As {@link leftAlone}, when this guard fails itself. */
  leftAlone(now: ClockReading): LeftAlone[] {
    return leftAlone([...this.#sessions.values()], now);
  }

  #finish(now: ClockReading): void {
    const moving = new Set([...this.#sessions.values()].flatMap(({ stopping }) => stopping));
    for (const command of this.standStill(now)) {
      const id = command.message.vehicle_id;
      this.#effects.push({ kind: 'commandVehicle', id, cause: 'stop', command });
    }
    this.#isOver = true;
    this.#effects.push({ kind: 'guardEnded', moving: [...moving].sort((a, b) => a - b) });
  }

  #sessionOf(
    report: MiddlewareReport,
    participant: string | null,
    nowNs: bigint,
  ): WatchedSession | undefined {
    const key = `${report.epoch} ${report.sourceId}`;
    if (this.#ended.has(key)) return undefined;
    if (report.phase === 'ended') remember(this.#ended, key);
    const known = this.#sessions.get(key);
    if (known !== undefined || report.phase === 'ended') return known;
    if (this.#sessions.size >= mostSessions) {
      const nothing = { limitNs: 0n, silentNs: 0n, ids: [] };
      const { sourceId } = report;
      this.#effects.push({ kind: 'sessionChanged', change: 'unwatched', sourceId, ...nothing });
      return undefined;
    }
    const { stops, afterNs } = this.#config;
    const session = new WatchedSession(report, participant, stops, afterNs, nowNs);
    this.#sessions.set(key, session);
    this.#looks.begin(nowNs);
    this.#changed(session, 'begun');
    return session;
  }

  /** Stops the vehicles that may still obey a session: all but those that obey another one by now. */
  #silent(session: WatchedSession, now: ClockReading): void {
    const isOfFile = isOfLatches(session.report);
    for (const id of session.atRisk) {
      const needsNoStop = isOfFile && (this.#isBack(session) || session.isAtRest(id));
      if (needsNoStop || this.#obeysAnother(id, session, now)) this.#cede(id, session);
    }
    const ids = session.atRisk;
    if (session.isSilent && ids.length === 0) return;
    session.isSilent = true;
    for (const id of ids) {
      if (!this.#stops.has(id)) {
        this.#stops.set(id, ++this.#lastNumber);
        this.#commanders.set(id, new Set());
      }
      // Its place and its speed are not those of the last command of this session then.
      const isOfBefore = this.#obeyedInstead(id, session, now).length > 0;
      session.hold(id, now, this.#sink, isOfBefore ? 'yes' : 'no');
    }
    if (!isOfFile || ids.length > 0) this.#changed(session, 'silent', ids);
  }

  /** True when the middleware that latched the vehicles of a file lives: it stops them itself. */
  #isBack({ report: { sourceId } }: WatchedSession): boolean {
    return [...this.#sessions.values()].some(
      ({ report, isAlive }) => isAlive && report.sourceId === sourceId && !isOfLatches(report),
    );
  }

  #cede(id: number, session: WatchedSession): void {
    session.cede(id);
    const { sourceId } = session.report;
    const ceded = this.#ceded.get(sourceId);
    if (ceded !== undefined) ceded.add(id);
    else if (this.#ceded.size < mostSessions) this.#ceded.set(sourceId, new Set([id]));
  }

  /** True when the vehicle obeys another middleware that lives. */
  #obeysAnother(id: number, session: WatchedSession, now: ClockReading): boolean {
    return this.#obeyedInstead(id, session, now).some(({ isAlive }) => isAlive);
  }

  #obeyedInstead(id: number, session: WatchedSession, now: ClockReading): WatchedSession[] {
    return obeyedInstead(this.#sessions.values(), id, session, now);
  }

  /**
   * A middleware says that it has taken over a stop. The guard goes on until it has seen a command of
   * that middleware, or until the vehicle stands: what sends nothing stops nothing.
   */
  #maySettle(id: number, participant: string | null): boolean {
    const commanders = this.#commanders.get(id);
    if (commanders?.has(participant) === true || commanders?.has(null) === true) return true;
    return ![...this.#sessions.values()].some(({ stopping }) => stopping.includes(id));
  }

  /**
   * A middleware has taken over the stop of a vehicle that may still obey a stop command of this guard, which was
   * made just after that of the middleware. It would keep the speed of it if the middleware sent nothing more. A
   * trajectory brings the vehicle to rest by itself.
   */
  #standStillUnlessOutranked(id: number, { vehicles }: MiddlewareReport, now: ClockReading): void {
    const newestNs = vehicles.find((vehicle) => vehicle.id === id)?.newestCreateNs ?? -1n;
    for (const session of this.#sessions.values()) {
      if (!session.stopping.includes(id) || session.sent(id).newestCreateNs <= newestNs) continue;
      for (const { command } of session.standStill(id, now)) {
        if (command.kind === 'trajectory') continue;
        this.#effects.push({ kind: 'commandVehicle', id, cause: 'stop', command });
      }
    }
  }

  #release(id: number, taker: WatchedSession | undefined): void {
    this.#stops.delete(id);
    this.#commanders.delete(id);
    for (const session of this.#sessions.values()) {
      if (session.held.has(id)) session.release(id, session === taker);
    }
  }

  #forgetDone(): void {
    for (const [key, session] of this.#sessions) {
      if (session.isDone) this.#sessions.delete(key);
    }
    if (this.#sessions.size === 0) this.#looks.end();
  }

  #changed(
    { report, limitNs, silentNs }: WatchedSession,
    change: SessionChange['change'],
    ids: readonly number[] = [],
  ): void {
    const { sourceId } = report;
    const silence = change === 'silent' ? silentNs : 0n;
    this.#effects.push({
      kind: 'sessionChanged',
      change,
      sourceId,
      limitNs,
      silentNs: silence,
      ids,
    });
  }
}

/** Adds a key to a set that forgets the oldest one. */
function remember<K>(keys: Set<K>, key: K): void {
  keys.add(key);
  forgetOldest(keys, mostSessions);
}
