import type { CommandRules } from './check-policy.js';
import { checkCommand } from './command-checks.js';
import { type Command, createStampOf } from './command.js';
import { later } from './clock-reading.js';
import type { EffectSink } from './effects.js';
import { Readiness } from './readiness.js';
import { type OpenPeriod, ReplyMonitor, type ReplyTally } from './reply-monitor.js';
import { type ControllerState, Roster, type RosterEvent } from './roster.js';
import type { Violation } from './violation.js';

/** A controller as a session sees it now. */
export interface ControllerReport extends ReplyTally {
  readonly id: number;
  readonly state: ControllerState;
}

/**
 * What both sessions do with controllers: ready signals, commands, replies and misses. Effects
 * are added to the list that is passed in.
 */
export class Controllers<C extends Command> {
  readonly ids: readonly number[];
  readonly readiness: Readiness;
  readonly replies: ReplyMonitor;
  readonly #roster: Roster;
  readonly #rules: CommandRules;
  /** Create stamp of the last command that was forwarded, per vehicle, ns. */
  readonly #lastCreateNs = new Map<number, bigint>();

  /** @param ids as `assignedIds` returns them. */
  constructor(ids: readonly number[], rules: CommandRules) {
    this.ids = ids;
    this.readiness = new Readiness(ids);
    this.replies = new ReplyMonitor(ids);
    this.#roster = new Roster(ids);
    this.#rules = rules;
  }

  /** One report per assigned controller, ascending by id. */
  report(): ControllerReport[] {
    return this.ids.flatMap((id) => {
      const tally = this.replies.tally(id);
      return tally ? [{ id, state: this.#roster.stateOf(id), ...tally }] : [];
    });
  }

  /** True when the controller takes part: it is neither absent nor dead nor yet rejoining. */
  takesPart(id: number): boolean {
    return this.#roster.takesPart(id);
  }

  /** True when a controller has come back and takes part from the next start signal. */
  someoneRejoins(): boolean {
    return this.ids.some((id) => this.#roster.stateOf(id) === 'rejoining');
  }

  /** A ready signal; returns the id of an assigned controller, else null. */
  readySignal(sourceId: string, effects: EffectSink<C>): number | null {
    const signal = this.readiness.signal(sourceId);
    switch (signal.kind) {
      case 'ready':
        effects.push({ kind: 'controllerReady', id: signal.id });
        this.#move(signal.id, 'ready', effects);
        return signal.id;
      case 'again':
        this.#move(signal.id, 'ready', effects);
        return signal.id;
      case 'unknown':
        effects.push({ kind: 'unknownController', sourceId });
        return null;
      case 'ignored':
        return null;
    }
  }

  /**
   * A start signal goes out: those that rejoin take part from now on.
   * @param asked whose reply is awaited: of all assigned, or of those that take part.
   */
  start(
    tNowNs: bigint,
    sentAtNs: bigint,
    asked: 'all' | 'takingPart',
    effects: EffectSink<C>,
  ): void {
    for (const id of this.ids) this.#move(id, 'start', effects);
    this.replies.open(tNowNs, sentAtNs, (id) => asked === 'all' || this.takesPart(id));
  }

  /** Tells who missed the period that is over, if one is to be judged. */
  judge(effects: EffectSink<C>): void {
    const judged = this.replies.judge();
    if (judged === null || judged.misses.length === 0) return;
    effects.push({ kind: 'missed', ...judged });
    for (const { id } of judged.misses) {
      // Who has already replied to the next period is not late any more.
      if (!this.replies.hasReplied(id)) this.#move(id, 'miss', effects);
    }
  }

  /** A controller is gone. Ids that are not assigned are ignored. */
  lost(id: number, effects: EffectSink<C>): void {
    this.#move(id, 'lost', effects);
  }

  /** A controller has not replied within the reply time-out, and is still waited for. */
  late(id: number, effects: EffectSink<C>): void {
    this.#move(id, 'miss', effects);
  }

  /** A controller is gone, or counts as gone, and its reply is not waited for. */
  drop(id: number, effects: EffectSink<C>): void {
    this.replies.release(id);
    this.#move(id, 'lost', effects);
  }

  /**
   * A command: forwards or refuses it by the rules, and counts it as a reply when it is one.
   * @param nowNs wall clock at reception, or simulated time, ns.
   */
  command(command: C, receivedAtNs: bigint, nowNs: bigint, effects: EffectSink<C>): void {
    const id = command.message.vehicle_id;
    const period = this.replies.periodAt(receivedAtNs);
    const violations = this.#check(command, period, nowNs);
    const refusal = violations.find(({ check }) => this.#rules.policies[check] === 'reject');
    if (refusal !== undefined) {
      effects.push({ kind: 'refuseCommand', id, command, code: refusal.code, violations });
    } else {
      effects.push({ kind: 'forwardCommand', command });
      if (violations.length > 0) effects.push({ kind: 'flagCommand', id, command, violations });
      this.#remember(command, violations);
    }
    this.#countReply(command, receivedAtNs, violations, refusal === undefined, effects);
  }

  /** The wall clock stepped by this much, ns: stamps before and after cannot be compared. */
  clockStepped(stepNs: bigint): void {
    this.#lastCreateNs.clear();
    this.replies.clockStepped(stepNs);
  }

  #check(command: C, period: OpenPeriod | null, nowNs: bigint): readonly Violation[] {
    const id = command.message.vehicle_id;
    const context = {
      assigned: this.#roster.has(id),
      takesPart: this.#roster.takesPart(id),
      periodFromNs: period === null ? null : period.answersFromNs,
      lastCreateNs: this.#lastCreateNs.get(id),
      nowNs,
    };
    return checkCommand(command, context, this.#rules.settings);
  }

  #remember(command: C, violations: readonly Violation[]): void {
    const id = command.message.vehicle_id;
    // One stamp far in the future must not make all later commands look old.
    if (!this.#roster.has(id) || has(violations, 'createdInFuture')) return;
    const createNs = createStampOf(command);
    this.#lastCreateNs.set(id, later(createNs, this.#lastCreateNs.get(id) ?? createNs));
  }

  #countReply(
    command: C,
    receivedAtNs: bigint,
    violations: readonly Violation[],
    forwarded: boolean,
    effects: EffectSink<C>,
  ): void {
    const id = command.message.vehicle_id;
    const createStampNs = createStampOf(command);
    const any = this.#rules.reply === 'any';
    if (!any && has(violations, 'createdBeforePeriod')) {
      if (this.takesPart(id) && this.replies.late(id, createStampNs)) {
        effects.push({ kind: 'lateReply', id, createStampNs });
      }
      return;
    }
    if (!any && !forwarded) return;
    const reply = this.replies.reply(id, createStampNs, receivedAtNs);
    if (reply === null) return;
    effects.push({ kind: 'replied', id, ...reply });
    if (this.replies.hasReplied(id)) this.#move(id, 'reply', effects);
  }

  #move(id: number, event: RosterEvent, effects: EffectSink<C>): void {
    const change = this.#roster.apply(id, event);
    if (change !== null) effects.push({ kind: 'controllerChanged', ...change });
  }
}

function has(violations: readonly Violation[], check: Violation['check']): boolean {
  return violations.some((violation) => violation.check === check);
}
