import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

import type { Step, StepResult } from '../../../../src/controller/index.js';
import {
  openCarlaGateway,
  type CarlaGateway,
  type CarlaGatewayOptions,
} from '../../../../src/gateways/carla/carla-gateway.js';
import { FrameDecoder } from '../../../../src/gateways/frame-decoder.js';
import { freePorts } from '../../../support/free-ports.js';
import { Recorder } from '../../../support/recorder.js';
import { vehicleSize } from './steps.js';

const host = '127.0.0.1';
/** Longest frame of the gateway that a client reads, bytes. */
const longestFrame = 64 * 1024 * 1024;
/** Unit tests run at idle priority: beside others they may get no processor for a while, ms. */
const patienceMs = 120_000;

/** A gateway without DDS: the test is the lab. */
export interface OpenGateway {
  readonly port: number;
  readonly gateway: CarlaGateway;
  readonly log: Recorder<string>;
  /** Gives a step to the controller of the client. */
  step(step: Step): StepResult | Promise<StepResult>;
}

/** To be called in a test; the gateway is closed after it. */
export async function openGateway(
  options: Partial<CarlaGatewayOptions> = {},
): Promise<OpenGateway> {
  const port = await freePorts(3);
  const log = new Recorder<string>('log lines of the gateway', patienceMs);
  let onStep: ((step: Step) => StepResult | Promise<StepResult>) | undefined;
  const gateway = await openCarlaGateway({
    host,
    port,
    vehicleIds: [1],
    vehicleSize,
    createController: (controller) => {
      onStep = (step) => controller.onStep(step);
      return {
        closed: Promise.resolve(),
        requestStop: () => undefined,
        close: () => (onStep = undefined),
      };
    },
    startSpots: () => Promise.resolve([{ x: 0, y: 0, yaw: 0 }]),
    sensors: 'off',
    log: (text) => log.add(text),
    ...options,
  });
  onTestFinished(() => gateway.close());
  return {
    port,
    gateway,
    log,
    step: (step) => {
      if (onStep === undefined) throw new Error('there is no controller');
      return onStep(step);
    },
  };
}

/** A connection of a client. */
export class Connection {
  /** The contents of the frames that came. */
  readonly frames = new Recorder<Uint8Array>('frames of the gateway', patienceMs);
  readonly closed: Promise<void>;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const decoder = new FrameDecoder(longestFrame);
    socket.on('data', (bytes) => {
      for (const content of decoder.push(bytes)) this.frames.add(content.slice());
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
  }

  /** It is closed after the test. */
  static async open(port: number): Promise<Connection> {
    const socket = connect(port, host);
    onTestFinished(() => void socket.destroy());
    const connection = new Connection(socket);
    await once(socket, 'connect');
    return connection;
  }

  /** Sends a frame. */
  send(content: Uint8Array = new Uint8Array()): void {
    const frame = Buffer.alloc(4 + content.length);
    frame.writeUInt32LE(content.length);
    frame.set(content, 4);
    this.#socket.write(frame);
  }

  /** Sends a RequestNewEpisode. */
  request(ini = ''): void {
    const text = Buffer.from(ini);
    const length = [(text.length & 0x7f) | 0x80, text.length >> 7];
    this.send(text.length === 0 ? text : Buffer.of(0x0a, ...length, ...text));
  }

  /** Reads no bytes until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** A client that has an episode. */
export interface EpisodeClient {
  readonly scene: Uint8Array;
  readonly measurements: Connection;
  readonly control: Connection;
}

/** Takes a client from its connection to the begin of its episode. */
export async function startEpisode(
  { port, log }: OpenGateway,
  ini: string,
): Promise<EpisodeClient> {
  const world = await Connection.open(port);
  world.request(ini);
  const scene = await world.frames.untilCount(1);
  world.send();
  await world.frames.untilCount(2);
  const measurements = await Connection.open(port + 1);
  const control = await Connection.open(port + 2);
  await log.until((line) => line.startsWith('episode with'));
  return { scene, measurements, control };
}
