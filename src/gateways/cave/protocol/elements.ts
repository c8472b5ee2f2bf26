import { create, toBinary } from '@bufbuild/protobuf';

import type { Pose2D } from '../../../messages/index.js';
import {
  ElementHeaderSchema,
  MQuaternionSchema,
  MVectorSchema,
  VehicleMessageSchema,
  type MVector,
} from '../../generated/cave_pb.js';
import { checkMessage, type CheckedField } from '../../message-check.js';
import { Refusal } from '../../refusal.js';
import { yawOf } from '../../rotation.js';
import { serverConnection } from './codes.js';

/** An element of the world, with the fields that all types of elements have in common. */
export interface Element {
  /** Elements of another type do not replace it. */
  readonly type: ElementType;
  readonly connectionNumber: number;
  readonly idNumber: number;
  /** Seconds of the simulation; a later state has a larger one. */
  readonly chTime: number;
  /** The message as it came. */
  readonly bytes: Uint8Array;
  /** Of a vehicle. */
  readonly vehicle?: VehicleReading | undefined;
}

/**
 * How an element travels: as a field of a MessagePacket (2: vehicles, 4 and more: types that CAVE
 * does not have itself), or with a code of its own.
 */
export type ElementType = { readonly field: number } | { readonly code: number };

/** The field of a MessagePacket with vehicles. */
export const vehicleField = 2;
const vehicleType: ElementType = { field: vehicleField };
/** The first field of a MessagePacket for further types. */
export const firstFurtherField = 4;

/** What the lab needs of a vehicle. */
export interface VehicleReading {
  readonly pose: Pose2D;
  /** m/s. */
  readonly speed: number;
}

/** Metres from the origin of the map, and m/s: beyond these a number is a mistake. */
const farthest = 1e7;
const fastest = 1e4;
/** Bytes; several elements of this length fit into a datagram. */
const longestElement = 8192;

/** Numbers of the fields that every type of element has, as VehicleMessage has them. */
const common = { timestamp: 1, connectionNumber: 2, idNumber: 3, chTime: 4 } as const;
const vehicleFields = { speed: 5, chassis: 6, chassisRotation: 11 } as const;

/** Two types are the same when they travel in the same way. */
export function isSameType(a: ElementType, b: ElementType): boolean {
  return 'field' in a ? 'field' in b && a.field === b.field : 'code' in b && a.code === b.code;
}

/**
 * Reads a vehicle.
 * @throws Refusal for bytes that are no VehicleMessage.
 */
export function decodeVehicle(bytes: Uint8Array): Element {
  checkLength(bytes);
  const fields = checkMessage(VehicleMessageSchema, bytes);
  const [x, y] = numbersOf(MVectorSchema, bytes, fieldOf(fields, vehicleFields.chassis));
  const rotation = numbersOf(
    MQuaternionSchema,
    bytes,
    fieldOf(fields, vehicleFields.chassisRotation),
  );
  const pose = { x: x ?? 0, y: y ?? 0, yaw: yawOf(rotation) };
  const speed = fieldOf(fields, vehicleFields.speed)?.value ?? 0;
  const isPossible =
    Math.hypot(pose.x, pose.y) <= farthest &&
    Math.abs(speed) <= fastest &&
    Number.isFinite(pose.yaw);
  if (!isPossible) throw new Refusal('the place, rotation or speed of a vehicle is out of range');
  return elementOf(vehicleType, bytes, fields, { pose, speed });
}

/**
 * Reads an element of a type that the gateway does not know: its common fields.
 * @throws Refusal for bytes without them.
 */
export function decodeFurther(type: ElementType, bytes: Uint8Array): Element {
  checkLength(bytes);
  return elementOf(type, bytes, checkMessage(ElementHeaderSchema, bytes));
}

function checkLength({ length }: Uint8Array): void {
  if (length <= longestElement) return;
  throw new Refusal(`an element of ${length} bytes is longer than ${longestElement}`);
}

function elementOf(
  type: ElementType,
  bytes: Uint8Array,
  fields: readonly CheckedField[],
  vehicle?: VehicleReading,
): Element {
  const connectionNumber = fieldOf(fields, common.connectionNumber)?.value ?? 0;
  const idNumber = fieldOf(fields, common.idNumber)?.value ?? 0;
  const chTime = fieldOf(fields, common.chTime)?.value ?? 0;
  return { type, connectionNumber, idNumber, chTime, bytes, vehicle };
}

/** The field with this number; the last one counts. */
function fieldOf(fields: readonly CheckedField[], number: number): CheckedField | undefined {
  for (let i = fields.length - 1; i >= 0; i--) {
    if (fields[i]?.number === number) return fields[i];
  }
  return undefined;
}

/** The doubles of a checked message within another one, in the order of their numbers. */
function numbersOf(
  schema: typeof MVectorSchema | typeof MQuaternionSchema,
  bytes: Uint8Array,
  field: CheckedField | undefined,
): number[] {
  const numbers: number[] = [];
  if (field === undefined) return numbers;
  for (const { number, value } of checkMessage(schema, bytes.subarray(field.from, field.to))) {
    numbers[number - 1] = value;
  }
  return numbers;
}

/** A vehicle of the lab, as clients get it. */
export interface LabVehicle extends VehicleReading {
  readonly vehicleId: number;
  /** Seconds since 1970. */
  readonly unixTime: number;
  readonly chTime: number;
  /** Metres between the axles. */
  readonly wheelbase: number;
}

/** Distance of the wheels of an axle, as a share of the wheelbase. */
const trackShare = 0.6;

/** The element of a vehicle of the lab; its wheels are those of a car with this wheelbase. */
export function labElement(vehicle: LabVehicle): Element {
  const { vehicleId, unixTime, chTime, wheelbase, pose, speed } = vehicle;
  const [cos, sin] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
  const at = (front: number, left: number): Pick<MVector, 'x' | 'y' | 'z'> => ({
    x: pose.x + (front * cos - left * sin) * wheelbase,
    y: pose.y + (front * sin + left * cos) * wheelbase,
    z: 0,
  });
  const rotation = {
    e0: Math.cos(pose.yaw / 2),
    e1: 0,
    e2: 0,
    e3: Math.sin(pose.yaw / 2),
  };
  const side = trackShare / 2;
  const message = create(VehicleMessageSchema, {
    timestamp: Math.trunc(unixTime) | 0,
    connectionNumber: serverConnection,
    idNumber: vehicleId,
    chTime,
    speed,
    ChassisCOM: at(0, 0),
    FrontRightWheelCOM: at(0.5, -side),
    FrontLeftWheelCOM: at(0.5, side),
    BackRightWheelCOM: at(-0.5, -side),
    BackLeftWheelCOM: at(-0.5, side),
    ChassisRot: rotation,
    FrontRightWheelRot: rotation,
    FrontLeftWheelRot: rotation,
    BackRightWheelRot: rotation,
    BackLeftWheelRot: rotation,
  });
  return {
    type: vehicleType,
    connectionNumber: serverConnection,
    idNumber: vehicleId,
    chTime,
    bytes: toBinary(VehicleMessageSchema, message),
    vehicle: { pose, speed },
  };
}
