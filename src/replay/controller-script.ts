import type { Command } from '../core/index.js';
import type { TapItem } from '../record/index.js';
import type { TapRecord } from '../tap/index.js';
import { DamageCount, type RecordingDamage } from './recording-damage.js';

/** A start signal of a recording, and the commands that answered it. */
export interface ScriptStep {
  /** Its time, ns. */
  readonly tNowNs: bigint;
  /** CDR as sent. */
  readonly bytes: Uint8Array;
  /** The newest command per vehicle and kind, by {@link commandKey}. */
  readonly commands: ReadonlyMap<string, Command>;
}

/** What a recording says to controllers, and what they answered. */
export interface ControllerScript extends ScriptFacts {
  /** All start signals in their order, read while they are played. */
  readonly steps: AsyncIterable<ScriptStep> | Iterable<ScriptStep>;
}

/** What is known of a recording before its start signals are played. */
export interface ScriptFacts {
  /** The controllers, ascending. */
  readonly vehicleIds: readonly number[];
  readonly mode: 'real' | 'simulated';
  /** Number of its start signals. */
  readonly stepCount: number;
  /** Records that the recorder was too slow for: start signals or commands may be missing. */
  readonly dropped: number;
  readonly damage: RecordingDamage;
}

/** `2 trajectory`: the place of a command in a step. */
export function commandKey({ kind, message }: Command): string {
  return `${message.vehicle_id} ${kind}`;
}

/** Finds out what a recording has for controllers. */
export class ScriptSurvey {
  readonly #vehicleIds = new Set<number>();
  readonly #damage = new DamageCount();
  #mode: ControllerScript['mode'] = 'real';
  #stepCount = 0;
  #dropped = 0;

  /** Takes the next item of a recording. */
  add(item: TapItem): void {
    this.#damage.add(item);
    if (item.kind !== 'record') return;
    const { record } = item;
    if (record.type === 'session') {
      const { mode, config } = record.content.settings;
      this.#mode = mode;
      for (const id of config.vehicleIds) this.#vehicleIds.add(id);
    } else if (record.type === 'dropped') {
      for (const { count } of record.content.records) this.#dropped += count;
    } else if (startSignalOf(record) !== undefined) {
      this.#stepCount++;
    }
  }

  /** What the recording has. */
  facts(): ScriptFacts {
    return {
      vehicleIds: [...this.#vehicleIds].sort((a, b) => a - b),
      mode: this.#mode,
      stepCount: this.#stepCount,
      dropped: this.#dropped,
      damage: this.#damage,
    };
  }
}

interface OpenStep extends ScriptStep {
  readonly commands: Map<string, Command>;
}

/**
 * Finds the start signals in the records of a tap, and the commands that answer each. Its memory has the
 * last steps only, however long the recording is.
 */
export class StepReader {
  readonly #open: OpenStep[] = [];
  readonly #vehicleIds = new Set<number>();

  /**
   * Takes the next record of the tap.
   * @returns a step that no further command can answer.
   */
  add(record: TapRecord): ScriptStep | undefined {
    if (record.type === 'session') {
      for (const id of record.content.settings.config.vehicleIds) this.#vehicleIds.add(id);
    } else if (record.type === 'event' && record.kind === 'command') {
      if (record.event.kind === 'command') this.#command(record.event.command);
    }
    const start = startSignalOf(record);
    if (start === undefined) return undefined;
    this.#open.push({ ...start, commands: new Map() });
    return this.#open.length > mostStepsBack ? this.#open.shift() : undefined;
  }

  /** The steps that are left at the end of the recording. */
  rest(): readonly ScriptStep[] {
    return this.#open;
  }

  #command(command: Command): void {
    const step = answeredStep(this.#open, command);
    if (step === undefined || !this.#vehicleIds.has(command.message.vehicle_id)) return;
    step.commands.set(commandKey(command), command);
  }
}

/** The start signal that a record sent; undefined when it sent none. */
function startSignalOf(record: TapRecord): Pick<ScriptStep, 'tNowNs' | 'bytes'> | undefined {
  if (record.type !== 'event' && record.type !== 'effect') return undefined;
  // Most records are of another kind, and are not decoded.
  if (record.kind !== 'startSent' && record.kind !== 'sendStartSignal') return undefined;
  const sent = record.type === 'event' ? record.event : record.effect;
  const bytes = record.sample?.bytes;
  return bytes !== undefined && 'tNowNs' in sent ? { tNowNs: sent.tNowNs, bytes } : undefined;
}

/** How many steps back the answer of a late controller may belong. */
export const mostStepsBack = 16;

/**
 * The step that a command answers: the last one that is not after its create stamp. A command that is
 * older than all of the last steps answers the newest.
 */
export function answeredStep<S extends { readonly tNowNs: bigint }>(
  steps: readonly S[],
  { message }: Command,
): S | undefined {
  const createdNs = message.header.create_stamp.nanoseconds;
  const least = Math.max(0, steps.length - mostStepsBack);
  for (let i = steps.length - 1; i >= least; i--) {
    const step = steps[i];
    if (step !== undefined && step.tNowNs <= createdNs) return step;
  }
  return steps.at(-1);
}
