import { checkCommand } from './command-checks.js';
import { CommandHistory } from './command-history.js';
import { type CommandFate, fateOf, flaggedOf, has, refusalOf } from './command-verdict.js';
import { type Command, createStampOf } from './command.js';
import type { Moment } from './time.js';
import type { EffectSink, StopCause } from './effects.js';
import { assignedIds, controllerIdOf, Readiness } from './readiness.js';
import { type OpenPeriod, ReplyMonitor, type ReplyTally } from './reply-monitor.js';
import { type ControllerState, Roster, type RosterEvent } from './roster.js';
import type { SessionConfig } from './session-config.js';
import type {
  CommandEvent,
  ReadySignalEvent,
  VehiclesStoppedEvent,
  WriterChangedEvent,
} from './session-events.js';
import { Identities, type WriterId } from './supervision/identities.js';
import { stoppedBy, Supervision } from './supervision/supervision.js';
import type { Violation } from './violation.js';

/** A controller as a session sees it now. */
export interface ControllerReport extends ReplyTally {
  readonly id: number;
  readonly state: ControllerState;
  /** True when it takes part again only after a resume. */
  readonly latched: boolean;
  /** True while its vehicle is being brought to rest. */
  readonly stopping: boolean;
}

/** What came of a ready signal. */
export interface SignedIn {
  readonly id: number;
  /** True when the controller was not assigned before. */
  readonly admitted: boolean;
}

/**
 * What both sessions do with controllers: ready signals, commands, replies, misses and what
 * follows. Effects are added to the list that is passed in.
 */
export class Controllers<C extends Command> {
  readonly readiness: Readiness;
  readonly replies: ReplyMonitor;
  readonly supervision: Supervision;
  readonly #config: SessionConfig;
  readonly #roster: Roster;
  readonly #identities = new Identities();
  readonly #history = new CommandHistory();
  #ids: readonly number[];
  #begun = false;
  /** Those that are back with the last start signal: they were out in the period before it. */
  readonly #back = new Set<number>();

