import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  curvatureOf,
  steeringAngleFor,
  stepBicycle,
  type BicycleInput,
  type BicycleState,
} from '../../../src/lab/bicycle-model.js';
import { modelCar } from '../../../src/lab/model-car.js';

const finite = (bound: number) => fc.double({ min: -bound, max: bound, noNaN: true });

const motion = fc.record<BicycleState>({
  x: finite(5),
  y: finite(5),
  yaw: finite(Math.PI),
  speed: finite(modelCar.maxSpeed),
  steeringAngle: finite(modelCar.maxSteeringAngle),
});
const input = fc.record<BicycleInput>({
  acceleration: finite(1e300),
  steeringAngle: finite(1e300),
});

describe('the bicycle model', () => {
  it('stays where it is at zero speed, whatever the steering does', () => {
    fc.assert(
      fc.property(motion, finite(2), (state, steeringAngle) => {
        const standing = { ...state, speed: 0 };
        const after = stepBicycle(standing, { acceleration: 0, steeringAngle }, 0.02, modelCar);
        expect(Math.hypot(after.x - standing.x, after.y - standing.y)).toBe(0);
        expect(after.speed).toBe(0);
        expect(Math.cos(after.yaw - standing.yaw)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('drives a circle of radius 1/curvature', () => {
    fc.assert(
      fc.property(
        motion,
        fc.double({ min: 0.2, max: 3.5, noNaN: true }),
        fc.boolean(),
        fc.double({ min: 0.001, max: 0.2, noNaN: true }),
        (start, magnitude, left, dt) => {
          const curvature = left ? magnitude : -magnitude;
          const steeringAngle = steeringAngleFor(curvature, modelCar.wheelbase);
          let state: BicycleState = { ...start, speed: 1, steeringAngle };
          const centre = {
            x: state.x - Math.sin(state.yaw) / curvature,
            y: state.y + Math.cos(state.yaw) / curvature,
          };
          for (let i = 0; i < 50; i++) {
            state = stepBicycle(state, { acceleration: 0, steeringAngle }, dt, modelCar);
            const radius = Math.hypot(state.x - centre.x, state.y - centre.y);
            expect(radius).toBeCloseTo(1 / magnitude, 9);
          }
        },
      ),
    );
  });

  it('comes to the same place in one step and in many while speed and steering are steady', () => {
    const start = { x: 0, y: 0, yaw: 1, speed: 2, steeringAngle: 0.2 };
    const hold = { acceleration: 0, steeringAngle: 0.2 };
    let many: BicycleState = start;
    for (let i = 0; i < 100; i++) many = stepBicycle(many, hold, 0.005, modelCar);
    const one = stepBicycle(start, hold, 0.5, modelCar);
    expect(many.x).toBeCloseTo(one.x, 9);
    expect(many.y).toBeCloseTo(one.y, 9);
    expect(many.yaw).toBeCloseTo(one.yaw, 9);
  });

  it('keeps within its bounds for any input', () => {
    fc.assert(
      fc.property(motion, fc.array(input, { maxLength: 30 }), (start, inputs) => {
        let state = start;
        for (const wish of inputs) {
          const after = stepBicycle(state, wish, 0.02, modelCar);
          const moved = Math.hypot(after.x - state.x, after.y - state.y);
          expect(moved).toBeLessThanOrEqual(modelCar.maxSpeed * 0.02 + 1e-12);
          expect(Math.abs(after.speed)).toBeLessThanOrEqual(modelCar.maxSpeed);
          expect(Math.abs(after.speed - state.speed)).toBeLessThanOrEqual(
            modelCar.maxAcceleration * 0.02 + 1e-12,
          );
          expect(Math.abs(after.steeringAngle)).toBeLessThanOrEqual(modelCar.maxSteeringAngle);
          expect(Math.abs(after.steeringAngle - state.steeringAngle)).toBeLessThanOrEqual(
            modelCar.maxSteeringRate * 0.02 + 1e-12,
          );
          expect(Math.abs(after.yaw)).toBeLessThanOrEqual(Math.PI);
          state = after;
        }
      }),
    );
  });

  it('turns a curvature into a steering angle and back', () => {
    fc.assert(
      fc.property(finite(3.5), (curvature) => {
        const angle = steeringAngleFor(curvature, modelCar.wheelbase);
        expect(curvatureOf(angle, modelCar.wheelbase)).toBeCloseTo(curvature, 9);
      }),
    );
  });
});
