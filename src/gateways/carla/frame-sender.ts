import { nsPerMs } from '../../core/index.js';
import type { Step } from '../../controller/index.js';
import { encodeMeasurements } from './protocol/measurements.js';
import { emptyFrame } from './protocol/frames.js';
import type { VehicleSize } from './protocol/transforms.js';
import type { SensorSuite } from './sensors/sensor-suite.js';

/** Where frames go. */
export interface FrameSocket {
  /** Writes bytes. @returns false until the peer takes them; `onDrain` follows then. */
  write(bytes: Uint8Array): boolean;
}

/** What every frame of an episode has in common. */
export interface FrameSource {
  /** The vehicle of the client. */
  readonly vehicleId: number;
  readonly size: VehicleSize;
  readonly sendsAgents: boolean;
  readonly sensors: SensorSuite;
  /** Time of the machine, ms, of any origin. */
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the frames of one episode: measurements at once, then the data of the sensors, then the
 * frame without content. While a frame is on its way, of the steps that follow the newest waits.
 */
export class FrameSender {
  #frames = 0;
  #firstNs: bigint | undefined;
  #isBusy = false;
  /** Since when the peer has not taken what was written, ms. */
  #blockedSinceMs: number | undefined;
  #next: Step | undefined;
  #closed = false;

  constructor(
    private readonly socket: FrameSocket,
    private readonly source: FrameSource,
  ) {}

  /** For how long the client has not read what was sent, ms; 0 when it reads. */
  get blockedMs(): number {
    const { nowMs } = this.source;
    return this.#blockedSinceMs === undefined ? 0 : nowMs() - this.#blockedSinceMs;
  }

  send(step: Step): void {
    if (this.#closed) return;
    if (this.#isBusy || this.#blockedSinceMs !== undefined) {
      this.#next = step;
      return;
    }
    const { vehicleId, size, sendsAgents, sensors, nowMs } = this.source;
    this.#firstNs ??= step.tNowNs;
    const states = [...step.vehicles.values()];
    const frameNumber = ++this.#frames;
    const measurements = encodeMeasurements({
      frameNumber,
      platformMs: nowMs(),
      gameMs: Number((step.tNowNs - this.#firstNs) / nsPerMs),
      player: step.vehicles.get(vehicleId),
      others: sendsAgents ? states.filter(({ vehicle_id: id }) => id !== vehicleId) : [],
      size,
    });
    if (sensors.isEmpty) {
      this.#write(Buffer.concat([measurements, emptyFrame]));
      return;
    }
    this.#write(measurements);
    this.#isBusy = true;
    sensors
      .capture(frameNumber, step, vehicleId)
      .then(
        (frames) => {
          for (const frame of frames) this.#write(frame);
          this.#write(emptyFrame);
        },
        (error: unknown) => this.source.onError(error),
      )
      .finally(() => {
        this.#isBusy = false;
        this.#continue();
      });
  }

  /** The peer has taken what was written. */
  drained(): void {
    this.#blockedSinceMs = undefined;
    this.#continue();
  }

  /** Nothing more is sent. */
  close(): void {
    this.#closed = true;
    this.source.sensors.close();
  }

  #write(bytes: Uint8Array): void {
    if (this.#closed) return;
    if (!this.socket.write(bytes)) this.#blockedSinceMs ??= this.source.nowMs();
  }

  #continue(): void {
    if (this.#isBusy || this.#blockedSinceMs !== undefined) return;
    const step = this.#next;
    this.#next = undefined;
    if (step !== undefined) this.send(step);
  }
}
