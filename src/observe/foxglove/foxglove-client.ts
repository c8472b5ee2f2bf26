import type { WebSocket } from 'ws';
import { channelIds, madeTopics } from './channels.js';
import type { LiveView } from '../live/live-view.js';
import type { PageBacklog } from '../live/page-backlog.js';
import type { PageUpdate, StatusView } from '../live/page-protocol.js';
import {
  messageFrame,
  parseClientMessage,
  statusLevels,
  type ClientMessage,
  type ServerMessage,
} from './protocol.js';
import { sceneUpdate, stampOf, stoppedIds } from './scene.js';

const mostSubscriptions = 256;

/** With more than this in its buffer, bytes, a client gets no samples and no scene. */
const mostBulkBytes = 1_048_576;

/** With more than this it is cut off: no event is dropped without a word. */
const mostBytes = 8 * mostBulkBytes;

/** Dropped messages are reported this often at most, ms. */
const reportMs = 1000;

const utf8 = new TextEncoder();

/** Severity in `foxglove.Log`. */
function logLevel(level: number): number {
  if (level >= 50) return 4;
  return level >= 40 ? 3 : 2;
}

/** One client: a slow one loses samples and scenes, and never an event. */
export class FoxgloveClient {
  readonly #socket: WebSocket;
  readonly #view: LiveView;
  /** Since the first subscription. */
  #page: PageBacklog | undefined;
  /** Channel of each subscription. */
  readonly #subscriptions = new Map<number, number>();
  #status: StatusView | undefined;
  #isRecording = false;
  #t = 0;
  #dropped = 0;
  #reportedAt = -reportMs;

  constructor(socket: WebSocket, view: LiveView) {
    this.#socket = socket;
    this.#view = view;
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      if (this.#page !== undefined) view.close(this.#page);
    });
    socket.on('message', (data, isBinary) => {
      const request = isBinary ? undefined : parseClientMessage((data as Buffer).toString('utf8'));
      if (request === undefined) this.#refuse('this server only takes subscriptions');
      else this.#handle(request);
    });
  }

  get subscribes(): boolean {
    return this.#subscriptions.size > 0;
  }

  send(message: ServerMessage): void {
    this.#write(JSON.stringify(message));
  }

  /** A sample, for those who subscribe to its topic. @param timeNs since 1970. */
  sample(topic: string, timeNs: bigint, payload: Uint8Array): void {
    this.#publish(topic, timeNs, payload, true);
  }

  /** Sends what is new on the page. Called often, also for a client that does not read. */
  update(): void {
    this.#report();
    const update = this.#page && this.#view.take(this.#page);
    if (update === undefined) return;
    const before = stoppedIds(this.#status);
    this.#status = update.status ?? this.#status;
    this.#isRecording ||= update.playback !== undefined;
    this.#t = update.t ?? this.#t;
    this.#publishScene({ ...update, ...this.#withChanged(update, before) });
    for (const { t, level, text, code } of update.events ?? []) {
      const message = code === undefined ? text : `${text} [${code}]`;
      const entry = { timestamp: stampOf(t), level: logLevel(level), message };
      this.#publishJson(madeTopics.log, t, { ...entry, name: 'hlc-middleware' });
    }
    for (const { t, kind, id } of update.marks ?? []) {
      this.#publishJson(madeTopics.events, t, { timestamp: stampOf(t), kind, vehicle_id: id });
    }
  }

  close(): void {
    this.#socket.terminate();
  }

  /** The vehicles of an update, and those that are stopped now or no longer. @param before those that were stopped. */
  #withChanged(
    { status, vehicles = [] }: PageUpdate,
    before: ReadonlySet<number>,
  ): Pick<PageUpdate, 'vehicles'> {
    if (status === undefined) return { vehicles };
    const now = stoppedIds(status);
    const sent = new Set(vehicles.map(({ id }) => id));
    const isChanged = (id: number) => !sent.has(id) && now.has(id) !== before.has(id);
    return { vehicles: [...vehicles, ...this.#view.vehicles().filter(({ id }) => isChanged(id))] };
  }

  #handle(request: ClientMessage): void {
    if (request.op === 'unsubscribe') {
      for (const id of request.subscriptionIds) this.#subscriptions.delete(id);
      return;
    }
    for (const { id, channelId } of request.subscriptions) {
      if (this.#subscriptions.size >= mostSubscriptions) {
        this.#refuse(`a client has at most ${mostSubscriptions} subscriptions`);
        return;
      }
      this.#subscriptions.set(id, channelId);
    }
    if (this.#page === undefined) {
      this.#page = this.#view.open(false);
      this.update();
      return;
    }
    const { track } = this.#view;
    this.#publishScene({ begins: true, track, vehicles: this.#view.vehicles() });
  }

  #publishScene(update: PageUpdate): void {
    const scene = sceneUpdate(update, this.#status, stampOf(this.#t), this.#isRecording);
    if (scene !== undefined) this.#publishJson(madeTopics.scene, this.#t, scene, true);
  }

  #refuse(message: string): void {
    this.send({ op: 'status', level: statusLevels.error, message });
  }

  #publishJson(topic: string, t: number, content: object, isBulk = false): void {
    const timeNs = BigInt(Math.round(t * 1000)) * 1000n;
    this.#publish(topic, timeNs, utf8.encode(JSON.stringify(content)), isBulk);
  }

  #publish(topic: string, timeNs: bigint, payload: Uint8Array, isBulk: boolean): void {
    const channel = channelIds.get(topic);
    for (const [subscription, each] of this.#subscriptions) {
      if (each !== channel) continue;
      if (isBulk && this.#socket.bufferedAmount > mostBulkBytes) this.#dropped++;
      else this.#write(messageFrame(subscription, timeNs, payload));
    }
  }

  #report(): void {
    const now = performance.now();
    if (this.#dropped === 0 || now - this.#reportedAt < reportMs) return;
    const message = `${this.#dropped} messages were dropped: this client reads too slowly`;
    this.#dropped = 0;
    this.#reportedAt = now;
    this.send({ op: 'status', level: statusLevels.warning, message });
  }

  #write(frame: string | Buffer): void {
    if (this.#socket.bufferedAmount > mostBytes) this.#socket.terminate();
    else this.#socket.send(frame);
  }
}
