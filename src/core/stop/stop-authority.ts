import { earlier, type Moment } from '../time.js';
import type { Command } from '../command.js';
import type { EffectSink } from '../effects.js';
import type { Stopped } from './braking-place.js';
import { ForwardedCommands } from './forwarded-commands.js';
import type { PreparedStop, StandStill } from './stand-still.js';
import type { Stamps } from './stop-commands.js';
import {
  repeatNsOf,
  type SentCommands,
  sentOf,
  type StopConfig,
  SupervisedVehicle,
  type VehicleRules,
} from './supervised-vehicle.js';
import type { StampedMotion } from './vehicle-motion.js';

/**
 * The one authority over stops: it knows what was forwarded to each vehicle and may still be obeyed,
 * and how the vehicle moves, and gives the commands that bring it to rest. A stop goes on until the
 * vehicle stands; a vehicle that moves again while it is stopped is stopped again. Steady instants of
 * all calls rise.
 */
export class StopAuthority {
  readonly #rules: VehicleRules;
  readonly #repeatNs: bigint;
  readonly #vehicles = new Map<number, SupervisedVehicle>();
  readonly #nothingSent: SentCommands;
  /** When all stops are to be repeated, steady, ns. */
  #repeatAtNs: bigint | null = null;
  /** When single stops are to be repeated before that, steady, ns. */
  #answerAtNs: bigint | null = null;

  /**
   * @param periodNs above 0.
   * @param time simulated time stands while this program is held up.
   */
  constructor(config: StopConfig, periodNs: bigint, time: 'real' | 'simulated') {
    this.#rules = { config, periodNs, time };
    this.#repeatNs = repeatNsOf(this.#rules);
    this.#nothingSent = sentOf(new ForwardedCommands(config.profile), config.profile);
  }

  /** When {@link act} is due, steady, ns; null while no vehicle is being stopped. */
  get nextAtNs(): bigint | null {
    return this.#answerAtNs ?? this.#repeatAtNs;
  }

