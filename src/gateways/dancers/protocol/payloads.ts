import { create, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';

import { decodeMessage } from '../../decode-message.js';
import {
  OrderedNeighbors_Role as WireRole,
  OrderedNeighborsListSchema,
  PoseVectorSchema,
  VelocityHeadingVectorSchema,
} from '../../generated/dancers_pb.js';
import { Refusal } from '../../refusal.js';
import { inflate, toGzip } from './gzip.js';

/** Most agents in a message, and most neighbours of an agent. */
const mostAgents = 4096;

/** Where an agent is, in the map frame. */
export interface AgentPose {
  readonly agentId: number;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** Radians, counter-clockwise from the x axis, from −π to π. */
  readonly yaw: number;
  /** Along the heading, m/s, negative when driving backwards. */
  readonly speed: number;
}

/** Role of an agent in a flock. */
export type Role = 'undefined' | 'mission' | 'potential' | 'idle';

/** With the numbers of the wire as index. */
const roles: readonly Role[] = ['undefined', 'mission', 'potential', 'idle'];

/** What the radio of an agent reaches, in the order of the network simulator. */
export interface AgentNeighbors {
  readonly agentId: number;
  readonly role: Role;
  readonly neighbors: readonly {
    readonly agentId: number;
    readonly role: Role;
    /** As the network simulator defines it. */
    readonly linkQuality: number;
    /** Age of the last message, microseconds. */
    readonly ageUs: number;
  }[];
}

/** The velocity that an agent is to have, in the map frame. */
export interface AgentVelocity {
  readonly agentId: number;
  /** m/s. */
  readonly vx: number;
  readonly vy: number;
  /** Radians, counter-clockwise from the x axis. */
  readonly heading: number;
}

/**
 * The poses in a payload of a physics side. Yaw is that of the quaternion; the speed is the part of the
 * velocity along it.
 * @throws Refusal for bytes that are no gzip of a PoseVector, a number that is not finite, or more than
 *   4096 agents.
 */
export function decodePoses(payload: Uint8Array): AgentPose[] {
  const { pose } = decodeInner(PoseVectorSchema, payload);
  checkCount(pose.length, 'poses');
  return pose.map(({ agentId, x, y, qx, qy, qz, qw, vx, vy }) => {
    const yaw = Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz));
    const along = { agentId, x, y, yaw, speed: vx * Math.cos(yaw) + vy * Math.sin(yaw) };
    // Products of large numbers may overflow.
    const isFinite = Number.isFinite(yaw) && Number.isFinite(along.speed);
    if (!isFinite) throw new Refusal(`the pose of agent ${agentId} is not finite`);
    return along;
  });
}

/** The payload of a physics side, on flat ground. */
export function encodePoses(poses: readonly AgentPose[]): Uint8Array {
  const message = create(PoseVectorSchema, {
    pose: poses.map(({ agentId, x, y, yaw, speed }) => ({
      agentId,
      x,
      y,
      qz: Math.sin(yaw / 2),
      qw: Math.cos(yaw / 2),
      vx: speed * Math.cos(yaw),
      vy: speed * Math.sin(yaw),
    })),
  });
  return toGzip(toBinary(PoseVectorSchema, message));
}

/**
 * The neighbours in a payload of a network side. A list that is shorter than that of the neighbours
 * leaves quality, age or role at 0.
 * @throws Refusal for bytes that are no gzip of an OrderedNeighborsList, a quality that is not finite,
 *   or more than 4096 agents or neighbours of an agent, or a million neighbours of all together.
 */
export function decodeNeighbors(payload: Uint8Array): AgentNeighbors[] {
  const { orderedNeighbors } = decodeInner(OrderedNeighborsListSchema, payload);
  checkCount(orderedNeighbors.length, 'agents');
  return orderedNeighbors.map(
    ({ agentId, role, neighborId, linkQuality, timeVal, neighborType }) => {
      checkCount(neighborId.length, `neighbours of agent ${agentId}`);
      if (!linkQuality.every(Number.isFinite)) {
        throw new Refusal(`a link quality of agent ${agentId} is not finite`);
      }
      return {
        agentId,
        role: roleOf(role),
        neighbors: neighborId.map((id, index) => ({
          agentId: id,
          role: roleOf(neighborType[index] ?? WireRole.UNDEFINED),
          linkQuality: linkQuality[index] ?? 0,
          ageUs: timeVal[index] ?? 0,
        })),
      };
    },
  );
}

/** The payload that gives a physics side the wanted velocities. */
export function encodeVelocities(velocities: readonly AgentVelocity[]): Uint8Array {
  const message = create(VelocityHeadingVectorSchema, { velocityHeading: [...velocities] });
  return toGzip(toBinary(VelocityHeadingVectorSchema, message));
}

/**
 * The wanted velocities in a payload for a physics side.
 * @throws Refusal for bytes that are no gzip of a VelocityHeadingVector, a number that is not finite, or
 *   more than 4096 agents.
 */
export function decodeVelocities(payload: Uint8Array): AgentVelocity[] {
  const { velocityHeading } = decodeInner(VelocityHeadingVectorSchema, payload);
  checkCount(velocityHeading.length, 'velocities');
  return velocityHeading.map(({ agentId, vx, vy, heading }) => ({ agentId, vx, vy, heading }));
}

function decodeInner<Desc extends DescMessage>(
  schema: Desc,
  payload: Uint8Array,
): MessageShape<Desc> {
  return decodeMessage(schema, inflate(payload));
}

function checkCount(count: number, what: string): void {
  if (count > mostAgents) throw new Refusal(`${count} ${what} are more than ${mostAgents}`);
}

function roleOf(role: WireRole): Role {
  return roles[role] ?? 'undefined';
}
