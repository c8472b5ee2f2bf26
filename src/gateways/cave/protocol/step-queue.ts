import { nsPerUs } from '../../../core/index.js';
import { Refusal } from '../../refusal.js';
import { decodeDatagram, quotedNumber, type Datagram } from './datagram.js';
import { HeldDatagrams, type LabTime } from './held-datagrams.js';

const mib = 1024 * 1024;
/** What waits of one client: datagrams, and messages between vehicles in its packets. */
const mostHeld = 1000;
/** What waits of all clients, bytes. When it is used up, each client still has an equal share of it. */
const mostHeldBytes = 64 * mib;
const microsecondsPerSecond = 1e6;
/** How far the time of a client may be ahead of simulated time, seconds. */
const farthestAheadS = 60;

/** What the queue makes the gateway do. */
export interface StepQueueOutlet {
  /**
   * Gives a datagram to the server.
   * @param isHeld it waited for its step: this queue bounds what waits, so the rate limit does not
   *   apply.
   */
  deliver(endpoint: string, bytes: Uint8Array, isHeld: boolean): void;
  /** True when a new client may have this number; it does not expire any more. */
  claim(connectionNumber: number): boolean;
  refused(endpoint: string, cause: string): void;
  /** A step waits for this client no longer: it was silent. */
  dropped(endpoint: string): void;
}

interface SteppedClient {
  readonly number: number;
  readonly endpoint: string;
  /**
   * What is added to the chTime of this client to get simulated time; undefined until its first chTime,
   * also after a reset.
   */
  shift: LabTime | undefined;
  /** Of its newest datagram; undefined before its first chTime, when no step waits for it. */
  newest: LabTime | undefined;
  hasLeft: boolean;
  lastAtMs: number;
  readonly held: HeldDatagrams;
}

/**
 * Gives the datagrams of CAVE clients their simulated time. The first chTime of a client counts as the time of
 * the next step; later ones count by their difference to the first. After a reset, the next chTime counts as
 * the time of the reset. A step is complete when every client has
 * reached its time; then the datagrams up to that time are delivered, client by client. So the world of a
 * step depends on the datagrams alone, not on their arrival.
 */
export class StepQueue {
  readonly #out: StepQueueOutlet;
  readonly #clients = new Map<string, SteppedClient>();
  #joined = 0;
  #step: LabTime = 0;
  #waiting: { readonly sinceMs: number; readonly complete: () => void } | undefined;

  /** @param options `clients`: how many join before the first step; `ageOutMs`: longest wait for one. */
  constructor(
    out: StepQueueOutlet,
    private readonly options: { readonly clients: number; readonly ageOutMs: number },
  ) {
    this.#out = out;
  }

  /** A datagram came. @param nowMs Any monotonic clock, ms. */
  offer(endpoint: string, bytes: Uint8Array, nowMs: number): void {
    try {
      const datagram = decodeDatagram(bytes);
      const chTime = timeOf(datagram);
      const client = this.#sender(endpoint, datagram, nowMs);
      if (client === undefined) this.#out.deliver(endpoint, bytes, false);
      else this.#keep(client, { datagram, chTime, bytes }, nowMs);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#out.refused(endpoint, error.message);
    }
    this.#tryComplete();
  }

  /**
   * Settles when every client has reached this time; what they sent up to it is delivered then.
   * @param nowNs Simulated time, ns.
   */
  step(nowNs: bigint, nowMs: number): Promise<void> {
    this.#step = Number(nowNs / nsPerUs);
    this.#release((time) => time < this.#step);
    return new Promise((resolve) => {
      this.#waiting = { sinceMs: nowMs, complete: resolve };
      this.#tryComplete();
    });
  }

  /**
   * To be called from time to time: a step waits no longer for clients that are silent. Those without a
   * time are removed as well.
   */
  expire(nowMs: number): void {
    const { ageOutMs } = this.options;
    const waitsLong = this.#waiting !== undefined && nowMs - this.#waiting.sinceMs > ageOutMs;
    for (const client of this.#ordered()) {
      const isAwaited = waitsLong && !this.#isComplete(client);
      if (!isAwaited && (client.newest !== undefined || client.hasLeft)) continue;
      if (nowMs - client.lastAtMs <= ageOutMs) continue;
      this.#remove(client);
      this.#out.dropped(client.endpoint);
    }
    this.#tryComplete();
  }

  /** Lets a step that waits go on; nothing is delivered any more. */
  close(): void {
    this.#waiting?.complete();
    this.#waiting = undefined;
  }

