import { createHash } from 'node:crypto';
import { controllerIdOf, type Command } from '../core/index.js';
import { HlcError } from '../errors/index.js';
import type { ControllerSide } from '../sides/index.js';
import { Awaited } from './awaited.js';
import {
  compareStep,
  type CommandDifference,
  type Tolerances,
  valuesOf,
} from './compare-commands.js';
import type { ControllerReplayReport } from './controller-report.js';
import {
  answeredStep,
  commandKey,
  type ControllerScript,
  mostStepsBack,
  type ScriptStep,
} from './controller-script.js';

export interface ControllerReplayOptions {
  readonly file: string;
  readonly script: ControllerScript;
  readonly tolerances: Tolerances;
  /** Longest wait for the ready signals, ms; 0: no limit. */
  readonly readyTimeoutMs: number;
  /** Longest wait for the commands of one start signal, ms. */
  readonly stepTimeoutMs: number;
  /** DDS domain of the controllers, for errors. */
  readonly domainId: number;
}

/** Longest time that Node can wait, ms. */
const longestWaitMs = 2 ** 31 - 1;

/** A controller that leaves this many start signals in a row without an answer is silent. */
const silentSteps = 3;

/** Commands that come after the answer to the last start signal are waited for this long, ms. */
const lastStepMs = 200;

/** Differences of each vehicle that a report lists. */
const mostDifferences = 20;

interface PlayedStep {
  readonly recorded: ScriptStep;
  readonly tNowNs: bigint;
  readonly commands: Map<string, Command>;
}

/**
 * Plays a recording to controllers: each start signal is sent when the one before is answered, and the
 * commands are compared with the recorded ones.
 */
export class ControllerReplay {
  readonly #options: ControllerReplayOptions;
  readonly #awaited = new Awaited();
  readonly #ready = new Set<number>();
  /** The last steps, which a command may answer yet. */
  readonly #open: PlayedStep[] = [];
  #stepsCompared = 0;
  #commandsCompared = 0;
  readonly #hash = createHash('sha256');
  readonly #differences: CommandDifference[] = [];
  /** By vehicle. */
  readonly #differenceCounts = new Map<number, number>();
  readonly #silences = new Map<number, number>();
  readonly #unanswered = new Map<number, number>();
  #controllerEnd: string | undefined;

  constructor(options: ControllerReplayOptions) {
    this.#options = options;
  }

  /** A controller sent its ready signal, and reads start signals. */
  readySignal(sourceId: string): void {
    const id = controllerIdOf(sourceId);
    if (id !== null) this.#ready.add(id);
    this.#awaited.changed();
  }

  /** A command came. */
  command(command: Command): void {
    answeredStep(this.#open, command)?.commands.set(commandKey(command), command);
    this.#awaited.changed();
  }

  /** The process of the controller ended. @param how exit code or signal. */
  controllerEnded(how: string): void {
    this.#controllerEnd = how;
    this.#awaited.changed();
  }

  /**
   * Plays all start signals, and the stop trigger.
   * @throws HlcError `HLC_READY_TIMEOUT`, `HLC_REPLAY_CONTROLLER`.
   */
  async play(side: ControllerSide): Promise<ControllerReplayReport> {
    await this.#allReady();
    let silent: readonly number[] = [];
    const isOver = () => silent.length > 0 || this.#controllerEnd !== undefined;
    for await (const step of this.#options.script.steps) {
      await this.#playStep(side, step);
      silent = this.#silent();
      if (isOver()) break;
    }
    if (!isOver()) await this.#awaited.until(() => false, lastStepMs);
    side.sendStop();
    for (const step of this.#open.splice(0)) this.#compare(step);
    return this.#report(silent);
  }

  async #allReady(): Promise<void> {
    const { script, readyTimeoutMs, domainId } = this.#options;
    const missing = () => script.vehicleIds.filter((id) => !this.#ready.has(id));
    await this.#awaited.until(
      () => missing().length === 0 || this.#controllerEnd !== undefined,
      readyTimeoutMs === 0 ? longestWaitMs : readyTimeoutMs,
    );
    const ids = missing();
    if (ids.length === 0) return;
    const how = this.#controllerEnd;
    if (how !== undefined) throw new HlcError('HLC_REPLAY_CONTROLLER', { ids, how });
    const diagnosis = 'the recording has start signals for them; start them on this domain';
    throw new HlcError('HLC_READY_TIMEOUT', { ids, waitedMs: readyTimeoutMs, domainId, diagnosis });
  }

  async #playStep(side: ControllerSide, recorded: ScriptStep): Promise<void> {
    const { tNowNs, bytes, commands } = recorded;
    const played = { recorded, tNowNs, commands: new Map<string, Command>() };
    this.#open.push(played);
    if (this.#open.length > mostStepsBack) this.#compare(this.#open.shift());
    side.startSignals.write(bytes);
    const absent = () => [...commands].filter(([key]) => !played.commands.has(key));
    await this.#awaited.until(
      () => absent().length === 0 || this.#controllerEnd !== undefined,
      this.#options.stepTimeoutMs,
    );
    const late = new Set(absent().map(([, { message }]) => message.vehicle_id));
    for (const id of vehiclesOf(commands)) {
      if (late.has(id)) this.#unanswered.set(id, (this.#unanswered.get(id) ?? 0) + 1);
      this.#silences.set(id, late.has(id) ? (this.#silences.get(id) ?? 0) + 1 : 0);
    }
  }

  #silent(): number[] {
    return [...this.#silences]
      .filter(([, steps]) => steps >= silentSteps)
      .map(([id]) => id)
      .sort((a, b) => a - b);
  }

  /** Compares the commands of a step that no further command can answer. */
  #compare(step: PlayedStep | undefined): void {
    if (step === undefined) return;
    const { tolerances, script } = this.#options;
    const { recorded, tNowNs, commands } = step;
    const number = this.#stepsCompared++;
    const answered = vehiclesOf(recorded.commands);
    const replayed = new Map(
      [...commands].filter(([, { message }]) => answered.has(message.vehicle_id)).sort(byKey),
    );
    for (const [key, command] of replayed) {
      this.#commandsCompared++;
      this.#hash.update(`${number} ${key}`);
      for (const { path, value } of valuesOf(command, tNowNs, script.mode)) {
        this.#hash.update(` ${path}=${value}`);
      }
    }
    for (const each of compareStep(number, recorded, replayed, tolerances, script.mode)) {
      this.#differ(each);
    }
  }

  #differ(difference: CommandDifference): void {
    const { vehicle } = difference;
    const before = this.#differenceCounts.get(vehicle) ?? 0;
    this.#differenceCounts.set(vehicle, before + 1);
    if (before < mostDifferences) this.#differences.push(difference);
  }

  #report(silent: readonly number[]): ControllerReplayReport {
    const { file, script } = this.#options;
    const counts = [...this.#differenceCounts];
    return {
      file,
      steps: script.stepCount,
      stepsSent: this.#stepsCompared,
      dropped: script.dropped,
      damage: script.damage,
      commandsCompared: this.#commandsCompared,
      digest: this.#hash.digest('hex'),
      differences: this.#differences,
      differenceCounts: Object.fromEntries(counts),
      differenceCount: counts.reduce((sum, [, count]) => sum + count, 0),
      unanswered: Object.fromEntries(this.#unanswered),
      silent: this.#controllerEnd === undefined ? silent : script.vehicleIds,
      vehicles: script.vehicleIds,
    };
  }
}

function vehiclesOf(commands: ReadonlyMap<string, Command>): ReadonlySet<number> {
  return new Set([...commands.values()].map(({ message }) => message.vehicle_id));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
