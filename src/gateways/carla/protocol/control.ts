import { clamp } from '../../../core/index.js';
import { ControlSchema, type Control } from '../../generated/carla_pb.js';
import { decodeMessage } from '../../decode-message.js';
import { Refusal } from '../../refusal.js';

/** What a vehicle does by the control of a client. */
export interface Actuation {
  /** −1 (full backwards) to 1 (full forwards). */
  readonly motorThrottle: number;
  /** −1 (right) to 1 (left). */
  readonly steeringServo: number;
}

/** No throttle, wheels straight: before the first control of an episode. */
export const idle: Actuation = { motorThrottle: 0, steeringServo: 0 };

/**
 * Decodes a Control. No bytes are the control whose fields are all zero.
 * @throws Refusal for bytes that are none, and for numbers that are not finite.
 */
export function decodeControl(bytes: Uint8Array): Actuation {
  return actuationOf(decodeMessage(ControlSchema, bytes));
}

function actuationOf(control: Control): Actuation {
  for (const field of ['steer', 'throttle', 'brake'] as const) {
    if (!Number.isFinite(control[field])) throw new Refusal(`${field} of a Control is not finite`);
  }
  const { steer, throttle, brake, handBrake, reverse } = control;
  const forward = brake > 0 || handBrake ? 0 : clamp(throttle, 0, 1);
  return {
    motorThrottle: reverse ? -forward + 0 : forward,
    steeringServo: clamp(-steer, -1, 1) + 0,
  };
}
