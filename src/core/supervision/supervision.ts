import { earlier, later, type Moment } from '../time.js';
import { type Command, createStampOf } from '../command.js';
import type { EffectSink, StopCause } from '../effects.js';
import { StopAuthority } from '../stop/stop-authority.js';
import type { Stopped } from '../stop/braking-place.js';
import type { SupervisionConfig, SupervisionRule } from './miss-policy.js';

interface Charge {
  readonly rule: SupervisionRule;
  /** True for a vehicle of no controller that was commanded all the same. */
  readonly isStray: boolean;
  /** It takes part, or commands its vehicle, since this instant, ns; null: it is out, or does neither yet. */
  joinedAtNs: bigint | null;
  /** A start signal went to it since then: its replies are awaited. Before that, each of its commands is one. */
  isAwaited: boolean;
  /** It has commanded its vehicle since then. */
  commanded: boolean;
  /** Its last reply, or the instant at which it joined, ns. */
  repliedAtNs: bigint;
  /** Create stamp of the last command of each kind, ns. */
  readonly createNs: Map<Command['kind'], bigint>;
  /** Its last reply did not reach the vehicle. */
  heldUp: boolean;
  /** Misses in a row that count. */
  strikes: number;
  latched: boolean;
}

/**
 * What follows when a controller misses its periods, or is gone: its vehicle goes on with the last
 * commands for a while, or is brought to rest. A stopped controller is out; with manual resume that
 * is latched. A controller that has not commanded its vehicle since it joined leaves nothing to be
 * stopped. Where the checks let commands pass for a vehicle of no controller, or of one that waits for its
 * first start signal, that vehicle is stopped when they cease to come. Without a controller it is latched
 * then, whatever the rule is.
 */
export class Supervision {
  /** Brings vehicles to rest. */
  readonly stops: StopAuthority;
  readonly #config: SupervisionConfig;
  readonly #charges = new Map<number, Charge>();
  readonly #strays = new Set<number>();
  #deadlineNs: bigint | null = null;

  /** @param periodNs above 0. */
  constructor(
    ids: readonly number[],
    config: SupervisionConfig,
    periodNs: bigint,
    time: 'real' | 'simulated',
  ) {
    this.#config = config;
    this.stops = new StopAuthority(config.stops, periodNs, time);
    for (const id of ids) this.add(id);
  }

  /**
   * A controller is admitted. Its vehicle may have been commanded before: then it may still move, or be
   * latched.
   */
  add(id: number): void {
    const charge = this.#newCharge(id, false);
    const stray = this.#charges.get(id);
    if (stray !== undefined) {
      charge.latched = stray.latched && charge.rule.resume !== 'auto';
      charge.joinedAtNs = stray.joinedAtNs;
      charge.commanded = stray.commanded;
      charge.repliedAtNs = stray.repliedAtNs;
    }
    this.#charges.set(id, charge);
    this.#strays.delete(id);
  }

  /** The vehicles of no controller that were commanded, in no order. */
  get strays(): ReadonlySet<number> {
    return this.#strays;
  }

  /** True when misses of this controller are only reported, whatever it does. */
  isOnlyLogged(id: number): boolean {
    return this.#charges.get(id)?.rule.policy === 'log';
  }

  /** True when this controller takes part again only after a resume. */
  isLatched(id: number): boolean {
    return this.#charges.get(id)?.latched ?? false;
  }

