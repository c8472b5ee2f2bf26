import type { Pacer, Tick } from '../../src/dds/index.js';

/** A pacer that wakes nothing and writes nothing: the test makes the ticks. */
export class StillPacer implements Pacer {
  readonly timedWriter: Pacer['timedWriter'] = {
    schedule: () => false,
    lastIndex: () => -1,
    cancel: () => undefined,
    onSent: () => undefined,
  };
  readonly emergencyStop: Pacer['emergencyStop'] = {
    set: () => false,
    setTime: () => undefined,
    onSending: () => undefined,
    sendBlocking: () => 0,
    armHangGuard: () => undefined,
    beat: () => undefined,
    onSentByHang: () => undefined,
    seeHang: () => undefined,
  };
  readonly stopRamps: Pacer['stopRamps'] = { set: () => false, remove: () => undefined };
  readonly statusBeacon: Pacer['statusBeacon'] = { set: () => false };
  readonly watchdog: Pacer['watchdog'] = { feed: () => false };
  #onTick: (tick: Tick) => void = () => undefined;

  arm(): void {
    return;
  }

  disarm(): void {
    return;
  }

  close(): void {
    return;
  }

  onTick(listener: (tick: Tick) => void): void {
    this.#onTick = listener;
  }

  tick(tick: Tick): void {
    this.#onTick(tick);
  }
}
