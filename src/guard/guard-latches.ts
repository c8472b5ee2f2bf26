import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { siblingSocket } from '../config/index.js';
import { commandKinds, type Command, type LatchedVehicle } from '../core/index.js';
import { isHlcError, type HlcError } from '../errors/index.js';
import { LatchFile, readLatchFile, SentRecord } from '../node/index.js';

const ending = '.sock.latch';

/** Latch files that are read, or written; a lab has a few middlewares. */
const mostFiles = 16;

export interface GuardLatchesOptions {
  /** Path of the control socket of the middleware with this node id. */
  readonly socket: string;
  readonly nodeId: string;
  /** Of the middleware with this node id: they count as latched where its file cannot be used. */
  readonly vehicleIds: readonly number[];
  readonly onFailure: (error: HlcError) => void;
}

/** The vehicles that the latch file of one middleware names. */
export interface LatchedBy {
  readonly sourceId: string;
  /** Never empty. */
  readonly vehicles: readonly LatchedVehicle[];
}

/** The latch files of the middlewares that a guard watches: each beside the control socket of its own. */
export class GuardLatches {
  readonly #options: GuardLatchesOptions;
  /** By path. */
  readonly #files = new Map<string, LatchFile>();
  readonly #sent = new SentRecord();

  constructor(options: GuardLatchesOptions) {
    this.#options = options;
  }

  /** A command goes to its vehicle. */
  commanded(command: Command): void {
    this.#sent.commanded(command);
  }

  /** The guard has stopped these vehicles in place of this middleware. */
  add(sourceId: string, ids: readonly number[]): void {
    this.#fileOf(sourceId).add(ids);
  }

  /** From now on a middleware decides whether these vehicles are latched. */
  forget(ids: readonly number[]): void {
    for (const file of this.#files.values()) file.forget(ids);
  }

  /** What the latch files in the folder of the control socket have. A file that cannot be used is reported. */
  async read(): Promise<LatchedBy[]> {
    const { socket, nodeId } = this.#options;
    const names = await readdir(path.dirname(socket)).catch((): string[] => []);
    const others = names
      .filter((name) => name.endsWith(ending) && name !== path.basename(this.#pathOf(nodeId)))
      .map((name) => decoded(name.slice(0, -ending.length)))
      .sort();
    const latched: LatchedBy[] = [];
    for (const sourceId of [nodeId, ...others].slice(0, mostFiles)) {
      const vehicles = await this.#read(sourceId);
      if (vehicles.length > 0) latched.push({ sourceId, vehicles });
    }
    return latched;
  }

  /** Settles when the files are written. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.close()));
  }

  async #read(sourceId: string): Promise<readonly LatchedVehicle[]> {
    const { nodeId, vehicleIds, onFailure } = this.#options;
    try {
      return await readLatchFile(this.#pathOf(sourceId));
    } catch (error) {
      if (!isHlcError(error)) throw error;
      onFailure(error);
      if (sourceId !== nodeId) return [];
      return vehicleIds.map((id) => ({ id, kinds: commandKinds }));
    }
  }

  #fileOf(sourceId: string): LatchFile {
    const known = this.#files.get(this.#pathOf(sourceId));
    if (known !== undefined) return known;
    // Ids come from the network, and must not fill a disk.
    const isOwn = sourceId === this.#options.nodeId || this.#files.size >= mostFiles;
    const file = this.#pathOf(isOwn ? this.#options.nodeId : sourceId);
    const { onFailure } = this.#options;
    const latchFile =
      this.#files.get(file) ??
      new LatchFile({ path: file, vehicleIds: [], sent: this.#sent, onFailure });
    this.#files.set(file, latchFile);
    return latchFile;
  }

  #pathOf(sourceId: string): string {
    const { socket, nodeId } = this.#options;
    return `${sourceId === nodeId ? socket : siblingSocket(socket, sourceId)}.latch`;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