  /** The controllers that take part again only after a resume, ascending. */
  latched(): number[] {
    const latched = [...this.#charges].filter(([, charge]) => charge.latched);
    return latched.map(([id]) => id).sort((a, b) => a - b);
  }

  /** True when the vehicle is stopped: no command for it may pass, whatever the checks allow. */
  isHeld(id: number): boolean {
    return this.isLatched(id) || (this.stops.isHeld(id) && !this.#isResumedStray(id));
  }

  /**
   * {@link expire} is not due before this instant, ns; null while no reply is awaited. A reply and the end of
   * a controller do not move it, because it is read after every event: `expire` finds the next one.
   */
  get deadlineNs(): bigint | null {
    return this.#deadlineNs;
  }

  /** A start signal goes to a controller that takes part. */
  started(id: number, now: Moment): void {
    const charge = this.#charges.get(id);
    if (charge === undefined || charge.isAwaited) return;
    // What it commanded before may still drive its vehicle.
    charge.commanded &&= charge.joinedAtNs !== null;
    charge.isAwaited = true;
    charge.joinedAtNs = now.steadyNs;
    charge.repliedAtNs = now.steadyNs;
    charge.heldUp = false;
    charge.strikes = 0;
  }

  /**
   * A command was forwarded.
   * @param drives true when it is its controller's own, and that takes part: a stop is over.
   */
  forwarded(command: Command, drives: boolean, now: Moment): void {
    const id = command.message.vehicle_id;
    const charge = this.#charges.get(id) ?? this.#stray(id);
    if (drives || this.#isResumedStray(id)) this.stops.release(id);
    this.stops.forwarded(command, now);
    const isRepeated = charge.createNs.get(command.kind) === createStampOf(command);
    charge.createNs.set(command.kind, createStampOf(command));
    // A repeated command shows no life, but it drives a vehicle that was resumed.
    if (!charge.isAwaited && (charge.joinedAtNs === null || !isRepeated)) {
      charge.joinedAtNs ??= now.steadyNs;
      charge.repliedAtNs = now.steadyNs;
    }
    if (charge.joinedAtNs === null || charge.commanded) return;
    charge.commanded = true;
    this.#deadlineNs = soonest(this.#deadlineNs, deadlineOf(charge));
  }

  /**
   * A controller replied to a period.
   * @param heldUp the vehicle did not receive the reply. Of several such replies in a row only the first
   *   one counts.
   */
  replied(id: number, atNs: bigint, heldUp: boolean): void {
    const charge = this.#charges.get(id);
    if (charge === undefined) return;
    const counts = !heldUp || !charge.heldUp;
    charge.heldUp = heldUp;
    if (!counts) return;
    charge.strikes = 0;
    charge.repliedAtNs = later(charge.repliedAtNs, atNs);
  }

  /**
   * A controller missed a period.
   * @returns true when it is out now.
   */
  missed<C extends Command>(id: number, now: Moment, effects: EffectSink<C>): boolean {
    const charge = this.#charges.get(id);
    if (!charge?.commanded || charge.joinedAtNs === null) return false;
    const { policy, missLimit, graceNs, holdPeriods } = charge.rule;
    if (policy === 'log' || now.steadyNs - charge.joinedAtNs < graceNs) return false;
    const beyond = ++charge.strikes - missLimit;
    if (beyond < 0) return false;
    if (policy === 'hold' && beyond < holdPeriods && this.#hold(id, now, effects)) return false;
    this.#stop(id, charge, 'misses', now, effects);
    return true;
  }

  /**
   * Stops the vehicles whose controllers have been silent for too long.
   * @returns the controllers that are out now.
   */
  expire<C extends Command>(now: Moment, effects: EffectSink<C>): number[] {
    const expired: number[] = [];
    if (this.#deadlineNs === null || now.steadyNs < this.#deadlineNs) return expired;
    this.#deadlineNs = null;
    for (const [id, charge] of this.#charges) {
      const deadlineNs = deadlineOf(charge);
      if (deadlineNs === null || now.steadyNs < deadlineNs) {
        this.#deadlineNs = soonest(this.#deadlineNs, deadlineNs);
        continue;
      }
      this.#stop(id, charge, 'silent', now, effects);
      expired.push(id);
    }
    return expired;
  }

  /** A controller is out: its process is gone, it was dropped, or its vehicle was stopped already. */
  out<C extends Command>(
    id: number,
    cause: StopCause | 'stalledOnPlan',
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    const charge = this.#charges.get(id);
    if (charge === undefined) return;
    const { rule, joinedAtNs, commanded } = charge;
    const drives = (joinedAtNs !== null && commanded) || this.stops.isDriven(id, now);
    leave(charge);
    const wasStopped = stoppedBy(cause) !== 'no';
    const isOfConcern = drives && (wasStopped || rule.policy !== 'log');
    if (cause === 'guard' || isOfConcern) this.#stop(id, charge, cause, now, effects);
  }

  /** Lets a controller take part again; false when nothing held it. The stop goes on until its next command. */
  resume(id: number): boolean {
    const charge = this.#charges.get(id);
    if (charge?.latched !== true) return false;
    charge.latched = false;
    return true;
  }

  /**
   * Stops the vehicles once more that an earlier run stopped, also those without a controller in this
   * run: it may have ended before they stood.
   */
  stopLatched<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    const stamps = { createNs: now.stampNs, validNs: now.stampNs };
    for (const { id, kinds, sent } of this.#config.latched) {
      this.stops.sentUnseen(id, kinds, stamps, now);
      if (sent !== undefined) this.stops.sentUnseen(id, [], sent, now);
      this.stops.begin(id, now, effects, 'yes');
    }
  }

  /** The controllers that a start trigger of the lab resumes. */
  resumedByTrigger(): number[] {
    return this.latched().filter((id) => this.#charges.get(id)?.rule.resume === 'trigger');
  }

  /** The run is over: every vehicle that was commanded in it is brought to rest. */
  finish<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    for (const charge of this.#charges.values()) leave(charge);
    for (const id of this.stops.commandedIds) this.stops.begin(id, now, effects);
  }

  /** True for a vehicle of no controller whose next command ends its stop. */
  #isResumedStray(id: number): boolean {
    const charge = this.#charges.get(id);
    return charge?.isStray === true && !charge.latched;
  }

  #newCharge(id: number, isStray: boolean): Charge {
    const rule = this.#config.ruleOf(id);
    const isLatched = this.#config.latched.some((vehicle) => vehicle.id === id);
    return {
      rule,
      isStray,
      joinedAtNs: null,
      isAwaited: false,
      commanded: false,
      repliedAtNs: 0n,
      createNs: new Map(),
      heldUp: false,
      strikes: 0,
      latched: isLatched && (isStray || rule.resume !== 'auto'),
    };
  }

  #stray(id: number): Charge {
    const charge = this.#newCharge(id, true);
    this.#charges.set(id, charge);
    this.#strays.add(id);
    return charge;
  }

  /** Repeats the last commands; false when the vehicle obeys none of them any more. */
  #hold<C extends Command>(id: number, now: Moment, effects: EffectSink<C>): boolean {
    // Its controller has planned further: a repetition would outrank that.
    if (this.stops.hasPending(id, now)) return true;
    const commands = this.stops.repeated(id, now);
    for (const command of commands) {
      effects.push({ kind: 'commandVehicle', id, cause: 'hold', command });
      this.stops.forwarded(command, now);
    }
    return commands.length > 0;
  }

  #stop<C extends Command>(
    id: number,
    charge: Charge,
    cause: StopCause | 'stalledOnPlan',
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    leave(charge);
    const { policy, resume } = charge.rule;
    // Where misses are only logged, its controller drives it again as soon as it answers.
    const mayReturn = resume === 'auto' || (policy === 'log' && cause !== 'guard');
    charge.latched = charge.isStray || !mayReturn;
    this.stops.begin(id, now, effects, stoppedBy(cause));
    const reported = cause === 'stalledOnPlan' ? 'stalled' : cause;
    effects.push({ kind: 'safeStop', id, cause: reported, latched: charge.latched });
  }
}

/** Whether another program, or another thread, has stopped the vehicle in this case. */
export function stoppedBy(cause: StopCause | 'stalledOnPlan'): Stopped {
  if (cause === 'stalledOnPlan') return 'exceptOnPlan';
  if (cause === 'stalled') return 'byPacer';
  return cause === 'guard' ? 'yes' : 'no';
}

function leave(charge: Charge): void {
  charge.joinedAtNs = null;
  charge.isAwaited = false;
  charge.commanded = false;
}

/** When the last reply of a controller that drives its vehicle is too old, ns; null: never. */
function deadlineOf({ rule, joinedAtNs, commanded, repliedAtNs }: Charge): bigint | null {
  const { policy, stopAfterNs, graceNs } = rule;
  if (policy === 'log' || stopAfterNs === null || joinedAtNs === null || !commanded) return null;
  return later(repliedAtNs + stopAfterNs, joinedAtNs + graceNs);
}

/** Null stands for never. */
function soonest(aNs: bigint | null, bNs: bigint | null): bigint | null {
  if (aNs === null || bNs === null) return aNs ?? bNs;
  return earlier(aNs, bNs);
}
