import { type Command, createStampOf, motionFromOf } from './command.js';
import { later } from './time.js';

/** What the commands that were forwarded say about the next ones. */
export class CommandHistory {
  /** Create stamp of the last command, by kind and vehicle, ns. */
  readonly #lastCreateNs = stampsByKind();
  /** Create stamp of the last command that was stamped too far ahead, by kind and vehicle, ns. */
  readonly #aheadNs = stampsByKind();
  /** From when on a vehicle moves by them, ns. */
  readonly #movesFromNs = new Map<number, bigint>();

  /** Create stamp of the last command of this kind for this vehicle, ns; undefined when there was none. */
  lastCreateNs({ kind, message }: Command): bigint | undefined {
    return this.#lastCreateNs[kind].get(message.vehicle_id);
  }

  /** From when on the vehicle moves by the commands since it was last stopped, ns; undefined: by none. */
  movesFromNs(id: number): bigint | undefined {
    return this.#movesFromNs.get(id);
  }

  /** A command was forwarded whose stamps can be believed. */
  add(command: Command): void {
    const id = command.message.vehicle_id;
    const createNs = createStampOf(command);
    const fromNs = motionFromOf(command);
    const knownNs = this.#movesFromNs.get(id);
    if (knownNs === undefined || fromNs < knownNs) this.#movesFromNs.set(id, fromNs);
    const last = this.#lastCreateNs[command.kind];
    last.set(id, later(createNs, last.get(id) ?? createNs));
  }

  /**
   * A command was forwarded that is stamped too far ahead.
   * @returns false when the last such command for this vehicle was the same one.
   */
  addAhead(command: Command): boolean {
    const last = this.#aheadNs[command.kind];
    const { vehicle_id: id } = command.message;
    const createNs = createStampOf(command);
    const isNews = last.get(id) !== createNs;
    last.set(id, createNs);
    return isNews;
  }

  /** The vehicle is stopped: its motion begins anew. */
  stopped(id: number): void {
    this.#movesFromNs.delete(id);
  }

  /** The wall clock stepped: stamps before and after cannot be compared. */
  clockStepped(): void {
    for (const last of Object.values(this.#lastCreateNs)) last.clear();
    this.#movesFromNs.clear();
  }
}

/** A stamp of each vehicle, ns, by the kind of its commands. */
function stampsByKind(): Readonly<Record<Command['kind'], Map<number, bigint>>> {
  return {
    direct: new Map(),
    speedCurvature: new Map(),
    trajectory: new Map(),
    pathTracking: new Map(),
  };
}
