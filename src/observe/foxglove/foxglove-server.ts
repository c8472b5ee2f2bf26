import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { channelTopic, type TapRecord } from '../../tap/index.js';
import type { LiveView } from '../live/live-view.js';
import { channels } from './channels.js';
import { FoxgloveClient } from './foxglove-client.js';
import { refuseBusyUpgrade, refuseUpgrade } from '../server/refuse-busy.js';
import { commonSubprotocol } from './protocol.js';

/** Clients at the same time. */
const mostClients = 16;

/** Bytes of a message of a client. */
const longestMessage = 65_536;

/** Clients get scenes and events this often, ms. */
const updateMs = 50;

/** The samples of a middleware, its scene, log and events for Foxglove, Lichtblick and PlotJuggler. */
export class FoxgloveServer {
  readonly #view: LiveView;
  readonly #clients = new Set<FoxgloveClient>();
  readonly #sessionId = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestMessage,
    perMessageDeflate: false,
    handleProtocols: (names) => commonSubprotocol([...names].join(',')) ?? false,
  });

  constructor(view: LiveView) {
    this.#view = view;
    this.#timer = setInterval(() => {
      for (const client of this.#clients) client.update();
    }, updateMs);
  }

  /**
   * Answers a request to upgrade, whose host and origin are right.
   * @param head the first bytes after the request.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (commonSubprotocol(request.headers['sec-websocket-protocol']) === undefined) {
      refuseUpgrade(socket, '400 Bad Request', 'subprotocol foxglove.sdk.v1 is needed');
    } else if (this.#clients.size >= mostClients) {
      refuseBusyUpgrade(socket, 'Foxglove clients', mostClients);
    } else {
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        const client = new FoxgloveClient(webSocket, this.#view);
        this.#clients.add(client);
        webSocket.on('close', () => this.#clients.delete(client));
        const sessionId = this.#sessionId;
        client.send({ op: 'serverInfo', name: 'hlc-middleware', capabilities: [], sessionId });
        client.send({ op: 'advertise', channels });
      });
    }
  }

  /** @throws TapFormatError when the record has another content than its kind says. */
  record(record: TapRecord): void {
    if (this.#clients.size === 0) return;
    if (record.type !== 'event' && record.type !== 'effect') return;
    const readers = [...this.#clients].filter(({ subscribes }) => subscribes);
    const sample = readers.length === 0 ? undefined : record.sample;
    if (sample === undefined) return;
    const { at } = record.type === 'event' ? record : record.cause;
    const channel = channelTopic(record.type, sample.topic);
    for (const client of readers) client.sample(channel, at.realtimeNs, sample.bytes);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const client of this.#clients) client.close();
  }
}
