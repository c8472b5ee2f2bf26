import { later } from '../../core/index.js';
import type { EmergencyStop } from '../../dds/index.js';
import { emergencyDurationNs, emergencyRepeatNs } from './emergency-samples.js';

/** A hang of the control loop counts from this time on where --hang-limit-ms=0 stops no vehicle, ns. */
export const hangOfControlLoopNs = 1_000_000_000n;

/** Has the pacer send the emergency samples when JavaScript stands still for longer than the limit. */
export class HangGuard {
  readonly #emergencyStop: EmergencyStop;
  readonly #limitNs: bigint | null;
  #isGuarded = false;
  #isClosed = false;
  #beatAtNs: bigint;

  /**
   * @param limitNs ns; null: such a hang stops no vehicle, and is reported only.
   * @param nowNs monotonic, ns
   */
  constructor(emergencyStop: EmergencyStop, limitNs: bigint | null, nowNs: bigint) {
    this.#emergencyStop = emergencyStop;
    this.#limitNs = limitNs;
    this.#beatAtNs = nowNs;
    this.#arm();
  }

  /**
   * How long it takes from this monotonic instant, ns, until a hang stops the vehicles, ns, unless a beat comes
   * before; null: none does.
   */
  leftNs(nowNs: bigint): bigint | null {
    return this.#limitNs === null ? null : later(this.#limitNs - (nowNs - this.#beatAtNs), 0n);
  }

  /**
   * JavaScript is alive.
   * @param isGuarded a guard stops the vehicles when this program is silent.
   * @param nowNs monotonic, ns
   * @param prepare makes the samples for a hang that begins now, and gets the time since the beat before, ns. It ends
   *   before this beat counts: the samples of before are for a hang that began with the beat before.
   */
  beat(isGuarded: boolean, nowNs: bigint, prepare: (silentNs: bigint) => void): void {
    if (this.#isClosed) return;
    const silentNs = nowNs - this.#beatAtNs;
    this.#beatAtNs = nowNs;
    prepare(silentNs);
    if (isGuarded === this.#isGuarded) {
      this.#emergencyStop.beat();
      return;
    }
    this.#isGuarded = isGuarded;
    this.#arm();
  }

  /** From now on no hang counts. */
  close(): void {
    this.#isClosed = true;
    this.#emergencyStop.armHangGuard({ afterNs: 0n, repeatNs: 0n, durationNs: 0n });
  }

  #arm(): void {
    this.#emergencyStop.armHangGuard({
      afterNs: this.#limitNs ?? hangOfControlLoopNs,
      repeatNs: emergencyRepeatNs,
      durationNs: emergencyDurationNs,
      watchOnly: this.#limitNs === null,
      guarded: this.#isGuarded,
    });
  }
}
