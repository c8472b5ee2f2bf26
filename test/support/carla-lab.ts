import { expect } from 'vitest';
import { topics, type VehicleState } from '../../src/messages/index.js';
import type { ChildProgram } from './child-program.js';
import { freePorts } from './free-ports.js';
import { startClient, startCommand, type GatewayClient } from './gateway-program.js';
import { openTestLab, type TestLab } from './test-lab.js';
import { TopicRecorder } from './topic-recorder.js';

/** A transform as the client reads it: x, y, z in m; pitch, yaw, roll in degrees. */
interface SeenTransform {
  readonly location: readonly [number, number, number];
  readonly rotation: readonly [number, number, number];
}

/** A line of test/peers/gateways/scripted_carla_client.py: of one frame, or of the beginning of an episode. */
export interface SeenByClient {
  readonly scene?: {
    readonly spots: readonly SeenTransform[];
    readonly sensors: readonly (readonly [id: number, type: number, name: string])[];
    readonly map: string;
  };
  readonly ready?: string;
  readonly frame?: number;
  readonly game?: number;
  readonly player?: SeenTransform;
  readonly speed?: number;
  readonly agents?: readonly number[];
  /** Sensor id and length in bytes, from the id on. */
  readonly data?: readonly (readonly [id: number, bytes: number])[];
  readonly done?: boolean;
}

/** An episode of the client; see `drive` in scripted_carla_client.py. */
export interface ClientEpisode {
  readonly frames: number;
  readonly controls?: number;
  readonly delay?: number;
  readonly control?: object;
  readonly spot?: number;
  readonly ini?: string;
}

/** A CARLA client as a process of its own. */
export type CarlaClient = GatewayClient<SeenByClient>;

/** A lab with simulated vehicles and a gateway for CARLA clients. */
export interface CarlaLab {
  readonly lab: TestLab;
  readonly port: number;
  readonly gateway: ChildProgram;
  readonly states: TopicRecorder<VehicleState>;
  /** The states of a vehicle so far. */
  readonly statesOf: (vehicleId: number) => VehicleState[];
  /** @param stay It keeps its connection to the world port after the last episode. */
  readonly startClient: (episodes: readonly ClientEpisode[], stay?: boolean) => CarlaClient;
}

/** To be called in a test, once. Each flag goes to the vehicles and to the gateway. */
export async function openCarlaLab(
  ids: string,
  flags: { fleet?: readonly string[]; gateway?: readonly string[] } = {},
): Promise<CarlaLab> {
  const lab = openTestLab();
  const port = await freePorts(3);
  const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
  startCommand(lab.uri, 'fleet', `--vehicle-ids=${ids}`, ...(flags.fleet ?? []));
  const gateway = startCommand(
    lab.uri,
    'gateway',
    'carla',
    `--vehicle-ids=${ids}`,
    `--port=${port}`,
    ...(flags.gateway ?? []),
  );
  await gateway.stderr.until((line) => line.startsWith('CARLA clients are served'));
  await states.untilMatched();
  return {
    lab,
    port,
    gateway,
    states,
    statesOf: (vehicleId) => states.samples.filter(({ vehicle_id: id }) => id === vehicleId),
    startClient: (episodes, stay = false) =>
      startClient('scripted_carla_client.py', { port, episodes, stay }),
  };
}

/** Settles when the client has ended well; gives the frames that it has seen. */
export async function framesOf({ program, seen }: CarlaClient): Promise<SeenByClient[]> {
  const end = await program.ended;
  expect(program.stderr.items).toEqual([]);
  expect(end).toEqual({ code: 0, signal: null });
  return seen.items.filter(({ frame }) => frame !== undefined);
}
