import process from 'node:process';
import { HlcError } from '../errors/index.js';
import type { TransportWriter } from '../ports/index.js';
import type { EmergencySample, EmergencyStop, HangStop, Stall } from './emergency-stop.js';
import { DdsWriter } from './endpoints.js';
import { EventKind, type EventBatch } from './event-batch.js';
import { KeptSamples } from './kept-samples.js';
import type { EntityHandle, NativeBinding, PacerBinding, PacerId } from './native.js';
import type { Pacer, Tick, StatusBeacon } from './pacer.js';
import type { StopRamps } from './stop-ramps.js';
import type { SentSlot, TimedWriter } from './timed-writer.js';
import { watchdogOf, type Watchdog } from './watchdog.js';

/** In the order of the add-on. */
const stalls: readonly Stall[] = ['none', 'suspended', 'stopped'];

/** What a pacer needs of the add-on. */
export type PacerAddOn = PacerBinding & Pick<NativeBinding, 'monotonicNs' | 'realtimeNs'>;

/** A pacer of the add-on. */
export class NativePacer implements Pacer {
  readonly timedWriter: TimedWriter;
  readonly emergencyStop: EmergencyStop;
  readonly stopRamps: StopRamps;
  readonly statusBeacon: StatusBeacon;
  readonly watchdog: Watchdog;
  /** The emergency samples that only this thread can write. */
  readonly #kept = new KeptSamples();
  /** Of the plan that is handed over. */
  readonly #times = new BigInt64Array(5);
  #closed = false;
  #onTick: (tick: Tick) => void = () => undefined;
  #onSent: (sent: SentSlot) => void = () => undefined;
  #onSentByHang: (stop: HangStop) => void = () => undefined;
  #onSending: ((stall: Stall) => boolean) | undefined;
  /** The samples that name a place are among those that `sendBlocking` writes. */
  #sendsPlaces = true;

  /**
   * @param onClosed no event is for it any more
   * @param sleep blocks this thread for a time, ns
   */
  constructor(
    private readonly native: PacerAddOn,
    private readonly id: PacerId,
    private readonly onClosed: () => void,
    private readonly sleep: (durationNs: bigint) => void = blockThread,
  ) {
    this.timedWriter = this.#createTimedWriter();
    this.emergencyStop = this.#createEmergencyStop();
    this.stopRamps = this.#createStopRamps();
    this.statusBeacon = this.#createStatusBeacon();
    this.watchdog = this.#createWatchdog();
  }

  arm(deadlineNs: bigint): void {
    this.#openNative().armPacer(this.id, deadlineNs);
  }

  disarm(): void {
    this.#openNative().disarmPacer(this.id);
  }

  onTick(listener: (tick: Tick) => void): void {
    this.#onTick = listener;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onClosed();
    this.native.closePacer(this.id);
  }