  /** The vehicles that were commanded, in no order. */
  get commandedIds(): number[] {
    return [...this.#vehicles.values()].flatMap(({ id, isCommanded }) => (isCommanded ? [id] : []));
  }

  /** True when the states of the vehicle show that it stands. */
  isAtRest(id: number): boolean {
    return this.#vehicles.get(id)?.isAtRest ?? false;
  }

  /** True while the vehicle is being brought to rest. */
  isStopping(id: number): boolean {
    return this.#vehicles.get(id)?.isStopping ?? false;
  }

  /** True when a command for the vehicle is in force, and no stop. */
  isDriven(id: number, now: Moment): boolean {
    return this.#vehicles.get(id)?.isDriven(now) ?? false;
  }

  /** True when a command of its controller waits for its time to come. */
  hasPending(id: number, now: Moment): boolean {
    return this.#vehicles.get(id)?.hasPending(now) ?? false;
  }

  /** True from the begin of a stop until the vehicle is released. */
  isHeld(id: number): boolean {
    return this.#vehicles.get(id)?.isHeld ?? false;
  }

  /** The speed that the last command of its stop asks for, m/s; 0 where there is none. */
  speedOf(id: number): number {
    return this.#vehicles.get(id)?.stopMps ?? 0;
  }

  /** The vehicles that are being brought to rest, in no order. */
  get stopping(): number[] {
    return this.commandedIds.filter((id) => this.isStopping(id));
  }

  /**
   * A command goes to its vehicle. One that is forwarded in spite of a stop makes the stop begin
   * anew, at speed 0: at once, but in real time at most once per repeat.
   */
  forwarded(command: Command, now: Moment): void {
    const vehicle = this.#vehicle(command.message.vehicle_id);
    vehicle.forwarded(command, now);
    if (vehicle.isAnswerDue) this.#answerAtNs ??= now.steadyNs;
  }

  /**
   * True for a command that brings a vehicle to rest which is being stopped: now, or once it holds, it asks for no
   * more than the stop, but for what the vehicle brakes between two repeats.
   */
  isNotFaster(command: Command, now: Moment): boolean {
    return this.#vehicle(command.message.vehicle_id).isNotFaster(command, now);
  }

  /**
   * A command of another program that brings this vehicle to rest went to it. It counts as forwarded,
   * unless a stop is under way: that goes on, not faster than the other one, and outranks it with its
   * next repeat.
   */
  stoppedElsewhere(command: Command, now: Moment): void {
    this.#vehicle(command.message.vehicle_id).stoppedElsewhere(command, now);
  }

  /**
   * Commands of these kinds went to a vehicle without being seen here, or some of them.
   * @param stamps the highest of all, ns.
   * @param speedMps where these were commands of a stop, what the one with the highest create stamp asks for, m/s.
   */
  sentUnseen(
    id: number,
    kinds: readonly Command['kind'][],
    stamps: Stamps,
    now: Moment,
    speedMps = 0,
  ): void {
    this.#vehicle(id).sentUnseen(kinds, stamps, now, speedMps);
  }

  /** What was sent to a vehicle, its own stops included, and how long that may be obeyed. */
  sent(id: number): SentCommands {
    // Reading adds no vehicle, so that only events determine the order of vehicles.
    return this.#vehicles.get(id)?.sent ?? this.#nothingSent;
  }

  /** Its controller drives the vehicle again. */
  release(id: number): void {
    this.#vehicles.get(id)?.release();
  }

  /** A state of a vehicle came. @param received in simulated time its stamp is that of the next step. */
  observe(id: number, state: StampedMotion, received: Moment): void {
    const vehicle = this.#vehicle(id);
    vehicle.observe(state, received);
    if (vehicle.isAnswerDue) this.#answerAtNs ??= received.steadyNs;
  }

  /**
   * Begins to bring a vehicle to rest. Nothing happens while that is under way, unless another program has
   * stopped the vehicle, and for a vehicle that was never commanded.
   * In real time, the first command for a vehicle that obeys no command any more, or whose plan is over, waits
   * one repeat when its last state is older than that: this program may have been held up, and a place of before
   * would move the vehicle.
   * @param stopped by another program, already.
   */
  begin<C extends Command>(
    id: number,
    now: Moment,
    effects: EffectSink<C>,
    stopped: Stopped = 'no',
  ): void {
    if (!this.#vehicle(id).begin(now, effects, stopped)) return;
    const atNs = now.steadyNs + this.#repeatNs;
    this.#repeatAtNs = earlier(this.#repeatAtNs ?? atNs, atNs);
  }

  /** Repeats the commands of the stops that are due, and says which stops are over. */
  act<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    const repeatsAll =
      this.#answerAtNs === null || (this.#repeatAtNs ?? now.steadyNs) <= now.steadyNs;
    let isActive = false;
    for (const vehicle of this.#vehicles.values()) {
      if (repeatsAll || vehicle.isAnswerDue) isActive = vehicle.goOn(now, effects) || isActive;
    }
    this.#answerAtNs = null;
    if (repeatsAll) this.#repeatAtNs = isActive ? now.steadyNs + this.#repeatNs : null;
  }

  /**
   * The commands of a vehicle's controller once more, made now; empty when the vehicle obeys none of
   * them any more.
   */
  repeated(id: number, now: Moment): Command[] {
    return this.#vehicle(id).repeated(now);
  }

  /** The commands that make a vehicle stand still, sent now or prepared. */
  standStill(id: number, now: Moment, prepared: PreparedStop | null = null): StandStill[] {
    return this.#vehicle(id).standStill(now, prepared);
  }

  /**
   * In simulated time: true when these vehicles have not come to a later time since this instant, steady, ns, and were
   * commanded all that can be commanded meanwhile.
   */
  haveStoodSince(steadyNs: bigint, ids: readonly number[]): boolean {
    return ids.every((id) => this.#vehicle(id).hasStoodSince(steadyNs));
  }

  /** The run ends while the time of a vehicle stands: its last commands bring it to rest whether that goes on or not. */
  finish<C extends Command>(id: number, now: Moment, effects: EffectSink<C>): void {
    this.#vehicle(id).finish('silent', now, effects);
  }

  #vehicle(id: number): SupervisedVehicle {
    let vehicle = this.#vehicles.get(id);
    if (vehicle === undefined) {
      vehicle = new SupervisedVehicle(id, this.#rules);
      this.#vehicles.set(id, vehicle);
    }
    return vehicle;
  }
}
