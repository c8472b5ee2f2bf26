import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { HlcError } from '../../errors/index.js';
import { LimitedLog } from '../limited-log.js';
import { listenError, listenTcp, withPortsOpen } from '../listen.js';
import { answerHandshake } from './handshake.js';
import { CaveServer, type CaveServerEvents, type WorldView } from './protocol/cave-server.js';
import { labElement, type LabVehicle } from './protocol/elements.js';

/** What {@link openCaveGateway} needs. */
export interface CaveGatewayOptions {
  /** An IPv4 address of this machine. */
  readonly host: string;
  /** Of TCP and of UDP. */
  readonly port: number;
  /** Time without a datagram after which a client is removed, ms. */
  readonly ageOutMs: number;
  readonly view: WorldView;
  readonly events: Pick<CaveServerEvents, 'vehicleAdded' | 'vehicleMoved' | 'vehicleRemoved'>;
  /** Takes sentences for the user. */
  readonly tell: (text: string) => void;
}

/** A gateway at work. */
export interface CaveGateway {
  /** Refused connections and inputs. */
  readonly refused: number;
  /** Puts a vehicle of the lab into the world. */
  setLabVehicle(vehicle: LabVehicle): void;
  close(): Promise<void>;
}

/** Open TCP connections; each lasts for one request. */
const mostHandshakes = 64;
const watchesPerAge = 10;
const causes = {
  left: 'has left',
  silent: 'is silent and is removed',
  replaced: 'has a new connection',
};
/** What the system gives at most by itself is enough for a few clients only. */
const wantedBufferBytes = 4 * 1024 * 1024;

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
  readonly #handshakes = new Set<Socket>();
  readonly #watch: NodeJS.Timeout;
  #tcp: Server | undefined;

  constructor(options: CaveGatewayOptions) {
    this.#options = options;
    const { tell, ageOutMs, view, events } = options;
    this.#log = new LimitedLog(tell, () => performance.now());
    this.#server = new CaveServer(
      {
        ...events,
        connected: ({ number, endpoint }) => tell(`client ${number} at ${endpoint} is registered`),
        disconnected: ({ number, endpoint }, cause) =>
          tell(`client ${number} at ${endpoint} ${causes[cause]}`),
        refused: (endpoint, cause) => this.#refuse(endpoint, cause),
      },
      { ageOutMs, view },
    );
    this.#udp = createSocket('udp4');
    this.#watch = setInterval(
      () => this.#server.ageOut(performance.now()),
      ageOutMs / watchesPerAge,
    );
  }

  get refused(): number {
    return this.#log.refused;
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options;
    this.#tcp = await listenTcp({ host, port }, (socket) => this.#onHandshake(socket));
    const bound = once(this.#udp, 'listening');
    this.#udp.bind({ address: host, port, exclusive: true });
    try {
      await bound;
    } catch (cause) {
      throw listenError({ host, port }, cause as Error);
    }
    this.#udp.setRecvBufferSize(wantedBufferBytes);
    this.#udp.setSendBufferSize(wantedBufferBytes);
    this.#udp.on('error', ({ message }) => this.#options.tell(`fault: ${message}`));
    this.#udp.on('message', (bytes, { address, port: from }) => {
      const endpoint = `${address}:${from}`;
      for (const out of this.#server.onDatagram(endpoint, bytes, performance.now())) {
        const [to = '', toPort = '0'] = out.endpoint.split(':');
        // A datagram that cannot be sent is one that is lost.
        this.#udp.send(out.bytes, Number(toPort), to, () => undefined);
      }
    });
  }

  setLabVehicle(vehicle: LabVehicle): void {
    this.#server.setLabElement(labElement(vehicle), performance.now());
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    for (const socket of this.#handshakes) socket.destroy();
    const tcp = this.#tcp;
    if (tcp !== undefined) await new Promise((resolve) => tcp.close(resolve));
    await new Promise<void>((resolve) => this.#udp.close(resolve));
  }

  #onHandshake(socket: Socket): void {
    const { remoteAddress = 'unknown', remotePort = 0 } = socket;
    const endpoint = `${remoteAddress}:${remotePort}`;
    const isFull = this.#handshakes.size >= mostHandshakes;
    this.#handshakes.add(socket);
    socket.once('close', () => this.#handshakes.delete(socket));
    answerHandshake(
      socket,
      () => (isFull ? null : this.#server.connections.accept(performance.now())),
      (cause) => this.#refuse(endpoint, cause),
    );
  }

  #refuse(address: string, cause: string): void {
    const { message } = new HlcError('HLC_GATEWAY_REFUSED', { address, cause });
    this.#log.refuse(`${message} (HLC_GATEWAY_REFUSED)`);
  }
}
