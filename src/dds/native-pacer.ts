import { HlcError } from '../core/errors/index.js';
import type { TransportWriter } from '../core/ports/index.js';
import type { EmergencyStop, HangStop } from './emergency-stop.js';
import { DdsWriter } from './endpoints.js';
import { EventKind, numbersOf, type EventBatch } from './event-batch.js';
import type { EntityHandle, PacerBinding, PacerId } from './native.js';
import type { Pacer, Tick } from './pacer.js';
import type { SentSlot, TimedWriter } from './timed-writer.js';

/** A pacer of the add-on. */
export class NativePacer implements Pacer {
  readonly timedWriter: TimedWriter;
  readonly emergencyStop: EmergencyStop;
  #closed = false;
  #onTick: (tick: Tick) => void = () => undefined;
  #onSent: (sent: SentSlot) => void = () => undefined;
  #onSentByHang: (stop: HangStop) => void = () => undefined;

  /** @param onClosed no event is for it any more */
  constructor(
    private readonly native: PacerBinding,
    private readonly id: PacerId,
    private readonly onClosed: () => void,
  ) {
    this.timedWriter = this.#createTimedWriter();
    this.emergencyStop = this.#createEmergencyStop();
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
          ...writtenSlot(event.payload),
          value: BigInt.asUintN(64, event.a),
          monotonicNs: event.b,
          realtimeNs: event.c,
        });
        break;
      case EventKind.sentByHang:
        this.native.hangSeen(this.id);
        this.#onSentByHang({ silentNs: event.a, samples: Number(event.b) });
        break;
      default:
        break;
    }
  }

  #openNative(): PacerBinding {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'pacer' });
    return this.native;
  }

  #createTimedWriter(): TimedWriter {
    return {
      schedule: ({ plan, writer, bytes, patchOffset, slots }) => {
        const native = this.#openNative();
        const handle = handleOf(writer);
        if (handle === undefined) return false;
        const numbers = slots.flatMap((slot) => [
          BigInt(slot.index),
          slot.notBeforeNs,
          slot.notAfterNs,
          slot.value,
        ]);
        native.schedule(this.id, handle, bytes, patchOffset, BigInt64Array.from(numbers), plan);
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
        const handle = sample && handleOf(sample.writer);
        if (sample === undefined || handle === undefined) {
          native.removeEmergencySample(this.id, key);
          return sample === undefined;
        }
        const patches = sample.patches.flatMap(({ offset, deltaNs }) => [BigInt(offset), deltaNs]);
        const { bytes, floorNs } = sample;
        const numbers = BigInt64Array.from(patches);
        native.setEmergencySample(this.id, key, handle, bytes, numbers, floorNs);
        return true;
      },
      sendBlocking: (repeatNs, durationNs) =>
        this.#closed ? 0 : this.native.emergencyStop(this.id, repeatNs, durationNs),
      armHangGuard: ({ afterNs, repeatNs, durationNs }) =>
        this.#openNative().armHangGuard(this.id, afterNs, repeatNs, durationNs),
      beat: () => this.#openNative().beat(this.id),
      onSentByHang: (listener) => {
        this.#onSentByHang = listener;
      },
    };
  }
}

function writtenSlot(payload: Uint8Array): Pick<SentSlot, 'index' | 'plan'> {
  const [index = -1, plan = -1] = numbersOf(payload);
  return { index, plan };
}

/** Undefined for a writer that the threads of the add-on cannot use. */
function handleOf(writer: TransportWriter): EntityHandle | undefined {
  const own = writer.carrier ?? writer;
  return own instanceof DdsWriter ? own.handle : undefined;
}
