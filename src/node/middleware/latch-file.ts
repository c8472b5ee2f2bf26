import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  commandKinds,
  createStampOf,
  hasUnusableStamp,
  later,
  maxVehicleId,
  validAfterOf,
  type Command,
  type LatchedVehicle,
} from '../../core/index.js';
import type { OutputSettings } from '../../config/index.js';
import { HlcError } from '../../errors/index.js';
import { overwriteFile, readSmallFile, replaceFile, syncFile } from '../../remote/index.js';
import type { NodeEffect, SessionObserver } from '../observers/session-observer.js';

/** A latch file always has this size, bytes: more than its longest content takes. */
const fileBytes = 40_960;

/** A longer file is none of this program, bytes. */
const mostBytes = 65_536;

/** A disk that does not answer delays the end of the process by this time at most, ms. */
const closeMs = 1000;

/** ns; as text, since the numbers of JSON are not exact enough. */
const stamp = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);

/**
 * `kinds`: what was sent to each vehicle; all kinds to those without an entry. `stamps`: the highest
 * create and valid-after stamp of that, where they are known.
 */
const contentSchema = z.object({
  latched: z.array(z.int().min(0).max(maxVehicleId)).max(maxVehicleId + 1),
  kinds: z.record(z.string(), z.array(z.enum(commandKinds)).max(commandKinds.length)).default({}),
  stamps: z.record(z.string(), z.tuple([stamp, stamp])).default({}),
});

/**
 * Path of the latch file: beside the control socket. Null without a control socket, since no user
 * could resume a vehicle then.
 */
export function latchFilePath(controlSocket: OutputSettings['controlSocket']): string | null {
  return controlSocket === null ? null : `${controlSocket.path}.latch`;
}

/**
 * The vehicles that a latch file names, ascending; none when there is no such file.
 * @throws HlcError `HLC_LATCH_FILE` when its content cannot be used.
 */
export async function readLatchFile(file: string): Promise<LatchedVehicle[]> {
  try {
    const text = await readSmallFile(file, mostBytes);
    if (text === undefined) return [];
    const result = contentSchema.safeParse(JSON.parse(text));
    if (!result.success) throw new Error(z.prettifyError(result.error).replaceAll('\n', ' '));
    const { latched, kinds, stamps } = result.data;
    const ids = [...new Set(latched)].sort((a, b) => a - b);
    return ids.map((id) => {
      const [createNs, validNs] = stamps[id] ?? [];
      const isKnown = createNs !== undefined && validNs !== undefined;
      const sent = isKnown ? { sent: { createNs, validNs } } : {};
      return { id, kinds: kinds[id] ?? commandKinds, ...sent };
    });
  } catch (error) {
    throw failure(file, error);
  }
}

export interface LatchFileOptions {
  readonly path: string;
  /** The vehicles of this run; the file keeps what others of this path latched. */
  readonly vehicleIds: readonly number[];
  /** What was sent to vehicles; shared by several files, or of this one alone. */
  readonly sent?: SentRecord;
  /** Called with the first error `HLC_LATCH_FILE` in a row. */
  readonly onFailure: (error: HlcError) => void;
}

interface Sent {
  readonly kinds: Set<Command['kind']>;
  createNs: bigint;
  validNs: bigint;
}

/** The kinds of commands that were sent to each vehicle, and their highest stamps, ns. */
export class SentRecord {
  readonly #vehicles = new Map<number, Sent>();

  of(id: number): Readonly<Sent> | undefined {
    return this.#vehicles.get(id);
  }

  /** A command goes to its vehicle. */
  commanded(command: Command): void {
    // It is not obeyed, and its stamp would make the file unreadable.
    if (hasUnusableStamp(command)) return;
    const id = command.message.vehicle_id;
    let sent = this.#vehicles.get(id);
    if (sent === undefined) {
      sent = { kinds: new Set(), createNs: 0n, validNs: 0n };
      this.#vehicles.set(id, sent);
    }
    sent.kinds.add(command.kind);
    sent.createNs = later(sent.createNs, createStampOf(command));
    sent.validNs = later(sent.validNs, validAfterOf(command));
  }
}

/**
 * Keeps the latched vehicles in a file, so that a run after an unclean end begins with them. It is
 * written beside the control loop: no tick waits for the disk.
 */
export class LatchFile implements SessionObserver {
  readonly name = 'latch file';
  readonly #options: LatchFileOptions;
  /** By vehicle id: whether this run latched it. The file decides for a vehicle without an entry. */
  readonly #latched = new Map<number, boolean>();
  readonly #sent: SentRecord;
  /** The file stays, also without a vehicle: it holds the room for the next stop. */
  #holdsRoom = false;
  #isStale = false;
  #writing: Promise<void> | undefined;
  #isUnsynced = false;
  #syncing: Promise<void> | undefined;
  #failed = false;

