import type { Step } from '../../../controller/index.js';

/** The sensors of one episode. */
export interface SensorSuite {
  /** True when there is no sensor. */
  readonly isEmpty: boolean;
  /** The frames of all sensors for a step, in any order. */
  capture(frameNumber: number, step: Step, vehicleId: number): Promise<readonly Uint8Array[]>;
  /** No capture follows. */
  close(): void;
}

/** No sensors at all. */
export const noSensors: SensorSuite = {
  isEmpty: true,
  capture: () => Promise.resolve([]),
  close: () => undefined,
};
