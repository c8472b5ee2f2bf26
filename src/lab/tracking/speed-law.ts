import { clamp } from '../clamp.js';

/** Bound of speeding up and braking while a vehicle follows a speed, m/s². */
const gentleAcceleration = 3;

/**
 * The acceleration, m/s², that brings a vehicle to a speed and holds it there exactly.
 * @param target Wanted speed, m/s.
 * @param speed Present speed, m/s.
 * @param dt Time until the next decision, seconds, positive.
 */
export function accelerationTowards(target: number, speed: number, dt: number): number {
  return clamp((target - speed) / dt, -gentleAcceleration, gentleAcceleration);
}
