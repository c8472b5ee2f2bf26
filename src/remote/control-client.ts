import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import process from 'node:process';

import { HlcError } from '../errors/index.js';
import { causeOf, checkSocketPath } from './socket-path.js';
import { LineSplitter } from './line-splitter.js';
import {
  decodeReply,
  encodeLine,
  longestReply,
  stamped,
  type ControlReply,
  type ControlRequest,
} from './protocol.js';

/**
 * Sends one request to the middleware that listens at a socket, and waits for its reply as long as
 * that takes. A request that lets vehicles move and says no instant is of now.
 * @param path of the socket, at most 107 bytes.
 * @throws HlcError `HLC_CONTROL_NOBODY`, `HLC_CONTROL_SOCKET` or `HLC_CONTROL_ANSWER`.
 */
export async function sendControlRequest(
  path: string,
  request: ControlRequest,
): Promise<ControlReply> {
  checkSocketPath(path);
  const socket = await connectTo(path);
  try {
    socket.write(encodeLine(stamped(request, process.hrtime.bigint())));
    return decodeReply(await firstLine(socket, path), path);
  } finally {
    socket.destroy();
  }
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAbsent = code === 'ENOENT' || code === 'ECONNREFUSED';
    throw isAbsent
      ? new HlcError('HLC_CONTROL_NOBODY', { path }, { cause: error })
      : new HlcError('HLC_CONTROL_SOCKET', { path, cause: causeOf(error) }, { cause: error });
  }
}

async function firstLine(socket: Socket, path: string): Promise<string> {
  const splitter = new LineSplitter(longestReply);
  const fault = (cause: string) => new HlcError('HLC_CONTROL_ANSWER', { path, cause });
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      const { lines, tooLong } = splitter.push(bytes);
      const [line] = lines;
      if (line !== undefined) return line;
      if (tooLong) throw fault(`a line of more than ${longestReply} bytes`);
    }
  } catch (error) {
    throw error instanceof HlcError ? error : fault(causeOf(error));
  }
  throw fault('it ended before');
}
