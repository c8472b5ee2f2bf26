import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { performance } from 'node:perf_hooks';

import { toMs } from '../../core/index.js';
import { LimitedLog } from '../limited-log.js';
import { addressOf, listenError, listenTcp, withPortsOpen } from '../listen.js';
import { Handshakes } from './handshake.js';
import { CaveServer, type CaveServerEvents, type WorldView } from './protocol/cave-server.js';
import { mostConnections } from './protocol/connections.js';
import { labElement, type LabVehicle } from './protocol/elements.js';
import { StepQueue } from './protocol/step-queue.js';

/** What {@link openCaveGateway} needs. */
export interface CaveGatewayOptions {
  /** An IPv4 address of this machine. */
  readonly host: string;
  /** Of TCP and of UDP. */
  readonly port: number;
  /** Time without a datagram after which a client is removed, ms. */
  readonly ageOutMs: number;
  /**
   * Clients that take part in simulated time: the first step waits until this many have joined, and
   * each step for the states of all. 0: states count when they arrive.
   */
  readonly steppedClients: number;
  readonly view: WorldView;
  readonly events: Pick<CaveServerEvents, 'vehicleAdded' | 'vehicleMoved' | 'vehicleRemoved'>;
  /** Takes sentences for the user. */
  readonly log: (text: string) => void;
}

/** A gateway at work. */
export interface CaveGateway {
  /** Refused connections and inputs. */
  readonly refused: number;
  /** Puts a vehicle of the lab into the world. */
  setLabVehicle(vehicle: LabVehicle): void;
  /**
   * Settles when the vehicles of clients are those of this simulated time, ns; at once without
   * stepped clients.
   */
  step(nowNs: bigint): Promise<void>;
  close(): Promise<void>;
}

const watchesPerAge = 10;
const causes = {
  left: 'has left',
  silent: 'is silent and is removed',
  replaced: 'has a new connection',
};
/** States of lab vehicles that wait for a step. */
const mostWaitingStates = 10_000;
/** What the system gives at most by itself is enough for a few clients only. */
const wantedBufferBytes = 4 * 1024 * 1024;
/** Answers that the system has not taken yet, bytes; what comes beyond them is lost. */
const mostQueuedBytes = 16 * 1024 * 1024;

/**
 * Serves CAVE clients: their vehicles and those of the lab are one world.
 * @throws HlcError `HLC_GATEWAY_LISTEN` when the port cannot be opened.
 */
export function openCaveGateway(options: CaveGatewayOptions): Promise<CaveGateway> {
  return withPortsOpen(new OpenGateway(options));
}

class OpenGateway implements CaveGateway {
  readonly #options: CaveGatewayOptions;
  readonly #log: LimitedLog;
  readonly #server: CaveServer;
  readonly #udp: UdpSocket;
  readonly #steps: StepQueue | undefined;
  /** States of lab vehicles, for the next step. */
  #labVehicles: LabVehicle[] = [];
  readonly #handshakes: Handshakes;
  readonly #watch: NodeJS.Timeout;
  #tcp: Server | undefined;

