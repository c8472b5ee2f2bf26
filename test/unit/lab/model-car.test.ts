import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accelerationFromThrottle,
  modelCar,
  servoFor,
  steeringAngleFromServo,
  throttleFor,
} from '../../../src/lab/model-car.js';

const unit = fc.double({ min: -1, max: 1, noNaN: true });

describe('the model car', () => {
  it('finds the throttle of an acceleration', () => {
    fc.assert(
      fc.property(unit, fc.double({ min: -4, max: 4, noNaN: true }), (throttle, speed) => {
        const found = throttleFor(accelerationFromThrottle(throttle, speed), speed);
        expect(found).toBeCloseTo(throttle, 6);
      }),
    );
  });

  it('finds the servo input of a steering angle', () => {
    fc.assert(
      fc.property(unit, (servo) => {
        expect(servoFor(steeringAngleFromServo(servo))).toBeCloseTo(servo, 9);
      }),
    );
  });

  it('takes inputs beyond full as full', () => {
    expect(accelerationFromThrottle(7, 1)).toBe(accelerationFromThrottle(1, 1));
    expect(steeringAngleFromServo(-7)).toBeCloseTo(-modelCar.maxSteeringAngle, 12);
  });

  it('rolls to a stop without throttle, and goes backwards with a negative one', () => {
    expect(accelerationFromThrottle(0, 2)).toBeLessThan(0);
    expect(accelerationFromThrottle(-0.3, 0)).toBeLessThan(0);
  });
});
