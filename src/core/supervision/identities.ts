import { participantOf } from '../../ports/index.js';

/** Maximum number of reported refusals; further ones are not reported. */
const maxReported = 256;

/**
 * A DDS writer: 32 hex digits of its GUID, or null where the transport does not identify writers.
 * Samples of null count for every writer.
 */
export type WriterId = string | null;

/** What a ready signal means for who a controller is. */
export type Claim =
  | { readonly kind: 'accepted' }
  /** Another process is this controller. `reported` is false when it was reported before. */
  | { readonly kind: 'refused'; readonly owner: string; readonly reported: boolean };

interface Owner {
  /** Who sent the ready signal. */
  readonly participant: string;
  /** Who sends the commands, when that is another participant of the same process. */
  commander: string | null;
}

interface Writers {
  readonly all: Set<string>;
  readonly commands: Set<string>;
}

/**
 * Which process is which controller. The first participant that signs in with an id has it, until
 * it is gone or dead; what others say under that id does not count. A process may keep its writers
 * of commands in a second participant: where the one that signed in has none, the first other one
 * that commands is taken for its second.
 */
export class Identities {
  readonly #owners = new Map<number, Owner>();
  readonly #writers = new Map<string, Writers>();
  /** The last participant that was refused, by id: it may follow when the owner is gone. */
  readonly #claims = new Map<number, string>();
  readonly #reported = new Set<string>();

  /**
   * A ready signal came.
   * @param ownerIsDead true when the present owner of the id may be replaced.
   */
  claim(id: number, writer: WriterId, ownerIsDead: boolean): Claim {
    if (writer === null) return { kind: 'accepted' };
    const participant = participantOf(writer);
    const owner = this.#owners.get(id);
    if (owner === undefined || ownerIsDead || !this.#writers.has(owner.participant)) {
      if (owner?.participant !== participant) this.#own(id, participant);
      return { kind: 'accepted' };
    }
    if (owner.participant === participant) return { kind: 'accepted' };
    this.#claims.set(id, participant);
    return {
      kind: 'refused',
      owner: owner.participant,
      reported: this.#reportOnce(id, participant),
    };
  }

  /** Whether commands of this writer are commands of the controller. */
  mayCommand(id: number, writer: WriterId): boolean {
    if (writer === null) return true;
    const owner = this.#owners.get(id);
    if (owner === undefined) return true;
    const participant = participantOf(writer);
    if (participant === owner.participant) return true;
    if (this.#hasCommands(owner.participant)) return false;
    owner.commander ??= participant;
    return participant === owner.commander;
  }

  /**
   * True when an answer of this writer shows that the controller is back: its process lives, and no other
   * process has the id. An id without a process belongs to this one from then on.
   */
  answers(id: number, writer: WriterId): boolean {
    if (writer === null) return true;
    const participant = participantOf(writer);
    if (!this.#writers.has(participant)) return false;
    if (!this.#owners.has(id)) this.#own(id, participant);
    return this.mayCommand(id, writer);
  }

  /** True the first time that something of this writer is refused for this id. */
  reportIntruder(id: number, writer: WriterId): boolean {
    return writer !== null && this.#reportOnce(id, participantOf(writer));
  }

  /** The participant that is the controller, 24 hex digits; null when there is none. */
  ownerOf(id: number): string | null {
    return this.#owners.get(id)?.participant ?? null;
  }

  /** A writer of ready signals or of commands appeared. */
  joined(guid: string, role: 'ready' | 'command'): void {
    const participant = participantOf(guid);
    let writers = this.#writers.get(participant);
    if (writers === undefined) {
      writers = { all: new Set(), commands: new Set() };
      this.#writers.set(participant, writers);
    }
    writers.all.add(guid);
    if (role === 'command') writers.commands.add(guid);
  }

  /**
   * A writer is gone.
   * @returns the controllers whose process is gone with it, ascending; their ids are free now.
   */
  left(guid: string): number[] {
    const participant = participantOf(guid);
    const writers = this.#writers.get(participant);
    if (writers === undefined) return [];
    writers.all.delete(guid);
    writers.commands.delete(guid);
    if (writers.all.size > 0) return [];
    this.#writers.delete(participant);
    for (const owner of this.#owners.values()) {
      // A process that commands from a second participant may come back with a new one.
      if (owner.commander === participant) owner.commander = null;
    }
    const gone = [...this.#owners].filter(([, owner]) => owner.participant === participant);
    for (const [id] of gone) this.#owners.delete(id);
    return gone.map(([id]) => id).sort((a, b) => a - b);
  }

  /**
   * The owner of an id is dead or gone: the last one that was refused takes its place, when it is
   * still there.
   * @returns true when there is a new owner, whose ready signal counts from now on.
   */
  succeed(id: number): boolean {
    const claimant = this.#claims.get(id);
    this.#claims.delete(id);
    if (claimant === undefined || !this.#writers.has(claimant)) return false;
    this.#own(id, claimant);
    return true;
  }

  #own(id: number, participant: string): void {
    this.#owners.set(id, { participant, commander: null });
    this.#reported.delete(`${id} ${participant}`);
  }

  #hasCommands(participant: string): boolean {
    return (this.#writers.get(participant)?.commands.size ?? 0) > 0;
  }

  #reportOnce(id: number, participant: string): boolean {
    const key = `${id} ${participant}`;
    if (this.#reported.has(key) || this.#reported.size >= maxReported) return false;
    this.#reported.add(key);
    return true;
  }
}
