import type { Pose2D } from '../../../messages/index.js';
import { Refusal } from '../../refusal.js';
import { yawOf } from '../../rotation.js';
import { FlatTable } from './flat-table.js';
import {
  messageTypes,
  stateSlots,
  tables,
  vehicleTables,
  type AgentKey,
  type VehicleKind,
  type VehicleTables,
} from './schema.js';

/** What a vehicle is made of, as its node describes it at the beginning. */
export interface AgentDescription {
  readonly key: AgentKey;
  readonly kind: VehicleKind;
  /** A file in the place of the meshes; empty: none. */
  readonly json: string;
  /** Mesh files by their names; empty texts: none. */
  readonly files: Readonly<Record<string, string>>;
  /** Numbers of wheels, track shoes, propellers and so on. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Where a vehicle is. */
export interface AgentState {
  readonly key: AgentKey;
  readonly kind: VehicleKind;
  /** Seconds of the simulation of its node. */
  readonly time: number;
  /** Of the chassis. */
  readonly pose: Pose2D;
  /** m/s in the direction of the chassis, negative backwards. */
  readonly speed: number;
  /** Numbers of the parts that have a pose. */
  readonly parts: Readonly<Record<string, number>>;
}

/** What a node sends at one time. Messages of other types are left out. */
export interface NodeMessages {
  readonly descriptions: readonly AgentDescription[];
  readonly states: readonly AgentState[];
  /** The simulation ends. */
  readonly quit: boolean;
}

const mostMessages = 1024;
const mostParts = 4096;
/** Metres from the origin, and m/s: beyond these a number is a mistake. */
const farthest = 1e7;
const fastest = 1e4;

const kinds = Object.values(vehicleTables);

/**
 * Decodes the buffer of a node. It reads nothing of messages about maps, lights, terrain and
 * environments.
 * @throws Refusal for bytes that are no `Buffer` of `proto/synchrono.fbs`, or miss what the gateway
 *   needs of a vehicle.
 */
export function decodeBuffer(bytes: Uint8Array): NodeMessages {
  const root = FlatTable.root(bytes);
  if (root.count(tables.Buffer.buffer) > mostMessages) {
    throw new Refusal(`it has more than ${mostMessages} messages`);
  }
  const descriptions: AgentDescription[] = [];
  const states: AgentState[] = [];
  let quit = false;
  const { Message: slots } = tables;
  for (const message of root.tables(tables.Buffer.buffer)) {
    const body = () => present(message.table(slots.message), 'message');
    switch (message.uint8(slots.message_type)) {
      case messageTypes.agentDescription: {
        const found = decodeDescription(keyOf(message), body());
        if (found !== undefined) descriptions.push(found);
        break;
      }
      case messageTypes.agentState: {
        const found = decodeState(keyOf(message), body());
        if (found !== undefined) states.push(found);
        break;
      }
      case messageTypes.simulationState:
        quit ||= body().uint8(tables['Simulation.State'].quit_sim) !== 0;
        break;
      default:
        break;
    }
  }
  return { descriptions, states, quit };
}

function keyOf(message: FlatTable): AgentKey {
  const [node, agent] = present(message.int32Pair(tables.Message.source_key), 'source key');
  return { node, agent };
}

function decodeDescription(key: AgentKey, agent: FlatTable): AgentDescription | undefined {
  const slots = tables['Agent.Description'];
  const type = agent.uint8(slots.description_type);
  const found = kinds.find(({ descriptionType }) => descriptionType === type);
  if (found === undefined) return undefined;
  const body = present(agent.table(slots.description), 'description');
  const { kind, files, parts } = found;
  return {
    key,
    kind,
    json: agent.text(slots.json),
    files: Object.fromEntries(files.map(([name, slot]) => [name, body.text(slot)])),
    parts: countsOf(parts, ({ countSlot }) => body.int32(countSlot)),
  };
}

function decodeState(key: AgentKey, agent: FlatTable): AgentState | undefined {
  const slots = tables['Agent.State'];
  const type = agent.uint8(slots.message_type);
  const found = kinds.find(({ stateType }) => stateType === type);
  if (found === undefined) return undefined;
  const body = present(agent.table(slots.message), 'state');
  const { kind, parts } = found;
  return {
    key,
    kind,
    time: body.double(stateSlots.time),
    ...motionOf(present(body.table(stateSlots.chassis), 'chassis')),
    parts: countsOf(parts, ({ posesSlot }) => body.count(posesSlot)),
  };
}

function motionOf(chassis: FlatTable): Pick<AgentState, 'pose' | 'speed'> {
  const part = (name: 'pos' | 'rot' | 'pos_dt') =>
    present(chassis.table(tables.Pose[name]), `${name} of a chassis`);
  const [x, y] = vectorOf(part('pos'));
  const [vx, vy] = vectorOf(part('pos_dt'));
  const yaw = yawOf(quaternionOf(part('rot')));
  const pose = { x, y, yaw };
  const speed = vx * Math.cos(yaw) + vy * Math.sin(yaw);
  const isPossible =
    Math.hypot(pose.x, pose.y) <= farthest && Math.abs(speed) <= fastest && Number.isFinite(yaw);
  if (!isPossible) throw new Refusal('the place, rotation or speed of a vehicle is out of range');
  return { pose, speed };
}

function vectorOf(table: FlatTable): readonly [number, number, number] {
  const { x, y, z } = tables.Vector;
  return [table.double(x), table.double(y), table.double(z)];
}

function quaternionOf(table: FlatTable): readonly number[] {
  const { e0, e1, e2, e3 } = tables.Quaternion;
  return [table.double(e0), table.double(e1), table.double(e2), table.double(e3)];
}

function countsOf(
  parts: VehicleTables['parts'],
  countOf: (part: VehicleTables['parts'][number]) => number,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const part of parts) {
    const count = countOf(part);
    if (count < 0 || count > mostParts) throw new Refusal(`a vehicle has ${count} ${part.name}`);
    counts[part.name] = count;
  }
  return counts;
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Refusal(`a ${what} is missing`);
  return value;
}
