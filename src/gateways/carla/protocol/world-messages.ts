import { create, toBinary } from '@bufbuild/protobuf';

import type { Pose2D } from '../../../messages/index.js';
import { decodeMessage } from '../../decode-message.js';
import {
  EpisodeReadySchema,
  EpisodeStartSchema,
  RequestNewEpisodeSchema,
  SceneDescriptionSchema,
  Sensor_Type,
} from '../../generated/carla_pb.js';
import { encodeFrame } from './frames.js';
import type { SensorSettings } from './settings.js';
import { transformOf } from './transforms.js';

/**
 * The INI text of a RequestNewEpisode.
 * @throws Refusal for bytes that are none.
 */
export function decodeRequestNewEpisode(bytes: Uint8Array): string {
  return decodeMessage(RequestNewEpisodeSchema, bytes).iniFile;
}

/**
 * The index of the start spot in an EpisodeStart; no bytes mean 0.
 * @throws Refusal for bytes that are none.
 */
export function decodeEpisodeStart(bytes: Uint8Array): number {
  return decodeMessage(EpisodeStartSchema, bytes).playerStartSpotIndex;
}

/** What a client learns before it starts an episode. */
export interface Scene {
  /** Poses of the lab, by the index of the start spot. */
  readonly startSpots: readonly Pose2D[];
  readonly sensors: readonly SensorSettings[];
  readonly mapName: string;
}

const sensorTypes = { camera: Sensor_Type.CAMERA, lidar: Sensor_Type.LIDAR_RAY_CAST } as const;

/** The frame of a SceneDescription. */
export function encodeScene({ startSpots, sensors, mapName }: Scene): Uint8Array {
  const scene = create(SceneDescriptionSchema, {
    playerStartSpots: startSpots.map(transformOf),
    sensors: sensors.map(({ id, kind, name }) => ({ id, type: sensorTypes[kind], name })),
    mapName,
  });
  return encodeFrame(toBinary(SceneDescriptionSchema, scene));
}

/** The frame that says that the ports of the agent are open. */
export function encodeEpisodeReady(): Uint8Array {
  const ready = create(EpisodeReadySchema, { ready: true });
  return encodeFrame(toBinary(EpisodeReadySchema, ready));
}
