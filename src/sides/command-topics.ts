import type { Command } from '../core/index.js';
import { topics, type Topic } from '../messages/index.js';

/** The topic of each kind of command; the same on both sides (CPM Lab wire contract). */
export const commandTopics = {
  direct: topics.vehicleCommandDirect,
  speedCurvature: topics.vehicleCommandSpeedCurvature,
  trajectory: topics.vehicleCommandTrajectory,
  pathTracking: topics.vehicleCommandPathTracking,
} satisfies { [K in Command['kind']]: Topic<Extract<Command, { kind: K }>['message']> };

/** A command together with the bytes it came in, which are what is forwarded. */
export type ReceivedCommand = Command & {
  /** CDR as received; valid while its event is handled. */
  readonly bytes: Uint8Array;
  /** GUID of its DDS writer. */
  readonly writerGuid: string;
};