  #sender(endpoint: string, datagram: Datagram, nowMs: number): SteppedClient | undefined {
    const known = this.#clients.get(endpoint);
    const number = quotedNumber(datagram);
    if (number === null || number === known?.number) return known;
    if (this.#ordered().some((client) => client.number === number)) {
      throw new Refusal(`connection ${number} belongs to another end point`);
    }
    if (!this.#out.claim(number)) return undefined;
    // An end point with a new number has a new connection.
    if (known !== undefined) this.#remove(known);
    const client: SteppedClient = {
      number,
      endpoint,
      shift: undefined,
      newest: undefined,
      hasLeft: false,
      lastAtMs: nowMs,
      held: new HeldDatagrams(),
    };
    this.#clients.set(endpoint, client);
    return client;
  }

  #keep(
    client: SteppedClient,
    received: { datagram: Datagram; chTime: LabTime | null; bytes: Uint8Array },
    nowMs: number,
  ): void {
    const { datagram, chTime, bytes } = received;
    if (client.hasLeft) throw new Refusal('it has left');
    const isLast = datagram.kind === 'disconnect';
    // What has no time belongs to what came before it; a client leaves after its last state.
    const before = client.newest ?? this.#step;
    const time = chTime === null ? before + (isLast ? 1 : 0) : this.#simulated(client, chTime);
    // Not for one that is refused: a step must not wait for a client whose states never count.
    client.lastAtMs = nowMs;
    client.hasLeft = isLast;
    if (client.newest !== undefined) client.newest = Math.max(client.newest, time);
    if (datagram.kind === 'reset') client.shift = undefined;
    if (client.held.isEmpty && time < this.#step) {
      this.#out.deliver(client.endpoint, bytes, client.hasLeft);
      return;
    }
    const relayed = datagram.kind === 'packet' ? datagram.dsrc.length : 0;
    // A client that leaves always may: the server keeps a connection until it is delivered.
    if (!client.hasLeft) this.#checkRoom(client.held, bytes.length, relayed);
    client.held.add({ time, bytes, relayed });
  }

  /** The simulated time of a chTime. @throws Refusal for one that is far ahead. */
  #simulated(client: SteppedClient, chTime: LabTime): LabTime {
    if (client.newest === undefined) {
      client.newest = this.#step;
      this.#joined++;
    }
    client.shift ??= client.newest - chTime;
    const time = chTime + client.shift;
    if (time - this.#step > farthestAheadS * microsecondsPerSecond) {
      throw new Refusal(`its chTime is more than ${farthestAheadS} s ahead of simulated time`);
    }
    return time;
  }

  /** One client must not use up what the others need: time waits for their states. */
  #checkRoom(held: HeldDatagrams, moreBytes: number, relayed: number): void {
    if (held.count + 1 + relayed > mostHeld) {
      throw new Refusal(
        `it is more than ${mostHeld} datagrams and messages ahead of simulated time`,
      );
    }
    let inAll = moreBytes;
    for (const client of this.#clients.values()) inAll += client.held.bytes;
    const share = mostHeldBytes / this.#clients.size;
    if (inAll <= mostHeldBytes || held.bytes + moreBytes <= share) return;
    throw new Refusal(
      `clients are more than ${mostHeldBytes / mib} MiB of datagrams ahead of simulated time`,
    );
  }

  #tryComplete(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || this.#joined < this.options.clients) return;
    if (!this.#ordered().every((client) => this.#isComplete(client))) return;
    this.#waiting = undefined;
    this.#release((time) => time <= this.#step);
    waiting.complete();
  }

  #isComplete({ newest, hasLeft }: SteppedClient): boolean {
    return hasLeft || newest === undefined || newest >= this.#step;
  }

  /** Delivers the first datagrams of each client that are due. */
  #release(isDue: (time: LabTime) => boolean): void {
    for (const client of this.#ordered()) {
      this.#deliver(client, isDue);
      if (client.hasLeft && client.held.isEmpty) this.#clients.delete(client.endpoint);
    }
  }

  #remove(client: SteppedClient): void {
    this.#deliver(client, () => true);
    this.#clients.delete(client.endpoint);
  }

  #deliver({ held, endpoint }: SteppedClient, isDue: (time: LabTime) => boolean): void {
    for (const bytes of held.take(isDue)) this.#out.deliver(endpoint, bytes, true);
  }

  #ordered(): SteppedClient[] {
    return [...this.#clients.values()].sort((a, b) => a.number - b.number);
  }
}

/**
 * The newest chTime of a datagram; null for one without.
 * @throws Refusal for one that cannot be counted in microseconds.
 */
function timeOf(datagram: Datagram): LabTime | null {
  const elements =
    datagram.kind === 'element'
      ? [datagram.element]
      : datagram.kind === 'packet'
        ? datagram.elements
        : [];
  if (elements.length === 0) return null;
  const newest = Math.max(...elements.map(({ chTime }) => chTime));
  const time = Math.round(newest * microsecondsPerSecond);
  if (!Number.isSafeInteger(time)) throw new Refusal(`the chTime ${newest} is no time in seconds`);
  return time;
}
