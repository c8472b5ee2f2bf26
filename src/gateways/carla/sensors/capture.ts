import { encodeImage, encodeScan } from '../protocol/sensor-frames.js';
import type { SensorSettings } from '../protocol/settings.js';
import { drawImage } from './camera.js';
import { scan } from './lidar.js';
import { viewFrom, type Scene, type SceneBox } from './scene.js';

/** What the sensors of a vehicle are to see, as it goes to the worker thread. */
export interface CaptureRequest {
  readonly frameNumber: number;
  readonly vehicle: SceneBox;
  readonly scene: Scene;
  readonly sensors: readonly {
    readonly settings: SensorSettings;
    /** Of a lidar: degrees at which its sweep begins. */
    readonly fromAngle: number;
  }[];
  /** Seconds since the frame before. */
  readonly duration: number;
}

/** The frames of all sensors. */
export function capture(request: CaptureRequest): Uint8Array[] {
  const { frameNumber, vehicle, scene, sensors, duration } = request;
  return sensors.map(({ settings, fromAngle }) => {
    const view = viewFrom(vehicle, settings.pose);
    return settings.kind === 'camera'
      ? encodeImage(settings, frameNumber, drawImage(settings, view, scene))
      : encodeScan(settings, frameNumber, scan(settings, { fromAngle, duration }, view, scene));
  });
}
