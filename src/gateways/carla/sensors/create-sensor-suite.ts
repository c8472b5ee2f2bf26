import { Worker } from 'node:worker_threads';

import { toS } from '../../../core/index.js';
import type { Step } from '../../../controller/index.js';
import { encodeImage, encodeScan } from '../protocol/sensor-frames.js';
import type { SensorSettings } from '../protocol/settings.js';
import type { VehicleSize } from '../protocol/transforms.js';
import type { CaptureRequest } from './capture.js';
import { angleAfter } from './lidar.js';
import { boxAt } from './scene.js';
import { noSensors, type SensorSuite } from './sensor-suite.js';

/** What clients get from the sensors that they ask for. */
export type SensorMode = 'synthetic' | 'blank' | 'off';

/** The longest sweep of a lidar, s, when frames are left out. */
const longestSweep = 1;
const origin = { x: 0, y: 0, yaw: 0 };

/** The sensors of an episode. */
export function createSensorSuite(
  mode: SensorMode,
  sensors: readonly SensorSettings[],
  size: VehicleSize,
): SensorSuite {
  if (mode === 'off' || sensors.length === 0) return noSensors;
  return mode === 'blank' ? new BlankSensors(sensors) : new SyntheticSensors(sensors, size);
}

/** Black images of the right size, and scans without points. */
class BlankSensors implements SensorSuite {
  readonly isEmpty = false;

  constructor(private readonly sensors: readonly SensorSettings[]) {}

  capture(frameNumber: number): Promise<readonly Uint8Array[]> {
    return Promise.resolve(this.sensors.map((settings) => blankFrame(settings, frameNumber)));
  }

  close(): void {
    // Nothing is open.
  }
}

function blankFrame(settings: SensorSettings, frameNumber: number): Uint8Array {
  if (settings.kind === 'camera') {
    const { width, height } = settings;
    return encodeImage(settings, frameNumber, new Uint8Array(4 * width * height));
  }
  const counts = new Uint32Array(settings.channels);
  const points = new Float32Array(0);
  return encodeScan(settings, frameNumber, { horizontalAngle: 0, counts, points });
}

/** Drawn from the boxes of the other vehicles and flat ground, in a worker thread. */
class SyntheticSensors implements SensorSuite {
  readonly isEmpty = false;
  readonly #size: VehicleSize;
  readonly #sensors: { readonly settings: SensorSettings; fromAngle: number }[];
  readonly #worker = new Worker(new URL('./render-worker.js', import.meta.url));
  #lastNs: bigint | undefined;
  /** The vehicle keeps its last pose when a step has no state of it. */
  #vehicle = boxAt(0, origin);

  constructor(sensors: readonly SensorSettings[], size: VehicleSize) {
    this.#size = size;
    this.#sensors = sensors.map((settings) => ({ settings, fromAngle: 0 }));
    this.#worker.on('error', () => undefined); // each capture that waits reports it
  }

  capture(frameNumber: number, step: Step, vehicleId: number): Promise<readonly Uint8Array[]> {
    const sinceNs = this.#lastNs === undefined ? step.periodNs : step.tNowNs - this.#lastNs;
    this.#lastNs = step.tNowNs;
    const duration = Math.min(longestSweep, toS(sinceNs));
    const own = step.vehicles.get(vehicleId);
    if (own !== undefined) this.#vehicle = boxAt(vehicleId, own.pose);
    const boxes = [...step.vehicles.values()]
      .filter(({ vehicle_id: id }) => id !== vehicleId)
      .map(({ vehicle_id: id, pose }) => boxAt(id, pose));
    const request: CaptureRequest = {
      frameNumber,
      vehicle: this.#vehicle,
      scene: { boxes, size: this.#size },
      sensors: this.#sensors.map((sensor) => ({ ...sensor })),
      duration,
    };
    for (const sensor of this.#sensors) {
      const { settings, fromAngle } = sensor;
      if (settings.kind === 'lidar')
        sensor.fromAngle = angleAfter(settings, { fromAngle, duration });
    }
    return this.#ask(request);
  }

  close(): void {
    void this.#worker.terminate();
  }

  #ask(request: CaptureRequest): Promise<readonly Uint8Array[]> {
    return new Promise((resolve, reject) => {
      const onMessage = (frames: readonly Uint8Array[]) => {
        this.#worker.off('error', reject);
        resolve(frames);
      };
      this.#worker.once('message', onMessage);
      this.#worker.once('error', reject);
      this.#worker.postMessage(request);
    });
  }
}