  /** @throws HlcError `HLC_VEHICLE_IDS`. */
  constructor(config: SessionConfig, time: 'real' | 'simulated') {
    const ids = assignedIds(config.vehicleIds);
    this.#config = config;
    this.#ids = ids;
    this.readiness = new Readiness(ids);
    this.replies = new ReplyMonitor(ids);
    this.supervision = new Supervision(ids, config.supervision, config.periodNs, time);
    this.#roster = new Roster(
      ids,
      config.supervision.latched.map(({ id }) => id),
    );
  }

  /** The assigned and the admitted controllers, ascending. */
  get ids(): readonly number[] {
    return this.#ids;
  }

  /** The vehicles of the controllers, and all others that were commanded, ascending. */
  get vehicleIds(): readonly number[] {
    const { strays } = this.supervision;
    return strays.size === 0 ? this.#ids : [...this.#ids, ...strays].sort((a, b) => a - b);
  }

  /** One report per controller, ascending by id. */
  report(): ControllerReport[] {
    return this.#ids.flatMap((id) => {
      const tally = this.replies.tally(id);
      if (tally === undefined) return [];
      const { supervision } = this;
      return [
        {
          id,
          state: this.#roster.stateOf(id),
          latched: supervision.isLatched(id),
          stopping: supervision.stops.isStopping(id),
          ...tally,
        },
      ];
    });
  }

  /** True when the controller takes part: it is neither absent nor dead nor yet rejoining. */
  takesPart(id: number): boolean {
    return this.#roster.takesPart(id);
  }

  /** True when the controller's process is gone, or it was stopped or dropped, and is not back. */
  isDead(id: number): boolean {
    return this.#roster.stateOf(id) === 'dead';
  }

  /** True when a controller takes part, or will from the next start signal. */
  anyServed(): boolean {
    return this.#ids.some((id) => this.takesPart(id) || this.#mayRejoin(id));
  }

  /** A ready signal; null when it is none of a controller, or of a second process. */
  readySignal({ sourceId, writer }: ReadySignalEvent, effects: EffectSink<C>): SignedIn | null {
    const id = controllerIdOf(sourceId);
    if (id === null || !(this.#roster.has(id) || this.#config.admit === 'any')) {
      if (this.readiness.isFirstOf(sourceId)) effects.push({ kind: 'unknownController', sourceId });
      return null;
    }
    const claim = this.#identities.claim(id, writer, this.isDead(id));
    if (claim.kind === 'refused') {
      if (claim.reported && writer !== null) {
        effects.push({ kind: 'secondController', id, writer, owner: claim.owner });
      }
      return null;
    }
    const admitted = !this.#roster.has(id);
    if (admitted) this.#admit(id);
    this.#signedIn(id, admitted, effects);
    return { id, admitted };
  }

  /**
   * A start signal goes out: those that are back take part from now on.
   * @param asked whose reply is awaited.
   */
  start(
    tNowNs: bigint,
    sentAtNs: bigint,
    now: Moment,
    asked: (id: number) => boolean,
    effects: EffectSink<C>,
  ): void {
    this.#begun = true;
    this.#back.clear();
    for (const id of this.#ids) {
      if (this.supervision.isLatched(id)) continue;
      const tookPart = this.takesPart(id);
      this.#move(id, 'start', effects);
      if (!tookPart && this.takesPart(id)) this.#back.add(id);
      if (this.takesPart(id)) this.supervision.started(id, now);
    }
    this.replies.open(tNowNs, sentAtNs, asked);
  }

  /** Reports the misses of the period that ended, if it is to be judged, and applies the policies. */
  judge(now: Moment, effects: EffectSink<C>): void {
    const judged = this.replies.judge();
    if (judged === null || judged.misses.length === 0) return;
    effects.push({ kind: 'missed', ...judged });
    for (const { id } of judged.misses) {
      // One that has replied to the next period already, or is back with its start, is not late any more.
      if (this.replies.hasReplied(id) || this.#back.has(id)) continue;
      this.#move(id, 'miss', effects);
      if (this.supervision.missed(id, now, effects)) this.#out(id, effects);
    }
  }

  /**
   * A writer of the controller side appeared or is gone.
   * @returns the controllers whose process is gone with it.
   */
  writerChanged(
    { writer, role, joined }: WriterChangedEvent,
    now: Moment,
    effects: EffectSink<C>,
  ): readonly number[] {
    if (joined) {
      this.#identities.joined(writer, role);
      return [];
    }
    const gone = this.#identities.left(writer);
    for (const id of gone) {
      if (!this.#begun) this.readiness.withdraw(id);
      this.#lost(id, 'gone', now, effects);
    }
    return gone;
  }

  /** Stops the vehicles whose controllers have been silent for too long. */
  expire(now: Moment, effects: EffectSink<C>): void {
    for (const id of this.supervision.expire(now, effects)) this.#out(id, effects);
  }

  /**
   * Vehicles were stopped from outside of the session: their controllers are out, whatever the policy is.
   * A stop of the guard counts also before the controllers are there.
   */
  vehiclesStopped(event: VehiclesStoppedEvent, now: Moment, effects: EffectSink<C>): void {
    const { ids, cause } = event;
    this.takeOver(event, now, effects);
    for (const id of this.vehicleIds) {
      if (ids !== 'all' && !ids.includes(id)) continue;
      const mayDrive = this.takesPart(id) || !this.#roster.has(id);
      if (cause === 'guard' || mayDrive) this.#lost(id, cause, now, effects);
    }
  }

  /** Goes on with the stops of these vehicles, where they are being stopped, as the other program has left them. */
  takeOver({ cause, ids, sent }: VehiclesStoppedEvent, now: Moment, effects: EffectSink<C>): void {
    const { stops } = this.supervision;
    for (const { id, kinds, newestCreateNs, newestValidNs, speedMps } of sent) {
      const stamps = { createNs: newestCreateNs, validNs: newestValidNs };
      stops.sentUnseen(id, kinds, stamps, now, speedMps);
    }
    for (const id of this.vehicleIds) {
      if (!stops.isHeld(id) || (ids !== 'all' && !ids.includes(id))) continue;
      stops.begin(id, now, effects, stoppedBy(cause));
    }
  }

  /** A start trigger of the lab came while a run is under way. */
  triggered(effects: EffectSink<C>): void {
    const ids = this.supervision.resumedByTrigger();
    if (ids.length > 0) this.resume(ids, effects);
  }

  /** A controller has not replied within the reply time-out, and is still waited for. */
  late(id: number, effects: EffectSink<C>): void {
    this.#move(id, 'miss', effects);
  }

  /** A controller counts as gone, and its reply is not waited for. */
  drop(id: number, now: Moment, effects: EffectSink<C>): void {
    this.replies.release(id);
    this.#lost(id, 'dropped', now, effects);
  }

  /** A user lets stopped controllers take part again. */
  resume(ids: readonly number[] | 'all', effects: EffectSink<C>): void {
    const latched = this.supervision.latched();
    const refused = ids === 'all' ? [] : ids.filter((id) => !this.vehicleIds.includes(id));
    for (const id of latched) {
      if (ids !== 'all' && !ids.includes(id)) continue;
      if (this.#roster.has(id) && this.#roster.stateOf(id) !== 'rejoining') refused.push(id);
      else if (this.supervision.resume(id)) effects.push({ kind: 'resumed', id });
    }
    if (refused.length === 0) return;
    effects.push({ kind: 'resumeRefused', ids: refused.sort((a, b) => a - b) });
  }

  /**
   * A command: forwards or refuses it by the rules, and counts it as a reply when it is one.
   * @param nowNs wall clock at reception, or simulated time, ns.
   * @param now when it is handed over.
   */
  command(
    { command, writer, receivedAtNs }: CommandEvent<C>,
    nowNs: bigint,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    const id = command.message.vehicle_id;
    const period = this.replies.periodAt(receivedAtNs);
    const violations = this.#check(command, writer, period, nowNs, now.stampNs);
    const { rules } = this.#config;
    const refusal = refusalOf(command, violations, rules, this.supervision.isHeld(id));
    let fate: CommandFate = 'refused';
    if (refusal !== undefined) {
      effects.push({ kind: 'refuseCommand', id, command, code: refusal.code, violations });
    } else {
      effects.push({ kind: 'forwardCommand', command });
      const flagged = flaggedOf(violations, rules);
      if (flagged.length > 0) {
        effects.push({ kind: 'flagCommand', id, command, violations: flagged });
      }
      fate = this.#remember(command, violations) ? 'forwarded' : 'repeated';
      const drives = this.takesPart(id) && !has(violations, 'otherWriter');
      this.supervision.forwarded(command, drives, now);
    }
    if (has(violations, 'otherWriter')) this.#reportIntruder(id, writer, effects);
    else {
      if (refusal !== undefined) fate = fateOf(command, violations, rules, nowNs);
      this.#countReply(command, receivedAtNs, violations, fate, now.steadyNs, effects);
    }
    // A controller that is out is back when its answer violates no other rule.
    const onlyOut = violations.length === 1 && has(violations, 'notTakingPart');
    if (onlyOut && this.#identities.answers(id, writer)) this.#move(id, 'answer', effects);
  }

  /** The wall clock stepped by this much, ns: stamps before and after cannot be compared. */
  clockStepped(stepNs: bigint): void {
    this.#history.clockStepped();
    this.replies.clockStepped(stepNs);
  }

  #admit(id: number): void {
    this.#ids = [...this.#ids, id].sort((a, b) => a - b);
    this.replies.add(id);
    this.supervision.add(id);
    this.#roster.admit(id);
  }

  #signedIn(id: number, admitted: boolean, effects: EffectSink<C>): void {
    if (this.readiness.ready(id) || admitted) {
      effects.push({ kind: 'controllerReady', id, admitted });
    }
    this.#move(id, 'ready', effects);
  }

  #lost(id: number, cause: StopCause | 'stalledOnPlan', now: Moment, effects: EffectSink<C>): void {
    this.supervision.out(id, cause, now, effects);
    this.#out(id, effects);
  }

  /** A controller is out; one that waits to take its place does so. */
  #out(id: number, effects: EffectSink<C>): void {
    this.#move(id, 'lost', effects);
    if (this.#identities.succeed(id)) this.#signedIn(id, false, effects);
  }

  #mayRejoin(id: number): boolean {
    return this.#roster.stateOf(id) === 'rejoining' && !this.supervision.isLatched(id);
  }

  #check(
    command: C,
    writer: WriterId,
    period: OpenPeriod | null,
    nowNs: bigint,
    forwardedNs: bigint,
  ): readonly Violation[] {
    const id = command.message.vehicle_id;
    const context = {
      assigned: this.#roster.has(id),
      owned: this.#identities.mayCommand(id, writer),
      takesPart: this.#roster.takesPart(id),
      periodFromNs: period === null ? null : period.answersFromNs,
      lastCreateNs: this.#history.lastCreateNs(command),
      movesFromNs: this.#history.movesFromNs(id),
      nowNs,
      forwardedNs,
    };
    return checkCommand(command, context, this.#config.rules.settings);
  }

  /** @returns false for the same command once more of a clock that is ahead. */
  #remember(command: C, violations: readonly Violation[]): boolean {
    if (!this.#roster.has(command.message.vehicle_id)) return true;
    // One stamp far in the future must not make all later commands look old.
    if (has(violations, 'createdInFuture')) return this.#history.addAhead(command);
    this.#history.add(command);
    return true;
  }

  #countReply(
    command: C,
    receivedAtNs: bigint,
    violations: readonly Violation[],
    fate: CommandFate,
    steadyNs: bigint,
    effects: EffectSink<C>,
  ): void {
    const id = command.message.vehicle_id;
    const createStampNs = createStampOf(command);
    const any = this.#config.rules.reply === 'any';
    if (!any && has(violations, 'createdBeforePeriod')) {
      if (this.takesPart(id) && this.replies.late(id, createStampNs)) {
        effects.push({ kind: 'lateReply', id, createStampNs });
      }
      return;
    }
    if (!any && fate === 'refused') return;
    const reply = this.replies.reply(id, createStampNs, receivedAtNs);
    // One that does not reach the vehicle, or that it has already, drives it no further.
    const isNews = fate !== 'refused' && fate !== 'repeated' && !has(violations, 'notNewer');
    const isInPeriod = this.replies.periodAt(receivedAtNs) !== null;
    const isLife = any ? isInPeriod && this.takesPart(id) : reply !== null;
    if (isLife && isNews) this.supervision.replied(id, steadyNs, fate === 'heldUp');
    if (reply === null) return;
    effects.push({ kind: 'replied', id, ...reply });
    if (this.replies.hasReplied(id)) this.#move(id, 'reply', effects);
  }

  #reportIntruder(id: number, writer: WriterId, effects: EffectSink<C>): void {
    const owner = this.#identities.ownerOf(id);
    if (writer === null || owner === null || !this.#identities.reportIntruder(id, writer)) return;
    effects.push({ kind: 'secondController', id, writer, owner });
  }

  #move(id: number, event: RosterEvent, effects: EffectSink<C>): void {
    const change = this.#roster.apply(id, event);
    if (change === null) return;
    // The vehicle of a controller that is out is stopped, and its history begins anew.
    if (!this.#roster.takesPart(id)) this.#history.stopped(id);
    effects.push({ kind: 'controllerChanged', ...change, latched: this.supervision.isLatched(id) });
  }
}
