import type { Socket } from 'node:net';

import { codes, encodeAccept } from './protocol/codes.js';

/** A client that says nothing for so long is disconnected, ms. */
const patienceMs = 5000;

/**
 * Answers a connection request over TCP, and closes the connection.
 * @param accept Gives the number of the connection; null: the server is full.
 * @param onDeclined Receives the reason.
 */
export function answerHandshake(
  socket: Socket,
  accept: () => number | null,
  onDeclined: (cause: string) => void,
): void {
  socket.setTimeout(patienceMs, () => {
    onDeclined(`no connection request came for ${patienceMs} ms`);
    socket.destroy();
  });
  socket.on('error', () => undefined); // a client that is gone needs no answer
  socket.once('data', (bytes) => {
    socket.on('data', () => undefined);
    if (bytes[0] !== codes.connectionRequest) {
      onDeclined(`code ${bytes[0] ?? 0} is no connection request`);
      socket.end(Uint8Array.of(codes.connectionDecline));
      return;
    }
    const number = accept();
    if (number === null) onDeclined('the server has as many clients as it can have');
    socket.end(number === null ? Uint8Array.of(codes.connectionDecline) : encodeAccept(number));
  });
}
