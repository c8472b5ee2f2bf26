import { HlcError } from '../../src/errors/index.js';
import type {
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  TopicSpec,
  Transport,
  TransportReader,
  TransportWriter,
  WriterListener,
} from '../../src/ports/index.js';

/**
 * Sides that exchange samples within this process: matching by topic, type, reliability and
 * durability, transient-local history, and delivery one call at a time, never from within a call to
 * a transport. Instances are not modelled.
 */
export class InMemoryNetwork {
  readonly #readers = new Set<MemoryReader>();
  readonly #writers = new Set<MemoryWriter>();
  readonly #queue: (() => void)[] = [];
  readonly #faults: unknown[] = [];
  #delivering: Promise<void> | undefined;
  #lastEntity = 0;

  /** @param nowNs The clock of source timestamps and reception times, ns. */
  constructor(readonly nowNs: () => bigint = () => 0n) {}

  /** A new participant. */
  join(): Transport {
    // That of a participant of Cyclone DDS.
    const prefix = `0110${hex(++this.#lastEntity, 20)}`;
    const endpoints: { close(): void }[] = [];
    const keep = <E extends { close(): void }>(endpoint: E): E => {
      endpoints.push(endpoint);
      return endpoint;
    };
    return {
      knowsWriters: true,
      createWriter: (topic, qos, listener = {}) =>
        keep(new MemoryWriter(this, topic, qos, listener, prefix, ++this.#lastEntity)),
      createReader: (topic, qos, listener, options = {}) =>
        keep(new MemoryReader(this, topic, qos, listener, options, prefix)),
      close: () => {
        for (const endpoint of endpoints) endpoint.close();
      },
    };
  }

  /**
   * Settles when everything is delivered, also what listeners wrote meanwhile.
   * @throws what the first listener threw, if one did.
   */
  async idle(): Promise<void> {
    while (this.#delivering) await this.#delivering;
    if (this.#faults.length > 0) throw this.#faults.shift();
  }

  addReader(reader: MemoryReader): void {
    this.#readers.add(reader);
    for (const writer of this.#writers) this.#match(writer, reader);
  }

  addWriter(writer: MemoryWriter): void {
    this.#writers.add(writer);
    for (const reader of this.#readers) this.#match(writer, reader);
  }

  removeReader(reader: MemoryReader): void {
    this.#readers.delete(reader);
    for (const writer of reader.matched) writer.unmatch(reader);
  }

  removeWriter(writer: MemoryWriter): void {
    this.#writers.delete(writer);
    for (const reader of writer.matched) reader.unmatch(writer);
  }

  /** Calls a listener later, after what was sent before. */
  deliver(call: () => void): void {
    this.#queue.push(call);
    this.#delivering ??= Promise.resolve().then(() => {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        try {
          next();
        } catch (fault) {
          this.#faults.push(fault);
        }
      }
      this.#delivering = undefined;
    });
  }

  #match(writer: MemoryWriter, reader: MemoryReader): void {
    if (writer.topic.name !== reader.topic.name) return;
    if (writer.topic.typeName !== reader.topic.typeName) return;
    if (reader.ignoreReliableWriters && writer.reliable) return;
    const policy =
      reader.reliable && !writer.reliable
        ? 'RELIABILITY'
        : reader.transientLocal && !writer.transientLocal
          ? 'DURABILITY'
          : undefined;
    if (policy !== undefined) {
      writer.refuse(policy);
      reader.refuse(policy);
      return;
    }
    writer.match(reader);
    reader.match(writer);
    if (reader.transientLocal) for (const bytes of writer.history) reader.receive(bytes, writer);
  }
}

class MemoryReader implements TransportReader {
  readonly matched = new Set<MemoryWriter>();
  readonly reliable: boolean;
  readonly transientLocal: boolean;
  readonly ignoreReliableWriters: boolean;
  #refused = 0;
  #closed = false;

  constructor(
    private readonly network: InMemoryNetwork,
    readonly topic: TopicSpec,
    qos: QosPolicies,
    private readonly listener: ReaderListener,
    options: ReaderOptions,
    readonly participant: string,
  ) {
    this.reliable = qos.reliability?.kind === 'reliable';
    this.transientLocal = qos.durability?.kind === 'transient-local';
    this.ignoreReliableWriters = options.ignoreReliableWriters ?? false;
    network.addReader(this);
  }

  get matchedWriters(): number {
    return this.matched.size;
  }

  matchedParticipants(): ReadonlySet<string> {
    return new Set(Array.from(this.matched, (writer) => writer.guid.slice(0, 24)));
  }

  match(writer: MemoryWriter): void {
    this.matched.add(writer);
    this.#notify(() => this.listener.onMatched?.(this.matched.size, { writer, joined: true }));
  }

  unmatch(writer: MemoryWriter): void {
    this.matched.delete(writer);
    this.#notify(() => this.listener.onMatched?.(this.matched.size, { writer, joined: false }));
  }

  refuse(policy: string): void {
    const total = ++this.#refused;
    this.#notify(() => this.listener.onIncompatibleQos?.({ policy, total }));
  }

  receive(bytes: Uint8Array, writer: MemoryWriter): void {
    this.#notify(() =>
      this.listener.onSample({
        bytes,
        writer: { guid: writer.guid, reliable: writer.reliable },
        sourceTimestampNs: this.network.nowNs(),
        receivedAtNs: this.network.nowNs(),
      }),
    );
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.network.removeReader(this);
  }

  #notify(call: () => void): void {
    this.network.deliver(() => {
      if (!this.#closed) call();
    });
  }
}

class MemoryWriter implements TransportWriter {
  readonly matched = new Set<MemoryReader>();
  readonly history: Uint8Array[] = [];
  readonly guid: string;
  readonly reliable: boolean;
  readonly transientLocal: boolean;
  readonly #depth: number;
  #refused = 0;
  #closed = false;

  constructor(
    private readonly network: InMemoryNetwork,
    readonly topic: TopicSpec,
    qos: QosPolicies,
    private readonly listener: WriterListener,
    participant: string,
    entity: number,
  ) {
    this.guid = participant + hex(entity, 8);
    this.reliable = qos.reliability?.kind !== 'best-effort';
    this.transientLocal = qos.durability?.kind === 'transient-local';
    const history = qos.durabilityService?.history;
    this.#depth = history?.kind === 'keep-all' ? Infinity : (history?.depth ?? 1);
    network.addWriter(this);
  }

  get matchedReaders(): number {
    return this.matched.size;
  }

  write(bytes: Uint8Array): void {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: `writer of "${this.topic.name}"` });
    const copy = bytes.slice();
    if (this.transientLocal) this.history.push(copy);
    if (this.history.length > this.#depth) this.history.shift();
    for (const reader of this.matched) reader.receive(copy, this);
  }

  matchedParticipants(): ReadonlySet<string> {
    return new Set(Array.from(this.matched, (reader) => reader.participant));
  }

  match(reader: MemoryReader): void {
    this.matched.add(reader);
    this.#notify(() => this.listener.onMatched?.(this.matched.size));
  }

  unmatch(reader: MemoryReader): void {
    this.matched.delete(reader);
    this.#notify(() => this.listener.onMatched?.(this.matched.size));
  }

  refuse(policy: string): void {
    const total = ++this.#refused;
    this.#notify(() => this.listener.onIncompatibleQos?.({ policy, total }));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.network.removeWriter(this);
  }

  #notify(call: () => void): void {
    this.network.deliver(() => {
      if (!this.#closed) call();
    });
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
