// For `node --import`: the tap of a middleware opens when its first reader has connected, so that the
// reader has the session from its first event on.

import { Server } from 'node:net';

/** @typedef {(this: Server, event: string | symbol, ...args: unknown[]) => boolean} Emit */

const emit = /** @type {Emit} */ (Reflect.get(Server.prototype, 'emit'));

/** @type {Emit} */
function emitListeningLater(event, ...args) {
  const address = this.address();
  const isTap = typeof address === 'string' && address.endsWith('.tap');
  if (event !== 'listening' || !isTap) return emit.call(this, event, ...args);
  this.once('connection', () => setImmediate(() => emit.call(this, event, ...args)));
  return true;
}

Reflect.set(Server.prototype, 'emit', emitListeningLater);
