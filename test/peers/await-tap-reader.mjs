// For `node --import`: the tap of a middleware opens when its first reader has connected, so that the
// reader has the session from its first event on. And it drops no records: what a reader does not take
// in time waits in this process, without a bound, also at the end of the run.

import { Server, Socket } from 'node:net';

/** @typedef {(this: Server, event: string | symbol, ...args: unknown[]) => boolean} Emit */

const emit = /** @type {Emit} */ (Reflect.get(Server.prototype, 'emit'));

/** @type {Emit} */
function emitOfTap(event, ...args) {
  const address = this.address();
  const isTap = typeof address === 'string' && address.endsWith('.tap');
  const [socket] = args;
  if (isTap && event === 'connection' && socket instanceof Socket) keepAll(socket);
  if (!isTap || event !== 'listening') return emit.call(this, event, ...args);
  this.once('connection', () => setImmediate(() => emit.call(this, event, ...args)));
  return true;
}

/** Bytes count as written when the socket has them, and it is closed when the reader has them. @param {Socket} socket */
function keepAll(socket) {
  const write = socket.write.bind(socket);
  const destroy = socket.destroy.bind(socket);
  Object.assign(socket, {
    /** @param {Uint8Array} bytes @param {() => void} written */
    write(bytes, written) {
      write(bytes);
      written();
      return true;
    },
    /** @param {Error} [error] */
    destroy(error) {
      const isWriting = socket.writableEnded && !socket.writableFinished;
      return error === undefined && isWriting ? socket : destroy(error);
    },
  });
}

Reflect.set(Server.prototype, 'emit', emitOfTap);
