import type {
  Effect,
  LockStepEvent,
  SessionEvent,
  StartSentEvent,
  VehicleObservationEvent,
  VehicleStateEvent,
} from '../core/index.js';
import type { NestedSample, VehicleObservation, VehicleState } from '../messages/index.js';
import type { ReceivedCommand } from '../sides/index.js';

type AnySessionEvent = SessionEvent<NestedSample, NestedSample, ReceivedCommand>;
type AnyLockStepEvent = LockStepEvent<NestedSample, NestedSample, ReceivedCommand>;

/** A sample of a vehicle as observers see it. */
interface WithSample {
  /** CDR as received; valid while the event is handled. */
  readonly bytes: Uint8Array;
}

/** A vehicle state as observers see it. */
export interface ObservedVehicleState extends VehicleStateEvent<NestedSample>, WithSample {
  /** The vehicle's own odometer, m. */
  readonly odometerM: number;
}

/** An observation of a vehicle as observers see it. */
export interface ObservedVehicleObservation
  extends VehicleObservationEvent<NestedSample>, WithSample {}

/** A start signal that went out, as observers see it. */
export interface ObservedStartSent extends StartSentEvent {
  /** CDR as sent, whichever thread sent it; valid while the event is handled. */
  readonly bytes: Uint8Array;
}

/** An event of either kind of session, over the samples of the wire contract. */
export type ObservedEvent =
  | Exclude<AnySessionEvent, { kind: 'vehicleState' | 'vehicleObservation' | 'startSent' }>
  | Extract<AnyLockStepEvent, { kind: 'stepControl' }>
  | ObservedVehicleState
  | ObservedVehicleObservation
  | ObservedStartSent;

/**
 * An effect of either kind of session. A recorded start signal lists its vehicles without their
 * payloads, which are in its sample.
 * @typeParam P payload of states and observations.
 */
export type ObservedEffect<P = unknown> = Effect<P, P, ReceivedCommand>;

/** The result of performing an effect. */
export interface Performed {
  /** False when a write of this effect failed; the topic errors have the reason. */
  readonly written: boolean;
  /** Of a start signal in simulated time: how long it took to write, ns; otherwise 0. */
  readonly latenessNs: bigint;
  /** Of a start signal in simulated time: CDR as sent, when an observer wants it. */
  readonly sample?: Uint8Array;
}

/** The event of a vehicle state that was received. */
export function vehicleStateEvent(
  message: VehicleState,
  kept: NestedSample,
  bytes: Uint8Array,
  receivedAtNs: bigint,
): ObservedVehicleState {
  const sample = sampleOf(message, kept);
  const { createStampNs } = sample;
  return {
    kind: 'vehicleState',
    sample,
    motion: { speedMps: message.speed, pose: message.pose, createStampNs },
    odometerM: message.odometer_distance,
    bytes,
    receivedAtNs,
  };
}

/** The event of an observation of a vehicle that was received. */
export function vehicleObservationEvent(
  message: VehicleObservation,
  kept: NestedSample,
  bytes: Uint8Array,
  receivedAtNs: bigint,
): ObservedVehicleObservation {
  return { kind: 'vehicleObservation', sample: sampleOf(message, kept), bytes, receivedAtNs };
}

function sampleOf(message: VehicleState | VehicleObservation, payload: NestedSample) {
  return {
    vehicleId: message.vehicle_id,
    createStampNs: message.header.create_stamp.nanoseconds,
    validAfterNs: message.header.valid_after_stamp.nanoseconds,
    payload,
  };
}
