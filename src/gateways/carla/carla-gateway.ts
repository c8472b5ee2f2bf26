import type { Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import type { Controller, ControllerOptions } from '../../controller/index.js';
import type { Pose2D } from '../../messages/index.js';
import { LimitedLog } from '../limited-log.js';
import { addressOf, listenTcp, withPortsOpen } from '../listen.js';
import { Refusal } from '../refusal.js';
import { ClientSession, type AgentPort } from './client-session.js';
import { FrameExchange } from './frame-exchange.js';
import { FrameSender } from './frame-sender.js';
import type { EpisodeSettings } from './protocol/settings.js';
import type { VehicleSize } from './protocol/transforms.js';
import { createSensorSuite, type SensorMode } from './sensors/create-sensor-suite.js';

/** What {@link openCarlaGateway} needs. */
export interface CarlaGatewayOptions {
  /** An IPv4 address of this machine. */
  readonly host: string;
  /** The world port; the ports of the agent are the next two. */
  readonly port: number;
  /** The vehicle of each start spot, 0 to 255, each once; at least one. */
  readonly vehicleIds: readonly number[];
  readonly vehicleSize: VehicleSize;
  /** Starts the controller of a vehicle. */
  createController(
    options: Pick<ControllerOptions, 'vehicleIds' | 'onStep' | 'onStop' | 'onError'>,
  ): Controller;
  /** The present poses of the vehicles, in the order of the ids. */
  startSpots(): Promise<readonly Pose2D[]>;
  readonly sensors: SensorMode;
  /** The end of a connection may be read this much later than the next one of the same client, ms; default: 200. */
  readonly reconnectMs?: number;
  /** Takes sentences for the user. */
  readonly log: (text: string) => void;
}

/** A gateway at work. */
export interface CarlaGateway {
  /** Refused connections and inputs. */
  readonly refused: number;
  /** Disconnects the client and frees the ports. */
  close(): Promise<void>;
}

/** In the order of their numbers. */
const agentPorts = ['measurements', 'control'] as const satisfies readonly AgentPort[];
const watchMs = 500;
/**
 * Answers on the world port that the client has not read and the system does not hold, bytes. A client that
 * reads each answer before it sends its next message has one of them, some 40 kB at most.
 */
const mostUnreadBytes = 1024 * 1024;

/**
 * Serves CARLA 0.8 clients, one at a time: each is the controller of one vehicle.
 * @throws HlcError `HLC_GATEWAY_LISTEN` when one of the three ports cannot be opened.
 */
export function openCarlaGateway(options: CarlaGatewayOptions): Promise<CarlaGateway> {
  return withPortsOpen(new OpenGateway(options));
}

class OpenGateway implements CarlaGateway {
  readonly #options: CarlaGatewayOptions;
  readonly #log: LimitedLog;
  readonly #servers: Server[] = [];
  #client: ServedClient | undefined;
  /** The connection of a client that may be the one that is served, once more. */
  #waiting: { readonly socket: Socket; readonly refuse: NodeJS.Timeout } | undefined;

  constructor(options: CarlaGatewayOptions) {
    this.#options = options;
    this.#log = new LimitedLog(options.log, () => performance.now());
  }

  get refused(): number {
    return this.#log.refused;
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options;
    const open = async (offset: number, onConnection: (socket: Socket) => void) => {
      const address = { host, port: port + offset };
      this.#servers.push(await listenTcp(address, onConnection));
    };
    await open(0, (socket) => this.#onWorld(socket));
    for (const [index, name] of agentPorts.entries()) {
      await open(index + 1, (socket) => this.#onAgent(name, socket));
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#waiting?.refuse);
    this.#waiting?.socket.destroy();
    this.#waiting = undefined;
    this.#client?.close();
    await Promise.all(
      this.#servers.map((server) => new Promise((resolve) => server.close(resolve))),
    );
  }

  #onWorld(socket: Socket): void {
    if (this.#client?.hasAsked === true) {
      this.#serveLater(socket);
      return;
    }
    this.#client?.refuse(new Refusal('another client connected before its first message'));
    this.#log.inform('connections', `client ${addressOf(socket)} is connected`);
    const client = new ServedClient(this.#options, this.#log, socket, () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#serveWaiting();
    });
    this.#client = client;
  }

  /** Serves it when the present client leaves within a moment; else refuses it. */
  #serveLater(socket: Socket): void {
    const cause = 'another client is served; one gateway serves one client';
    if (this.#waiting !== undefined) {
      this.#refuseConnection(socket, cause);
      return;
    }
    const refuse = setTimeout(() => {
      this.#waiting = undefined;
      this.#refuseConnection(socket, cause);
    }, this.#options.reconnectMs ?? 200);
    socket.on('error', () => undefined);
    this.#waiting = { socket, refuse };
  }

  #serveWaiting(): void {
    if (this.#waiting === undefined) return;
    const { socket, refuse } = this.#waiting;
    clearTimeout(refuse);
    this.#waiting = undefined;
    if (!socket.destroyed) this.#onWorld(socket);
  }

  #onAgent(name: AgentPort, socket: Socket): void {
    if (this.#client?.connectAgent(name, socket) === true) return;
    this.#refuseConnection(socket, `no client with an episode is due on the port of the ${name}`);
  }

  #refuseConnection(socket: Socket, cause: string): void {
    this.#log.refuseClient(addressOf(socket), cause);
    socket.on('error', () => undefined);
    socket.destroy();
  }
}

/** One client, from its connection to the world port until that is closed. */
class ServedClient {
  readonly #options: CarlaGatewayOptions;
  readonly #log: LimitedLog;
  readonly #world: Socket;
  /** Of the world port, for messages. */
  readonly #address: string;
  readonly #agents = new Set<Socket>();
  readonly #session: ClientSession;
  readonly #watch: NodeJS.Timeout;
  readonly #onGone: () => void;
  #measurements: Socket | undefined;
  #driver: { vehicleId: number; exchange: FrameExchange; controller: Controller } | undefined;
  #sender: FrameSender | undefined;
  #closed = false;

  constructor(options: CarlaGatewayOptions, log: LimitedLog, world: Socket, onGone: () => void) {
    this.#options = options;
    this.#log = log;
    this.#world = world;
    this.#address = addressOf(world);
    this.#onGone = onGone;
    this.#session = new ClientSession(
      {
        writeWorld: (frame) => this.#writeWorld(frame),
        dropAgent: () => this.#dropAgent(),
        startSpots: () => options.startSpots(),
        beginEpisode: (spot, settings) => this.#begin(spot, settings),
        endEpisode: () => this.#end(),
        onControl: (actuation) => this.#driver?.exchange.onControl(actuation),
        warn: (kind, text) => log.inform(`warnings about ${kind}`, text),
        refuse: (refusal) => this.refuse(refusal),
      },
      { startSpots: options.vehicleIds.length, sensors: options.sensors !== 'off' },
      () => performance.now(),
    );
    this.#watch = setInterval(() => {
      const silentMs = this.#driver?.exchange.silentMs ?? 0;
      this.#session.checkTime({ silentMs, blockedMs: this.#sender?.blockedMs ?? 0 });
    }, watchMs);
    // A client sends its last control before it closes a port or asks for another episode: the sockets
    // are read in any order, so what ends an episode waits until all of them have been read.
    world.on('data', (bytes) => setImmediate(() => this.#session.onWorldBytes(bytes)));
    world.on('error', () => undefined); // 'close' follows
    world.on('close', () => setImmediate(() => this.close()));
  }

  /** True after the first message of the client. */
  get hasAsked(): boolean {
    return this.#session.hasAsked;
  }

  /** @returns false when no such connection of this client is due. */
  connectAgent(name: AgentPort, socket: Socket): boolean {
    const isSameHost = socket.remoteAddress === this.#world.remoteAddress;
    if (this.#closed || !isSameHost || !this.#session.mayConnect(name)) return false;
    this.#agents.add(socket);
    if (name === 'measurements') {
      this.#measurements = socket;
      socket.on('drain', () => this.#sender?.drained());
      socket.resume();
    } else {
      socket.on('data', (bytes) => {
        if (this.#agents.has(socket)) this.#session.onControlBytes(bytes);
      });
    }
    socket.on('error', () => undefined);
    socket.on('close', () => {
      setImmediate(() => {
        if (this.#agents.has(socket)) this.#session.onAgentClosed();
      });
    });
    this.#session.onAgentConnected(name);
    return true;
  }

  /** The controller is gone for the middleware. Closing twice is allowed. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#watch);
    this.#session.close();
    this.#world.destroy();
    this.#driver?.controller.close();
    this.#onGone();
    this.#log.inform('disconnections', 'the client is gone');
  }

  /** Logs why, and disconnects the client. */
  refuse(refusal: Refusal): void {
    this.#log.refuseClient(this.#address, refusal.message);
    this.close();
  }

  #writeWorld(frame: Uint8Array): void {
    this.#world.write(frame);
    if (this.#world.writableLength > mostUnreadBytes) {
      this.refuse(new Refusal('it does not read the answers on the world port'));
    }
  }

  #begin(spot: number, settings: EpisodeSettings): void {
    const { vehicleIds, vehicleSize: size } = this.#options;
    const vehicleId = vehicleIds[spot] ?? 0;
    const socket = this.#measurements;
    if (socket === undefined) return;
    if (this.#driver?.vehicleId !== vehicleId) {
      this.#driver?.controller.close();
      this.#driver = this.#startDriver(vehicleId);
    }
    const sender = new FrameSender(
      { write: (bytes) => socket.write(bytes) },
      {
        vehicleId,
        size,
        sendsAgents: settings.sendsAgents,
        sensors: createSensorSuite(this.#options.sensors, settings.sensors, size),
        nowMs: () => performance.now(),
        onError: (error) => {
          this.#log.inform('faults', `fault: the sensors failed: ${String(error)}`);
          this.close();
        },
      },
    );
    this.#sender = sender;
    const { synchronous } = settings;
    const mode = synchronous ? 'synchronous' : 'asynchronous';
    const sensors = `${settings.sensors.length} sensors`;
    this.#log.inform('episodes', `episode with vehicle ${vehicleId}, ${mode}, ${sensors}`);
    this.#driver.exchange.begin({ synchronous, send: (step) => sender.send(step) });
  }

  #startDriver(vehicleId: number) {
    const exchange = new FrameExchange(vehicleId, () => performance.now());
    const controller = this.#options.createController({
      vehicleIds: [vehicleId],
      onStep: (step) => exchange.onStep(step),
      onStop: () => {
        const text = 'the lab has stopped; the client is disconnected';
        this.#log.inform('stops of the lab', text);
        this.close();
      },
      onError: (error) => this.#log.fault(error),
    });
    return { vehicleId, exchange, controller };
  }

  #end(): void {
    this.#driver?.exchange.end();
    this.#sender?.close();
    this.#sender = undefined;
  }

  #dropAgent(): void {
    const agents = [...this.#agents];
    this.#agents.clear();
    this.#measurements = undefined;
    for (const socket of agents) socket.destroy();
  }
}
