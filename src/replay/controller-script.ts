import type { Command } from '../core/index.js';
import type { TapRecord } from '../tap/index.js';

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
export interface ControllerScript {
  /** The controllers, ascending. */
  readonly vehicleIds: readonly number[];
  readonly mode: 'real' | 'simulated';
  readonly steps: readonly ScriptStep[];
  /** Records that the recorder was too slow for: start signals or commands may be missing. */
  readonly dropped: number;
}

/** `2 trajectory`: the place of a command in a step. */
export function commandKey({ kind, message }: Command): string {
  return `${message.vehicle_id} ${kind}`;
}

interface OpenStep {
  readonly tNowNs: bigint;
  readonly bytes: Uint8Array;
  readonly commands: Map<string, Command>;
}

/** Finds the start signals in the records of a tap, and the commands that answer each. */
export class ScriptReader {
  readonly #steps: OpenStep[] = [];
  readonly #vehicleIds = new Set<number>();
  #mode: ControllerScript['mode'] = 'real';
  #dropped = 0;

  /** Takes the next record of the tap. */
  add(record: TapRecord): void {
    switch (record.type) {
      case 'session': {
        const { mode, config } = record.content.settings;
        this.#mode = mode;
        for (const id of config.vehicleIds) this.#vehicleIds.add(id);
        return;
      }
      case 'event':
        if (record.event.kind === 'command') this.#command(record.event.command);
        if (record.event.kind === 'startSent') this.#start(record.event.tNowNs, record.sample);
        return;
      case 'effect':
        if (record.effect.kind === 'sendStartSignal') {
          this.#start(record.effect.tNowNs, record.sample);
        }
        return;
      case 'dropped':
        for (const { count } of record.content.records) this.#dropped += count;
        return;
      default:
    }
  }

  script(): ControllerScript {
    return {
      vehicleIds: [...this.#vehicleIds].sort((a, b) => a - b),
      mode: this.#mode,
      steps: this.#steps,
      dropped: this.#dropped,
    };
  }

  #start(tNowNs: bigint, sample: { readonly bytes: Uint8Array } | undefined): void {
    if (sample === undefined) return;
    this.#steps.push({ tNowNs, bytes: sample.bytes, commands: new Map() });
  }

  #command(command: Command): void {
    const step = answeredStep(this.#steps, command);
    if (step === undefined || !this.#vehicleIds.has(command.message.vehicle_id)) return;
    step.commands.set(commandKey(command), command);
  }
}

/** How many steps back the answer of a late controller may belong. */
const mostStepsBack = 16;

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
