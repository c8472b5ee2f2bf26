import { Builder, type Offset } from 'flatbuffers';

import type { Pose2D } from '../../../messages/index.js';
import { messageTypes, stateSlots, tables, vehicleTables, type AgentKey } from './schema.js';

/** Mesh files of a vehicle, relative to the data folder of Chrono; empty: none. */
export interface MeshFiles {
  readonly chassis: string;
  readonly wheel: string;
  readonly tire: string;
}

/** A vehicle of the lab as an agent. */
export interface OwnAgent {
  /** 1 or more. */
  readonly agent: number;
  readonly pose: Pose2D;
  /** m/s, negative backwards. */
  readonly speed: number;
  /** Angle of the front wheels, radians, positive to the left. */
  readonly steering: number;
}

/** Sizes of the lab's vehicles, metres. */
export interface VehicleSize {
  readonly wheelbase: number;
  /** Distance of the wheels of an axle. */
  readonly track: number;
}

const wheels = 4;
/** In the order of Chrono: by axle from the front, the left one first. */
const wheelPlaces = [
  { front: 0.5, left: 0.5, steers: true },
  { front: 0.5, left: -0.5, steers: true },
  { front: -0.5, left: 0.5, steers: false },
  { front: -0.5, left: -0.5, steers: false },
] as const;

const nullKey: AgentKey = { node: 0, agent: 0 };
const firstBytes = 4096;

/**
 * Encodes what a node sends. An original node reads every field without a check, so that each table,
 * text, vector and key is in the buffer, and no state has more wheels than its description.
 */
export class BufferEncoder {
  readonly #builder = new Builder(firstBytes);

  constructor(
    private readonly node: number,
    private readonly files: MeshFiles,
    private readonly size: VehicleSize,
  ) {}

  /** The descriptions of these agents, each a car with four wheels. */
  descriptions(agents: readonly number[]): Uint8Array {
    return this.#buffer(agents, (agent) => {
      const b = this.#builder;
      const { files, parts, descriptionType } = vehicleTables.wheeled;
      const texts = [this.files.chassis, this.files.wheel, this.files.tire].map((file) =>
        b.createString(file),
      );
      const json = b.createString('');
      b.startObject(files.length + parts.length);
      files.forEach(([, slot], index) => b.addFieldOffset(slot, texts[index] ?? 0, 0));
      for (const { countSlot } of parts) b.addFieldInt32(countSlot, wheels, 0);
      const vehicle = b.endObject();
      const slots = tables['Agent.Description'];
      b.startObject(Object.keys(slots).length);
      b.addFieldInt8(slots.description_type, descriptionType, 0);
      b.addFieldOffset(slots.description, vehicle, 0);
      b.addFieldOffset(slots.json, json, 0);
      return this.#message(messageTypes.agentDescription, b.endObject(), {
        node: this.node,
        agent,
      });
    });
  }

  /** The states of these agents. @param time Seconds of the simulation. */
  states(agents: readonly OwnAgent[], time: number): Uint8Array {
    return this.#buffer(agents, (own) => {
      const b = this.#builder;
      const { parts, stateType } = vehicleTables.wheeled;
      const poses = wheelPlaces.map((place) => this.#wheel(own, place));
      b.startVector(4, poses.length, 4);
      for (const pose of poses.reverse()) b.addOffset(pose);
      const wheelPoses = b.endVector();
      const chassis = this.#pose(own.pose, own.pose.yaw, own);
      b.startObject(Object.keys(stateSlots).length + parts.length);
      b.addFieldFloat64(stateSlots.time, time, 0);
      b.addFieldOffset(stateSlots.chassis, chassis, 0);
      for (const { posesSlot } of parts) b.addFieldOffset(posesSlot, wheelPoses, 0);
      const vehicle = b.endObject();
      const slots = tables['Agent.State'];
      b.startObject(Object.keys(slots).length);
      b.addFieldInt8(slots.message_type, stateType, 0);
      b.addFieldOffset(slots.message, vehicle, 0);
      return this.#message(messageTypes.agentState, b.endObject(), {
        node: this.node,
        agent: own.agent,
      });
    });
  }

  /** The end of the simulation. */
  quit(): Uint8Array {
    return this.#buffer([nullKey], (source) => {
      const b = this.#builder;
      b.startObject(1);
      b.addFieldInt8(tables['Simulation.State'].quit_sim, 1, 0);
      return this.#message(messageTypes.simulationState, b.endObject(), source);
    });
  }

  #buffer<T>(items: readonly T[], encode: (item: T) => Offset): Uint8Array {
    const b = this.#builder;
    b.clear();
    const messages = items.map(encode);
    b.startVector(4, messages.length, 4);
    for (const message of messages.reverse()) b.addOffset(message);
    const vector = b.endVector();
    b.startObject(1);
    b.addFieldOffset(tables.Buffer.buffer, vector, 0);
    b.finishSizePrefixed(b.endObject());
    return b.asUint8Array();
  }

  #message(type: number, body: Offset, source: AgentKey): Offset {
    const b = this.#builder;
    const slots = tables.Message;
    b.startObject(Object.keys(slots).length);
    b.addFieldInt8(slots.message_type, type, 0);
    b.addFieldOffset(slots.message, body, 0);
    b.addFieldStruct(slots.source_key, this.#key(source), 0);
    b.addFieldStruct(slots.destination_key, this.#key(nullKey), 0);
    return b.endObject();
  }

  #key({ node, agent }: AgentKey): Offset {
    const b = this.#builder;
    b.prep(4, 8);
    b.writeInt32(agent);
    b.writeInt32(node);
    return b.offset();
  }

  #wheel(own: OwnAgent, place: (typeof wheelPlaces)[number]): Offset {
    const { x, y, yaw } = own.pose;
    const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
    const front = place.front * this.size.wheelbase;
    const left = place.left * this.size.track;
    const at = { x: x + front * cos - left * sin, y: y + front * sin + left * cos };
    return this.#pose(at, place.steers ? yaw + own.steering : yaw, own);
  }

  /** All parts have the velocity of the chassis; rates and accelerations are 0. */
  #pose(at: Pick<Pose2D, 'x' | 'y'>, heading: number, { pose, speed }: OwnAgent): Offset {
    const b = this.#builder;
    const still = this.#numbers(0, 0, 0);
    const turning = this.#numbers(0, 0, 0, 0);
    const velocity = this.#numbers(speed * Math.cos(pose.yaw), speed * Math.sin(pose.yaw), 0);
    const rotation = this.#numbers(Math.cos(heading / 2), 0, 0, Math.sin(heading / 2));
    const position = this.#numbers(at.x, at.y, 0);
    const slots = tables.Pose;
    b.startObject(Object.keys(slots).length);
    b.addFieldOffset(slots.pos, position, 0);
    b.addFieldOffset(slots.rot, rotation, 0);
    b.addFieldOffset(slots.pos_dt, velocity, 0);
    b.addFieldOffset(slots.rot_dt, turning, 0);
    b.addFieldOffset(slots.pos_dtdt, still, 0);
    b.addFieldOffset(slots.rot_dtdt, turning, 0);
    return b.endObject();
  }

  /** A Vector or a Quaternion. */
  #numbers(...values: number[]): Offset {
    const b = this.#builder;
    b.startObject(values.length);
    values.forEach((value, slot) => b.addFieldFloat64(slot, value, 0));
    return b.endObject();
  }
}
