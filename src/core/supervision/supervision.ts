import type { Command } from '../command.js';
import type { EffectSink, StopCause } from '../effects.js';
import type { SupervisionConfig, SupervisionRule } from './miss-policy.js';
import { repeatedCommand, stopCommand } from './vehicle-commands.js';
import { VehicleWatch } from './vehicle-watch.js';

/** Now, on the two time lines of supervision; in lock-step both are the simulated time. */
export interface Moment {
  /** For grace, rest and silence, ns: monotonic, which no step of the wall clock moves. */
  readonly steadyNs: bigint;
  /** For the stamps of commands, ns: the wall clock. */
  readonly stampNs: bigint;
}

/** A vehicle that is being brought to rest, or was. */
interface Stop {
  readonly since: Moment;
  /** True once the vehicle stands or is gone; false again when it moves. */
  done: boolean;
}

interface Charge {
  readonly rule: SupervisionRule;
  /** It takes part since this instant, ns; null: it is out, or has not begun. */
  joinedAtNs: bigint | null;
  /** It has commanded its vehicle since it joined. */
  commanded: boolean;
  /** Misses in a row that count. */
  strikes: number;
  /** Kind and message of its last forwarded command. */
  last: Command | null;
  stop: Stop | null;
  latched: boolean;
}

/**
 * What follows when a controller misses its periods, or is gone: its vehicle goes on with the last
 * command for a while, or is brought to rest with a stop command in every period until its state
 * shows rest or it is gone. A stopped controller is out; with manual resume that is latched. A
 * controller that has not commanded its vehicle since it joined leaves nothing to be stopped.
 */
export class Supervision {
  readonly #charges = new Map<number, Charge>();
  readonly #vehicles: VehicleWatch;

  /** @param periodNs above 0. */
  constructor(
    ids: readonly number[],
    private readonly config: SupervisionConfig,
    periodNs: bigint,
  ) {
    this.#vehicles = new VehicleWatch(periodNs);
    for (const id of ids) this.add(id);
  }

  /** A controller is admitted. */
  add(id: number): void {
    this.#charges.set(id, {
      rule: this.config.ruleOf(id),
      joinedAtNs: null,
      commanded: false,
      strikes: 0,
      last: null,
      stop: null,
      latched: false,
    });
  }

  /** True when misses of this controller are only told, whatever it does. */
  isOnlyLogged(id: number): boolean {
    return this.#charges.get(id)?.rule.policy === 'log';
  }

  /** True when this controller takes part again only after a resume. */
  isLatched(id: number): boolean {
    return this.#charges.get(id)?.latched ?? false;
  }

  /** The controllers that take part again only after a resume, ascending. */
  latched(): number[] {
    return [...this.#charges].filter(([, { latched }]) => latched).map(([id]) => id);
  }

  /** True when the vehicle of this controller is being brought to rest. */
  isStopping(id: number): boolean {
    return this.#charges.get(id)?.stop?.done === false;
  }

  /** A start signal goes to a controller that takes part. */
  started(id: number, now: Moment): void {
    const charge = this.#charges.get(id);
    if (charge?.joinedAtNs !== null) return;
    charge.joinedAtNs = now.steadyNs;
    charge.commanded = false;
    charge.strikes = 0;
  }

  /** A command of a controller was forwarded: whatever was being done to its vehicle is over. */
  commanded({ kind, message }: Command): void {
    const charge = this.#charges.get(message.vehicle_id);
    if (charge === undefined || charge.joinedAtNs === null) return;
    // Kind and message belong together; the compiler cannot see that through the union.
    charge.last = { kind, message } as Command;
    charge.commanded = true;
    charge.stop = null;
  }

  /** A controller replied to a period. */
  replied(id: number): void {
    const charge = this.#charges.get(id);
    if (charge !== undefined) charge.strikes = 0;
  }

  /**
   * A controller missed a period.
   * @returns true when it is out now.
   */
  missed<C extends Command>(id: number, now: Moment, effects: EffectSink<C>): boolean {
    const charge = this.#charges.get(id);
    if (charge === undefined || charge.joinedAtNs === null || !charge.commanded) return false;
    const { policy, missLimit, graceNs, holdPeriods } = charge.rule;
    if (policy === 'log' || now.steadyNs - charge.joinedAtNs < graceNs) return false;
    const beyond = ++charge.strikes - missLimit;
    if (beyond < 0) return false;
    if (policy === 'hold' && beyond < holdPeriods && charge.last !== null) {
      const command = repeatedCommand(charge.last, now.stampNs);
      if (command !== null) {
        effects.push({ kind: 'commandVehicle', id, cause: 'hold', command });
        return false;
      }
    }
    this.#stop(id, charge, 'misses', now, effects);
    return true;
  }

  /** A controller is out: its process is gone, or it was dropped. */
  out<C extends Command>(id: number, cause: StopCause, now: Moment, effects: EffectSink<C>): void {
    const charge = this.#charges.get(id);
    if (charge === undefined || charge.joinedAtNs === null) return;
    if (charge.rule.policy === 'log' || !charge.commanded) charge.joinedAtNs = null;
    else this.#stop(id, charge, cause, now, effects);
  }

  /** Lets a controller take part again; false when nothing held it. */
  resume(id: number): boolean {
    const charge = this.#charges.get(id);
    if (charge?.latched !== true) return false;
    charge.latched = false;
    return true;
  }

  /**
   * A state of a vehicle came.
   * @param speedMps m/s.
   */
  vehicleState(id: number, speedMps: number, atNs: bigint): void {
    this.#vehicles.heard(id, speedMps, atNs);
  }

  /** A period begins: repeats the stop commands. */
  period<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    for (const [id, charge] of this.#charges) {
      if (charge.stop !== null) this.#goOnStopping(id, charge, charge.stop, now, effects);
    }
  }

  /** The run is over: one last stop command for every vehicle that was commanded in it. */
  finish<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    for (const [id, charge] of this.#charges) {
      if (charge.rule.policy === 'log' || charge.last === null) continue;
      if (charge.stop?.done === true) continue;
      this.#command(id, charge.last, charge.stop?.since ?? now, now, effects);
    }
  }

  #stop<C extends Command>(
    id: number,
    charge: Charge,
    cause: StopCause,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    charge.joinedAtNs = null;
    charge.latched = charge.rule.resume === 'manual';
    charge.stop = { since: now, done: false };
    if (charge.last !== null) this.#command(id, charge.last, now, now, effects);
    effects.push({ kind: 'safeStop', id, cause, latched: charge.latched });
  }

  #goOnStopping<C extends Command>(
    id: number,
    charge: Charge,
    stop: Stop,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    const sinceNs = stop.since.steadyNs;
    const gone = this.#vehicles.isGone(id, sinceNs, now.steadyNs);
    const over = gone || this.#vehicles.isAtRest(id, sinceNs);
    if (!over && charge.last !== null) {
      this.#command(id, charge.last, stop.since, now, effects);
    } else if (over && !stop.done) {
      const afterNs = now.steadyNs - sinceNs;
      effects.push({ kind: 'vehicleStopped', id, outcome: gone ? 'gone' : 'atRest', afterNs });
    }
    stop.done = over;
  }

  #command<C extends Command>(
    id: number,
    last: Command,
    since: Moment,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    const braking = {
      fromNs: since.stampNs,
      lastedNs: now.steadyNs - since.steadyNs,
      nowNs: now.stampNs,
      brakingMps2: this.config.brakingMps2,
    };
    const command = stopCommand(last, braking);
    effects.push({ kind: 'commandVehicle', id, cause: 'stop', command });
  }
}
