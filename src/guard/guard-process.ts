import {
  Guard,
  earlier,
  type ClockReading,
  type GuardEffect,
  type StopConfig,
} from '../core/index.js';
import type { Clocks, Pacer } from '../dds/index.js';
import { createToKeep, emergencySample, HeldUpStops, readClocks } from '../node/index.js';
import { GuardSide, type Side, type TopicErrors } from '../sides/index.js';
import type { GuardLatches, LatchedBy } from './guard-latches.js';

/**
 * The stops are published this often while there are some, and while there are none, ns. A middleware
 * that has just begun must know of them before it forwards commands.
 */
const holdingIntervalNs = 25_000_000n;
const idleIntervalNs = 1_000_000_000n;

/** The thread shows at least this often that it is alive, ns. */
const longestSleepNs = 250_000_000n;

/** A guard whose thread does not wake for this time feeds no watchdog, ns. */
const hangLimitNs = 1_000_000_000n;

export interface GuardProcessOptions {
  readonly name: string;
  readonly side: Side;
  /** GUID of the participant of the side. */
  readonly ownGuid: string;
  readonly clocks: Clocks;
  readonly pacer: Pacer;
  readonly stops: StopConfig;
  /** See `GuardConfig.afterNs`. */
  readonly afterNs: bigint | null;
  /** For a middleware, or a guard, that is started again on this machine. */
  readonly latches: Pick<GuardLatches, 'commanded' | 'add' | 'forget'> | undefined;
  /** What was latched before this guard was started. */
  readonly latchedBefore: readonly LatchedBy[];
  /** Of the middlewares that latched it, ns. */
  readonly periodNs: bigint;
  readonly errors: TopicErrors;
  readonly onEffect: (effect: GuardEffect) => void;
}

/** A guard at work: gives the rules of `core` the events of the lab side, and carries out their effects. */
export class GuardProcess {
  readonly #options: GuardProcessOptions;
  readonly #epoch: bigint;
  readonly #guard: Guard;
  readonly #side: GuardSide;
  readonly #heldUpStops: HeldUpStops;
  #publishAtNs = 0n;
  #hasFailed = false;
  #onEnded: () => void = () => undefined;