  constructor(options: LatchFileOptions) {
    this.#options = options;
    this.#sent = options.sent ?? new SentRecord();
  }

  effect(effect: NodeEffect): void {
    switch (effect.kind) {
      case 'forwardCommand':
      case 'commandVehicle':
        this.#sent.commanded(effect.command);
        break;
      case 'safeStop':
        if (effect.latched) this.add([effect.id]);
        break;
      case 'resumed':
        this.#set([effect.id], false);
        break;
      case 'ended':
        // With a vehicle that may still move, the end is not clean.
        if (effect.moving.length === 0) {
          this.#holdsRoom = false;
          this.#set([...this.#options.vehicleIds, ...this.#latched.keys()], false);
        }
        break;
      default:
        break;
    }
  }

  /**
   * Takes the room on the disk that a later stop needs; settles when the file is written, or after a
   * second.
   */
  async reserve(): Promise<void> {
    this.#holdsRoom = true;
    this.#set([], true);
    await this.close();
  }

  /** These vehicles are latched now. */
  add(ids: readonly number[]): void {
    this.#set(ids, true);
  }

  /** From now on another process decides whether these vehicles are latched. */
  forget(ids: readonly number[]): void {
    for (const id of ids) this.#latched.delete(id);
  }

  /** Settles when the file holds what is latched, or after a second. */
  async close(): Promise<void> {
    const written = async () => {
      await this.#writing;
      await this.#syncing;
    };
    await Promise.race([written(), wait(closeMs, undefined, { ref: false })]);
  }

  #set(ids: readonly number[], latched: boolean): void {
    for (const id of ids) this.#latched.set(id, latched);
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes until the file holds what is latched by then; one file operation at a time. */
  async #write(): Promise<void> {
    const { path: file } = this.#options;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        // A file that cannot be read is replaced: every vehicle of this run is latched already.
        const before = await readLatchFile(file).catch((): LatchedVehicle[] => []);
        const after = this.#merged(before);
        if (after.length > 0 || this.#holdsRoom) {
          const text = `${contentOf(after).padEnd(fileBytes - 1)}\n`;
          const isWritten = await overwriteFile(file, text).catch(() => false);
          if (!isWritten) await replaceFile(file, text);
        } else await rm(file, { force: true });
        this.#failed = false;
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#isUnsynced = true;
    this.#syncing ??= this.#sync().finally(() => {
      this.#syncing = undefined;
    });
  }

  /** The next run finds what was written also before the disk has it, unless the machine fails. */
  async #sync(): Promise<void> {
    while (this.#isUnsynced) {
      this.#isUnsynced = false;
      await syncFile(this.#options.path).catch((error: unknown) => this.#fail(error));
    }
  }

  #fail(error: unknown): void {
    if (!this.#failed) this.#options.onFailure(failure(this.#options.path, error));
    this.#failed = true;
  }

  /** The vehicles of others as they were, and the latched ones of this run. */
  #merged(before: readonly LatchedVehicle[]): LatchedVehicle[] {
    const others = before.filter(({ id }) => !this.#latched.has(id));
    const own = [...this.#latched].flatMap(([id, latched]): LatchedVehicle[] => {
      if (!latched) return [];
      const known = before.find((vehicle) => vehicle.id === id);
      const seen = this.#sent.of(id);
      if (seen === undefined) return [known ?? { id, kinds: commandKinds }];
      const kinds = [...new Set([...(known?.kinds ?? []), ...seen.kinds])];
      const createNs = later(seen.createNs, known?.sent?.createNs ?? 0n);
      const validNs = later(seen.validNs, known?.sent?.validNs ?? 0n);
      return [{ id, kinds, sent: { createNs, validNs } }];
    });
    return [...others, ...own];
  }
}

function contentOf(vehicles: readonly LatchedVehicle[]): string {
  const latched = vehicles.map(({ id }) => id).sort((a, b) => a - b);
  const kinds = Object.fromEntries(vehicles.map((vehicle) => [vehicle.id, vehicle.kinds]));
  const stamps = Object.fromEntries(
    vehicles.flatMap(({ id, sent }) =>
      sent === undefined ? [] : [[id, [String(sent.createNs), String(sent.validNs)]]],
    ),
  );
  return JSON.stringify({ latched, kinds, stamps });
}

function failure(file: string, error: unknown): HlcError<'HLC_LATCH_FILE'> {
  return new HlcError(
    'HLC_LATCH_FILE',
    { file, cause: (error as Error).message },
    { cause: error },
  );
}
