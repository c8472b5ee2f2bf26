import { Builder, type Offset } from 'flatbuffers';

/** What a peer of a test sends of an agent. */
export interface PeerAgent {
  readonly node: number;
  readonly agent: number;
  readonly x?: number;
  readonly y?: number;
  readonly yaw?: number;
  readonly speed?: number;
  readonly time?: number;
  /** Wheels, propellers, or each kind of parts of a tracked vehicle. */
  readonly parts?: number;
}

/** Tables that a test leaves out, by their names. */
export type LeftOut = 'message' | 'source_key' | 'chassis' | 'pos' | 'rot' | 'pos_dt' | 'body';

/** Encodes the messages of SynChrono nodes; it shares nothing with src. */
export class PeerMessages {
  readonly #b = new Builder();
  readonly #leftOut: ReadonlySet<string>;

  constructor(...leftOut: LeftOut[]) {
    this.#leftOut = new Set(leftOut);
  }

  buffer(...messages: Offset[]): Uint8Array {
    const vector = this.#offsets(messages);
    const root = this.#table(1, [[0, vector]]);
    this.#b.finishSizePrefixed(root);
    return this.#b.asUint8Array().slice();
  }

  wheeledDescription(agent: PeerAgent, files = ['sedan.obj', 'rim.obj', 'tire.obj']): Offset {
    return this.#description(agent, 2, files, 1);
  }

  trackedDescription(agent: PeerAgent): Offset {
    return this.#description(agent, 4, Array<string>(8).fill(''), 4);
  }

  copterDescription(agent: PeerAgent, json = ''): Offset {
    return this.#description(agent, 8, ['', ''], 1, json);
  }

  wheeledState(agent: PeerAgent): Offset {
    return this.#state(agent, 1, 1);
  }

  trackedState(agent: PeerAgent): Offset {
    return this.#state(agent, 3, 4);
  }

  copterState(agent: PeerAgent): Offset {
    return this.#state(agent, 7, 1);
  }

  quit(quitSim = true): Offset {
    this.#b.startObject(1);
    this.#b.addFieldInt8(0, quitSim ? 1 : 0, 0);
    return this.message({ node: 0, agent: 0 }, 7, this.#b.endObject());
  }

  /** A message of any type with an empty table. */
  empty(type: number): Offset {
    return this.message({ node: 1, agent: 1 }, type, this.#table(0, []));
  }

  message({ node, agent }: PeerAgent, type: number, body: Offset): Offset {
    const b = this.#b;
    b.startObject(4);
    b.addFieldInt8(0, type, 0);
    if (!this.#leftOut.has('message')) b.addFieldOffset(1, body, 0);
    for (const slot of [2, 3]) {
      if (slot === 2 && this.#leftOut.has('source_key')) continue;
      b.prep(4, 8);
      b.writeInt32(slot === 2 ? agent : 0);
      b.writeInt32(slot === 2 ? node : 0);
      b.addFieldStruct(slot, b.offset(), 0);
    }
    return b.endObject();
  }

  /** The same message this many times: many offsets, one table. */
  repeated(message: Offset, count: number): Uint8Array {
    return this.buffer(...Array<Offset>(count).fill(message));
  }

  #description(
    agent: PeerAgent,
    type: number,
    files: readonly string[],
    kindsOfParts: number,
    json = '',
  ): Offset {
    const b = this.#b;
    const texts = files.map((file) => b.createString(file));
    const jsonText = b.createString(json);
    b.startObject(files.length + kindsOfParts);
    texts.forEach((text, slot) => b.addFieldOffset(slot, text, 0));
    for (let i = 0; i < kindsOfParts; i++) {
      b.addFieldInt32(files.length + i, agent.parts ?? 4, 0);
    }
    const body = b.endObject();
    b.startObject(3);
    b.addFieldInt8(0, type, 0);
    if (!this.#leftOut.has('body')) b.addFieldOffset(1, body, 0);
    b.addFieldOffset(2, jsonText, 0);
    return this.message(agent, 2, b.endObject());
  }

  #state(agent: PeerAgent, type: number, kindsOfParts: number): Offset {
    const b = this.#b;
    const pose = this.#pose(agent);
    const vectors = Array.from({ length: kindsOfParts }, () =>
      this.#offsets(Array<Offset>(agent.parts ?? 4).fill(pose)),
    );
    b.startObject(2 + kindsOfParts);
    b.addFieldFloat64(0, agent.time ?? 0, 0);
    if (!this.#leftOut.has('chassis')) b.addFieldOffset(1, pose, 0);
    vectors.forEach((vector, i) => b.addFieldOffset(2 + i, vector, 0));
    const body = b.endObject();
    b.startObject(2);
    b.addFieldInt8(0, type, 0);
    if (!this.#leftOut.has('body')) b.addFieldOffset(1, body, 0);
    return this.message(agent, 1, b.endObject());
  }

  #pose({ x = 0, y = 0, yaw = 0, speed = 0 }: PeerAgent): Offset {
    const pos = this.#doubles(x, y, 0.5);
    const rot = this.#doubles(Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2));
    const velocity = this.#doubles(speed * Math.cos(yaw), speed * Math.sin(yaw), 0);
    const none = this.#doubles(0, 0, 0, 0);
    const parts = [pos, rot, velocity, none, none, none].map((part, slot) => [slot, part] as const);
    const names = ['pos', 'rot', 'pos_dt'];
    return this.#table(
      6,
      parts.filter(([slot]) => !this.#leftOut.has(names[slot] ?? '')),
    );
  }

  #doubles(...values: number[]): Offset {
    this.#b.startObject(values.length);
    values.forEach((value, slot) => this.#b.addFieldFloat64(slot, value, 0));
    return this.#b.endObject();
  }

  #offsets(offsets: readonly Offset[]): Offset {
    this.#b.startVector(4, offsets.length, 4);
    for (const offset of [...offsets].reverse()) this.#b.addOffset(offset);
    return this.#b.endVector();
  }

  #table(slots: number, fields: readonly (readonly [slot: number, offset: Offset])[]): Offset {
    this.#b.startObject(slots);
    for (const [slot, offset] of fields) this.#b.addFieldOffset(slot, offset, 0);
    return this.#b.endObject();
  }
}