  /** @throws HlcError `HLC_DDS_ENTITY`. */
  constructor(options: GuardProcessOptions) {
    const { side, ownGuid, clocks, pacer, stops, afterNs, errors, latches } = options;
    this.#options = options;
    this.#epoch = clocks.realtimeNs();
    this.#guard = new Guard({ epoch: this.#epoch, stops, afterNs });
    this.#side = new GuardSide(
      side,
      ownGuid,
      {
        status: (report, participant) =>
          this.#perform(this.#guard.status(report, participant, this.#now())),
        command: (command, participant) => {
          this.#guard.command(command, participant, this.#now());
          latches?.commanded(command);
          this.#arm();
        },
        otherGuard: (sourceId, participant) =>
          this.#perform(this.#guard.otherGuard(sourceId, participant)),
        vehicleState: (id, motion, receivedAtNs) => {
          const now = this.#now();
          const realtimeNs = now.realtimeNs - (now.monotonicNs - receivedAtNs);
          this.#guard.vehicleState(id, motion, { monotonicNs: receivedAtNs, realtimeNs });
          // A vehicle that was not seen for a while is answered at once.
          const { wakeAtNs } = this.#guard;
          if (wakeAtNs !== null && wakeAtNs <= receivedAtNs) pacer.arm(wakeAtNs);
        },
      },
      errors,
    );
    this.#heldUpStops = new HeldUpStops({
      ramps: pacer.stopRamps,
      writer: this.#side.writerOf('pathTracking'),
      brakingMps2: stops.brakingMps2,
      clocks,
    });
    // No emergency sample is written in place of this thread: only the watchdog depends on its beats.
    pacer.emergencyStop.armHangGuard({
      afterNs: hangLimitNs,
      repeatNs: 0n,
      durationNs: 0n,
      watchOnly: true,
    });
    for (const { sourceId, vehicles } of options.latchedBefore) {
      this.#guard.latchedBefore(sourceId, vehicles, options.periodNs, this.#now());
    }
    pacer.onTick(() => this.#wake());
    pacer.arm(clocks.monotonicNs());
  }

  /** True while it holds a vehicle, or watches a session of the middleware with this id. */
  isNeededBy(nodeId: string): boolean {
    return this.#guard.stops.length > 0 || this.#guard.watches(nodeId);
  }

  /**
   * Ends the guard: settles when no stop can begin and its vehicles stand.
   * @param longestNs so long the vehicles may take to rest, ns; then they are commanded to stand still.
   */
  end(longestNs: bigint): Promise<void> {
    return new Promise((resolve) => {
      this.#onEnded = resolve;
      this.#perform(this.#guard.end(this.#now(), longestNs));
    });
  }

  /** Commands each vehicle that it stops to stand still at once. */
  standStill(): void {
    this.#heldUpStops.close();
    for (const command of this.#guard.standStill(this.#now())) this.#side.command(command);
  }

  /**
   * Call it when this program has failed. It prepares the emergency samples for the vehicles that would have no
   * stop any more, and latches them. After that the guard does nothing else. It throws nothing. The pacer's thread
   * goes on with the stop of a vehicle for which no sample can be made.
   * @returns false when there are no such vehicles, and after the first call.
   */
  failed(): boolean {
    if (this.#hasFailed) return false;
    this.#hasFailed = true;
    const { pacer, latches } = this.#options;
    let isStopping = this.#heldUpStops.isAny;
    let key = 0;
    ignoringErrors(() => {
      const now = this.#now();
      for (const { id, sourceId, standStill } of this.#guard.leftAlone(now)) {
        isStopping = true;
        ignoringErrors(() => {
          for (const still of standStill()) {
            const { kind } = still.command;
            const sample = emergencySample(still, createToKeep(still), now.monotonicNs);
            pacer.emergencyStop.set(key++, { writer: this.#side.writerOf(kind), ...sample });
          }
          this.#heldUpStops.released(id);
        });
        ignoringErrors(() => latches?.add(sourceId, [id]));
      }
    });
    return isStopping;
  }

  #wake(): void {
    const { pacer } = this.#options;
    pacer.emergencyStop.beat();
    this.#perform(this.#guard.wake(this.#now()));
  }

  #perform(effects: readonly GuardEffect[]): void {
    if (this.#hasFailed) return;
    const { latches, onEffect } = this.#options;
    for (const effect of effects) {
      switch (effect.kind) {
        case 'commandVehicle':
          this.#heldUpStops.commanded(effect.command);
          this.#side.command(effect.command);
          break;
        case 'vehicleStopped':
          this.#heldUpStops.released(effect.id);
          break;
        case 'sessionChanged':
          if (effect.ids.length > 0) {
            latches?.add(effect.sourceId, effect.ids);
            this.#publishAtNs = 0n;
          }
          break;
        case 'takenOver':
          // From now on the middleware keeps the file.
          latches?.forget(effect.ids);
          for (const id of effect.ids) this.#heldUpStops.released(id);
          this.#publishAtNs = 0n;
          break;
        case 'guardEnded':
          this.#onEnded();
          break;
        case 'guardEnding':
        case 'otherGuard':
        case 'vehicleMovesAgain':
          break;
      }
    }
    this.#publishWhenDue();
    this.#arm();
    // After all commands are out.
    for (const effect of effects) onEffect(effect);
  }

  #publishWhenDue(): void {
    const { name, clocks } = this.#options;
    const nowNs = clocks.monotonicNs();
    if (nowNs < this.#publishAtNs) return;
    const { stops } = this.#guard;
    this.#side.publish(name, this.#epoch, stops);
    this.#publishAtNs = nowNs + (stops.length > 0 ? holdingIntervalNs : idleIntervalNs);
  }

  #arm(): void {
    const { pacer, clocks } = this.#options;
    const { wakeAtNs } = this.#guard;
    const latestNs = earlier(clocks.monotonicNs() + longestSleepNs, this.#publishAtNs);
    pacer.arm(wakeAtNs === null ? latestNs : earlier(wakeAtNs, latestNs));
  }

  #now(): ClockReading {
    return readClocks(this.#options.clocks);
  }
}

/** For a program that has failed already. */
function ignoringErrors(act: () => void): void {
  try {
    act();
  } catch {
    // The fault that ends the program is reported.
  }
}
