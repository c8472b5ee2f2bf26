import { afterEach, vi } from 'vitest';
import {
  createController,
  type Command,
  type Controller,
  type ControllerOptions,
  type Step,
  type StepResult,
} from '../../../src/controller/index.js';
import { VehicleStateCodec, type VehicleState } from '../../../src/messages/index.js';
import { FakeMiddleware } from './fake-middleware.js';

/** A start of a period, ns since 1970. */
export const t = 1_700_000_000_000_000_001n;
/** Length of a period, ns. */
export const period = 50_000_000n;
/** Controllers to close after the test. */
export const opened: Controller[] = [];

afterEach(() => {
  for (const controller of opened.splice(0)) controller.close();
  vi.restoreAllMocks();
});

/** A command to go straight on at a speed, m/s. */
export const drive = (vehicle_id: number, speed = 1): Command => ({
  kind: 'speedCurvature',
  vehicle_id,
  speed,
  curvature: 0,
});
/** A state of a vehicle made at a time. */
export const stateOf = (vehicle_id: number, createNs = t): VehicleState => {
  const state = VehicleStateCodec.zero();
  state.vehicle_id = vehicle_id;
  state.header.create_stamp.nanoseconds = createNs;
  return state;
};

/** A controller of vehicle 1 on a fresh in-memory network. */
export function setUp(options: Partial<ControllerOptions> = {}) {
  const middleware = new FakeMiddleware();
  const errors: unknown[] = [];
  const controller = createController({
    vehicleIds: [1],
    transport: middleware.network.join(),
    onStep: () => drive(1),
    onError: (error) => errors.push(error),
    ...options,
  });
  opened.push(controller);
  return { middleware, controller, errors };
}

/** An onStep whose plans a test finishes by hand, in the order of the steps. */
export function slowPlanner() {
  const steps: Step[] = [];
  const finishers: ((result: StepResult) => void)[] = [];
  const failers: ((error: unknown) => void)[] = [];
  return {
    steps,
    onStep: (step: Step) =>
      new Promise<StepResult>((resolve, reject) => {
        steps.push(step);
        finishers.push(resolve);
        failers.push(reject);
      }),
    finish: (index: number, result: StepResult) => finishers[index]?.(result),
    fail: (index: number, error: unknown) => failers[index]?.(error),
  };
}
