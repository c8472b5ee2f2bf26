import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { HlcError } from '../../errors/index.js';

/** A client may try again after this time, s. */
const retryS = 5;

/** Answers a request for which there is no room. @param most that there is room for. */
export function refuseBusy(response: ServerResponse, what: string, most: number): void {
  response.writeHead(503, { 'retry-after': String(retryS), connection: 'close' });
  response.end(`${busy(what, most)}\n`);
}

/** Answers a request to upgrade for which there is no room. */
export function refuseBusyUpgrade(socket: Duplex, what: string, most: number): void {
  refuseUpgrade(socket, '503 Service Unavailable', busy(what, most));
}

/** Answers a request to upgrade with an error. @param status code and its name. */
export function refuseUpgrade(socket: Duplex, status: string, why: string): void {
  socket.on('error', () => undefined);
  // The client may keep its half open.
  socket.once('finish', () => socket.destroy());
  const body = `${why}\n`;
  const head = [`HTTP/1.1 ${status}`, 'connection: close', `content-length: ${body.length}`];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function busy(what: string, most: number): string {
  const { code, message } = new HlcError('HLC_OBSERVE_BUSY', { what, most });
  return `${message} [${code}]`;
}