  constructor(options: CaveGatewayOptions) {
    this.#options = options;
    const { log, ageOutMs, view, events, steppedClients: clients } = options;
    this.#log = new LimitedLog(log, () => performance.now());
    // Each client of a full server has its line.
    const clientLog = new LimitedLog(log, () => performance.now(), mostConnections);
    this.#server = new CaveServer(
      {
        ...events,
        connected: ({ number, endpoint }) =>
          clientLog.inform('registrations', `client ${number} at ${endpoint} is registered`),
        disconnected: ({ number, endpoint }, cause) =>
          clientLog.inform('departures', `client ${number} at ${endpoint} ${causes[cause]}`),
        refused: (endpoint, cause) => this.#log.refuseClient(endpoint, cause),
      },
      { ageOutMs, view },
    );
    this.#handshakes = new Handshakes({
      accept: () => this.#server.connections.accept(performance.now()),
      refused: (address, cause) => this.#log.refuseClient(address, cause),
    });
    // End points are addresses: to look them up would cost a turn of the event loop for each answer.
    this.#udp = createSocket({ type: 'udp4', lookup: (host, _, found) => found(null, host, 4) });
    if (clients > 0) this.#steps = this.#openSteps(clients);
    this.#watch = setInterval(() => this.#ageOut(performance.now()), ageOutMs / watchesPerAge);
  }

  get refused(): number {
    return this.#log.refused;
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options;
    this.#tcp = await listenTcp({ host, port }, (socket) =>
      this.#handshakes.add(socket, addressOf(socket)),
    );
    const bound = once(this.#udp, 'listening');
    this.#udp.bind({ address: host, port, exclusive: true });
    try {
      await bound;
    } catch (cause) {
      throw listenError({ host, port }, cause as Error);
    }
    this.#udp.setRecvBufferSize(wantedBufferBytes);
    this.#udp.setSendBufferSize(wantedBufferBytes);
    this.#udp.on('error', (error) => this.#log.fault(error));
    this.#udp.on('message', (bytes, { address, port: from }) => {
      const endpoint = `${address}:${from}`;
      if (from === 0) {
        this.#log.refuseClient(endpoint, 'its source port is 0, to which no answer can be sent');
        return;
      }
      if (this.#steps === undefined) this.#deliver(endpoint, bytes, false);
      else this.#steps.offer(endpoint, bytes, performance.now());
    });
  }

  setLabVehicle(vehicle: LabVehicle): void {
    if (this.#steps === undefined) this.#applyLabVehicle(vehicle, performance.now());
    else this.#keepForStep(vehicle);
  }

  /** States of vehicles that run in real time wait for ever: their stamps are far beyond the time of the lab. */
  #keepForStep(vehicle: LabVehicle): void {
    if (this.#labVehicles.push(vehicle) <= mostWaitingStates) return;
    this.#labVehicles.shift();
    this.#log.inform(
      'states that wait too long',
      `states of lab vehicles wait for a later time of the lab, and the oldest are dropped: vehicle ` +
        `${vehicle.vehicleId} is at ${vehicle.chTime} s; start all vehicles with --simulated-time`,
    );
  }

  async step(nowNs: bigint): Promise<void> {
    if (this.#steps === undefined) return;
    // Those of this very instant may be on their way: clients get them with the next step.
    const isEarlier = ({ chTime }: LabVehicle) => BigInt(Math.round(chTime * 1e9)) < nowNs;
    // Vehicles of the lab are silent by simulated time, so that a run repeats itself.
    const nowMs = toMs(nowNs);
    for (const vehicle of this.#labVehicles.filter(isEarlier))
      this.#applyLabVehicle(vehicle, nowMs);
    this.#labVehicles = this.#labVehicles.filter((vehicle) => !isEarlier(vehicle));
    this.#server.ageOutLab(nowMs);
    await this.#steps.step(nowNs, performance.now());
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#steps?.close();
    this.#handshakes.close();
    const tcp = this.#tcp;
    if (tcp !== undefined) await new Promise((resolve) => tcp.close(resolve));
    await new Promise<void>((resolve) => this.#udp.close(resolve));
  }

  #openSteps(clients: number): StepQueue {
    const { ageOutMs } = this.#options;
    return new StepQueue(
      {
        deliver: (endpoint, bytes, isHeld) => this.#deliver(endpoint, bytes, isHeld),
        claim: (number) => this.#server.connections.claim(number),
        refused: (endpoint, cause) => this.#log.refuseClient(endpoint, cause),
        dropped: (endpoint) => this.#server.drop(endpoint),
      },
      { clients, ageOutMs },
    );
  }

  #deliver(endpoint: string, bytes: Uint8Array, isHeld: boolean): void {
    for (const out of this.#server.onDatagram(endpoint, bytes, performance.now(), isHeld)) {
      if (this.#udp.getSendQueueSize() > mostQueuedBytes) return;
      const [to = '', toPort = '0'] = out.endpoint.split(':');
      // A datagram that cannot be sent is one that is lost.
      this.#udp.send(out.bytes, Number(toPort), to, () => undefined);
    }
  }

  #applyLabVehicle(vehicle: LabVehicle, nowMs: number): void {
    this.#server.setLabElement(labElement(vehicle), nowMs);
  }

  /** In simulated time a client is silent only when a step waits for it. */
  #ageOut(nowMs: number): void {
    if (this.#steps === undefined) {
      this.#server.ageOut(nowMs);
      return;
    }
    this.#server.connections.expirePending(nowMs);
    this.#steps.expire(nowMs);
  }
}
