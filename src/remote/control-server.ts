import { createServer, type Socket } from 'node:net';
import process from 'node:process';

import { HlcError, isHlcError } from '../errors/index.js';
import { causeOf, prepareFolder, checkSocketPath } from './socket-path.js';
import { LineSplitter } from './line-splitter.js';
import { listen } from './listen.js';
import {
  decodeRequest,
  encodeLine,
  fresh,
  longestRequest,
  refusalReply,
  type ControlReply,
  type ControlRequest,
} from './protocol.js';

/** The settings of a control server. */
export interface ControlServerOptions {
  /** Path of the socket, at most 107 bytes. Its folder is made when it does not exist. */
  readonly path: string;
  /**
   * Answers a request. The requests of one client come one after the other, those of several
   * clients also at the same time. An `HlcError` that is thrown becomes the reply; any other error
   * becomes the reply `HLC_UNEXPECTED`.
   */
  readonly onRequest: (request: ControlRequest) => ControlReply | Promise<ControlReply>;
}

/** A control server that listens. */
export interface ControlServer {
  /** Path of the socket. */
  readonly path: string;
  /**
   * Drops all clients, whether answered or not, stops listening and removes the socket. A second
   * call does nothing more.
   */
  close(): Promise<void>;
}

/**
 * Listens at a local socket for requests to a running middleware. Only processes of the same user
 * (and root) can connect. A client that sends no valid request receives
 * `HLC_CONTROL_REQUEST`; one whose line exceeds 4096 bytes is dropped after that.
 * @throws HlcError `HLC_CONTROL_BUSY` when another process listens there, `HLC_CONTROL_SOCKET`.
 */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { path, onRequest } = options;
  checkSocketPath(path);
  const clients = new Set<Socket>();
  // Half open: who ends his side after the last request still gets the reply.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    // A client that goes away is no fault; the loop that serves it ends.
    socket.on('error', () => undefined);
    serve(socket, onRequest).catch(() => socket.destroy());
  });
  await prepareFolder(path);
  await listen(server, path);
  const close = async () => {
    for (const socket of clients) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { path, close };
}

async function serve(socket: Socket, onRequest: ControlServerOptions['onRequest']): Promise<void> {
  const splitter = new LineSplitter(longestRequest);
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    const { lines, tooLong } = splitter.push(bytes);
    for (const line of lines) await send(socket, await answer(line, onRequest));
    if (!tooLong) continue;
    const cause = `it is longer than ${longestRequest} bytes`;
    await send(socket, refusalReply(new HlcError('HLC_CONTROL_REQUEST', { cause })));
    return;
  }
  socket.end();
}

async function answer(
  line: string,
  onRequest: ControlServerOptions['onRequest'],
): Promise<ControlReply> {
  try {
    return await onRequest(fresh(decodeRequest(line), process.hrtime.bigint()));
  } catch (error) {
    if (isHlcError(error)) return refusalReply(error);
    const cause = causeOf(error);
    return refusalReply(new HlcError('HLC_UNEXPECTED', { cause }, { cause: error }));
  }
}

/** Resolves when the operating system has taken the reply; rejects when the client is gone. */
function send(socket: Socket, reply: ControlReply): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(encodeLine(reply), (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
