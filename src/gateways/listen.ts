import { createServer, type Server, type Socket } from 'node:net';

import { HlcError } from '../errors/index.js';

/** Where a gateway listens. */
export interface ListenAddress {
  /** An IPv4 address of this machine. */
  readonly host: string;
  readonly port: number;
}

/** Connections that wait to be accepted. */
const backlog = 16;
/**
 * Time without a packet after which the system probes the other host, ms; the system's own value is two
 * hours. Node sends ten probes, 1 s apart: a host that vanished is noticed after 20 s.
 */
const keepAliveInitialDelay = 10_000;

/**
 * Listens for TCP connections.
 * @throws HlcError `HLC_GATEWAY_LISTEN` when the port cannot be opened.
 */
export async function listenTcp(
  { host, port }: ListenAddress,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay };
  const server = createServer(options, onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(listenError({ host, port }, cause)));
    server.listen({ host, port, backlog }, resolve);
  });
  return server;
}

/**
 * A gateway with its ports open.
 * @throws what its `listen` throws; the gateway is closed then.
 */
export async function withPortsOpen<
  Gateway extends { listen(): Promise<void>; close(): Promise<void> },
>(gateway: Gateway): Promise<Gateway> {
  try {
    await gateway.listen();
  } catch (error) {
    await gateway.close();
    throw error;
  }
  return gateway;
}

/** Address and port of the other end, for messages. */
export function addressOf({ remoteAddress = 'unknown', remotePort = 0 }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** `HLC_GATEWAY_LISTEN` for a socket that cannot be bound. */
export function listenError({ host, port }: ListenAddress, cause: Error): HlcError {
  return new HlcError('HLC_GATEWAY_LISTEN', { host, port, cause: cause.message }, { cause });
}