  dispatch(event: EventBatch): void {
    switch (event.kind) {
      case EventKind.tick:
        this.#onTick({ deadlineNs: event.a, wokeAtNs: event.b, realtimeNs: event.c });
        break;
      case EventKind.slotSent:
        this.#onSent({
          plan: event.number(1),
          index: event.number(0),
          value: BigInt.asUintN(64, event.a),
          monotonicNs: event.b,
          realtimeNs: event.c,
        });
        break;
      case EventKind.sentByHang:
        this.#seeHang();
        break;
      default:
        break;
    }
  }

  /** The event of a hang that was seen before finds none. */
  #seeHang(): void {
    if (this.#closed) return;
    const silentNs = this.native.unseenHang(this.id);
    if (silentNs === undefined) return;
    const isComplete = this.native.hangSeen(this.id) && !this.#kept.hasOfHang;
    this.#kept.write(this.native, true);
    this.#onSentByHang({ silentNs, isComplete });
  }

  #openNative(): PacerBinding {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'pacer' });
    return this.native;
  }

  #createTimedWriter(): TimedWriter {
    return {
      schedule: ({ plan, writer, bytes, patchOffset, slot, repeats }) => {
        const native = this.#openNative();
        const handle = handleOf(writer);
        if (handle === undefined) return false;
        this.#times[0] = slot.notBeforeNs;
        this.#times[1] = slot.notAfterNs;
        this.#times[2] = slot.value;
        this.#times[3] = repeats.everyNs;
        this.#times[4] = repeats.delayNs;
        const { index } = slot;
        native.schedule(
          this.id,
          handle,
          bytes,
          patchOffset,
          this.#times,
          plan,
          index,
          repeats.count,
        );
        return true;
      },
      lastIndex: () => (this.#closed ? -1 : this.native.lastSlotIndex(this.id)),
      cancel: () => this.#openNative().cancelSchedule(this.id),
      onSent: (listener) => {
        this.#onSent = listener;
      },
    };
  }

  #createEmergencyStop(): EmergencyStop {
    return {
      set: (key, sample) => {
        const native = this.#openNative();
        const prepared = sample && prepare(sample);
        if (prepared === undefined) native.removeEmergencySample(this.id, key);
        else
          native.setEmergencySample(
            this.id,
            key,
            ...prepared,
            occasions[sample?.occasion ?? 'always'],
          );
        if (sample === undefined || prepared !== undefined) this.#kept.remove(key);
        else this.#kept.set(key, sample);
        return sample === undefined || prepared !== undefined;
      },
      setTime: (simulatedNs) => {
        this.#openNative().setEmergencyTime(this.id, simulatedNs);
        this.#kept.setTime(simulatedNs);
      },
      onSending: (listener) => {
        this.#onSending = listener;
      },
      sendBlocking: (repeatNs, durationNs) => {
        if (this.#closed) return 0;
        this.#beforeSending();
        const { native, id } = this;
        if (this.#kept.isEmpty)
          return native.emergencyStop(id, repeatNs, durationNs, this.#sendsPlaces);
        return this.#sendWithKept(repeatNs, durationNs);
      },
      armHangGuard: ({ afterNs, repeatNs, durationNs, watchOnly = false, guarded = false }) =>
        this.#openNative().armHangGuard(this.id, afterNs, repeatNs, durationNs, watchOnly, guarded),
      beat: () => this.#openNative().beat(this.id),
      onSentByHang: (listener) => {
        this.#onSentByHang = listener;
      },
      seeHang: () => this.#seeHang(),
    };
  }

  #stall(): Stall {
    const stall = stalls[this.native.stall(this.id)] ?? 'none';
    // Nothing was written in the hang that only this thread can write.
    return stall === 'stopped' && !this.#kept.isEmpty ? 'none' : stall;
  }

  #beforeSending(): void {
    const onSending = this.#onSending;
    if (onSending === undefined) return;
    this.#onSending = undefined;
    try {
      const stall = this.#stall();
      // Until then no sample can be set.
      if (stall !== 'stopped') this.native.hangSeen(this.id);
      this.#sendsPlaces = onSending(stall);
      // A guard must not take this program for one that is alive.
      if (!this.#sendsPlaces) this.native.removeBeacon(this.id);
    } catch {
      // What was set before is written.
    }
  }

  /** As the add-on does, together with the samples that only this thread can write. */
  #sendWithKept(repeatNs: bigint, durationNs: bigint): number {
    const { native, id } = this;
    let nextNs = native.monotonicNs();
    const endNs = nextNs + durationNs;
    let written = 0;
    for (;;) {
      written += native.emergencyStop(id, 0n, 0n, this.#sendsPlaces);
      written += this.#kept.write(native, !this.#sendsPlaces);
      const nowNs = native.monotonicNs();
      nextNs = nextNs + repeatNs > nowNs ? nextNs + repeatNs : nowNs;
      if (repeatNs <= 0n || nextNs > endNs) return written;
      this.sleep(nextNs - nowNs);
    }
  }

  #createStopRamps(): StopRamps {
    return {
      set: (key, { sample, speedOffset, speedMps, brakingMps2 }, { afterNs, repeatNs, restNs }) => {
        const native = this.#openNative();
        const prepared = prepare(sample);
        if (prepared === undefined) return false;
        native.setRamp(
          this.id,
          key,
          ...prepared,
          speedOffset,
          speedMps,
          brakingMps2,
          afterNs,
          repeatNs,
          restNs,
        );
        return true;
      },
      remove: (key) => this.#openNative().removeRamp(this.id, key),
    };
  }

  #createStatusBeacon(): StatusBeacon {
    return {
      set: (sample, intervalNs) => {
        const native = this.#openNative();
        const prepared = sample && prepare(sample);
        if (prepared === undefined) native.removeBeacon(this.id);
        else native.setBeacon(this.id, intervalNs, ...prepared);
        return sample === undefined || prepared !== undefined;
      },
    };
  }

  #createWatchdog(): Watchdog {
    return {
      feed: () => {
        const native = this.#openNative();
        const watched = watchdogOf(process.env, process.pid);
        if (watched === undefined) return false;
        native.feedWatchdog(this.id, watched.socketName, watched.intervalNs);
        return true;
      },
    };
  }
}

const occasions = { always: 0, atOnce: 1, afterHang: 2, unlessSuspended: 4 } as const;

/** A sample as the add-on takes it; undefined when its threads cannot use the writer. */
function prepare(sample: EmergencySample) {
  const { writer, bytes, patches, floorNs, clockOffsetNs = 0n } = sample;
  const handle = handleOf(writer);
  if (handle === undefined) return undefined;
  const numbers = numbersOf(3 * patches.length);
  patches.forEach(({ offset, deltaNs, isTime = false }, i) => {
    numbers[3 * i] = BigInt(offset);
    numbers[3 * i + 1] = deltaNs;
    numbers[3 * i + 2] = isTime ? 1n : 0n;
  });
  return [handle, bytes, numbers, floorNs, clockOffsetNs] as const;
}

/** Memory for this many numbers, which the add-on copies: samples are handed over all the time. */
function numbersOf(length: number): BigInt64Array {
  const numbers = keptNumbers.get(length) ?? new BigInt64Array(length);
  keptNumbers.set(length, numbers);
  return numbers;
}

/** By their length; a sample of an emergency has a bounded number of places. */
const keptNumbers = new Map<number, BigInt64Array>();

function blockThread(durationNs: bigint): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(durationNs) / 1e6);
}

/** Undefined for a writer that the threads of the add-on cannot use. */
function handleOf(writer: TransportWriter): EntityHandle | undefined {
  const own = writer.carrier ?? writer;
  return own instanceof DdsWriter ? own.handle : undefined;
}
