import { nsPerS } from '../../core/index.js';
import {
  fewBeats,
  judgeableIn,
  simulatedSteps,
  steadyBeats,
  strangeBeats,
  timingBeats,
  usualBeat,
  type Beat,
  type ListKind,
  type Phase,
  type StartNote,
  type Transcript,
} from '../judging/index.js';
import type { DdsContext } from '../../dds/index.js';
import { RandomStream } from '../../lab/index.js';
import { Answers } from './answers.js';
import { ControllerProcess } from './controller-process.js';
import { ShownVehicles } from './lists.js';
import { MiddlewareSide } from './middleware-side.js';
import type { ExaminedSide } from './other-middleware.js';
import { Recording } from './recording.js';
import { SignIns } from './sign-ins.js';
import { Wake } from './wake.js';

/** What an {@link Examination} needs. */
export interface ExaminationOptions {
  readonly vehicleIds: readonly number[];
  /** Joins the controller side as another participant. */
  readonly join: (dds: DdsContext) => ExaminedSide;
  readonly periodNs: bigint;
  readonly seed: number;
  /** Longest wait for the ready signals, ns; 0 waits for ever. */
  readonly readyTimeoutNs: bigint;
  readonly realTimeOnly: boolean;
  /** Starts the controller: program and arguments; none when the user starts it. */
  readonly command: readonly string[];
}

const stepTimeoutNs = 2n * nsPerS;
/** Simulated time is so far from the wall clock that a controller that confuses them shows. */
const aheadNs = 315_360_000n * nsPerS;
const beatsAroundStop = { before: 3, after: 10 };
const shortestStopBeatNs = 50_000_000n;
/** A phase goes on when the machine was too busy, until it is this many times as long. */
const longestPhase = 3;
/** A controller that left the last start signals without a command has fallen silent. */
const silentBeats = 3;

/** Plays the middleware to one controller, phase after phase, and records what comes of it. */
export class Examination {
  readonly #recording: Recording;
  readonly #wake: Wake;
  readonly #signIns: SignIns;
  readonly #vehicles: ShownVehicles;
  readonly #random: () => number;
  #side: MiddlewareSide;
  #process: ControllerProcess | undefined;
  readonly #answers = new Answers();

  constructor(
    private readonly dds: DdsContext,
    private readonly options: ExaminationOptions,
  ) {
    const stream = new RandomStream(options.seed, 'check');
    this.#random = () => stream.uniform();
    this.#recording = new Recording(dds.clocks);
    this.#vehicles = new ShownVehicles(options.vehicleIds, this.#random);
    this.#side = this.#open();
    // Its timer keeps the process: it begins when nothing can fail any more.
    this.#wake = new Wake(dds.clocks, dds.createPacer(), (forNs) =>
      this.#recording.add({ kind: 'stall', forNs }),
    );
    this.#signIns = new SignIns(this.#recording, this.#wake, dds.clocks);
  }

  /**
   * All phases, one after the other.
   * @throws HlcError `HLC_CONTROLLER_START`, `HLC_OTHER_MIDDLEWARE`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
   */
  async run(): Promise<Transcript> {
    const { realTimeOnly } = this.options;
    if (await this.#arrive()) {
      await this.#realTime('steady', steadyBeats());
      await this.#realTime('strange', strangeBeats(this.#random));
      await this.#timing();
      await this.#rejoin();
      if (!realTimeOnly) await this.#simulated();
      await this.#stop(realTimeOnly);
      await this.#restart();
    }
    return this.#transcript();
  }

  async close(): Promise<void> {
    this.#wake.close();
    await this.#process?.kill();
  }

  /** Waits for the controller. @returns false when none appeared. */
  async #arrive(): Promise<boolean> {
    this.#recording.add({ kind: 'phase', phase: 'arrival' });
    await this.#side.listenForOther();
    await this.#startProcess();
    await this.#signedIn(() => true);
    await this.#signIns.receivedByMiddleware();
    await this.#signIns.listening(this.#side, () => true);
    return this.#signIns.signals().length > 0;
  }

  async #begin(phase: Phase): Promise<void> {
    await this.#revive();
    this.#side.refuseOther();
    this.#recording.add({ kind: 'phase', phase });
  }

  async #realTime(phase: Phase, beats: readonly Beat[]): Promise<void> {
    await this.#begin(phase);
    await this.#beats(beats);
  }

  /** Start signals out of the rhythm, again when the machine was too busy to judge one kind of them. */
  async #timing(): Promise<void> {
    await this.#begin('timing');
    for (let times = 0; times < longestPhase; times++) {
      await this.#beats(timingBeats(this.#random));
      if (judgeableIn(this.#transcript()).lacking.size === 0) return;
    }
  }

  /** The beats, and usual ones for those at the end that the machine was too busy to judge. */
  *#andFurther(beats: readonly Beat[]): Generator<Beat> {
    yield* beats;
    const wanted = beats.length - 1 - beats.findLastIndex((beat) => beat !== usualBeat);
    for (let further = (longestPhase - 1) * beats.length; further > 0; further--) {
      if (judgeableIn(this.#transcript()).usual >= wanted) return;
      yield usualBeat;
    }
  }

  async #beats(beats: readonly Beat[]): Promise<void> {
    const { periodNs } = this.options;
    let tNowNs = this.#gridAfter(this.dds.clocks.realtimeNs());
    for (const { note, periods, latePart, held, list } of this.#andFurther(beats)) {
      const lateNs = BigInt(Math.round(latePart * Number(periodNs)));
      tNowNs += BigInt(periods) * periodNs;
      // What the machine made this process miss is left out, as the middleware does.
      const nowNs = this.dds.clocks.realtimeNs();
      if (tNowNs + lateNs < nowNs) tNowNs = this.#gridAfter(nowNs);
      await this.#untilWallClock(tNowNs + lateNs);
      for (let older = BigInt(held); older > 0n; older--) {
        this.#send('held', list, tNowNs - older * periodNs);
      }
      this.#send(note, list, tNowNs);
    }
    await this.#wake.after(periodNs);
  }

  /** The middleware leaves, and a new one comes. */
  async #rejoin(): Promise<void> {
    await this.#revive();
    const sources = new Set(this.#signIns.signals().map(({ sourceId }) => sourceId));
    this.#side.close();
    this.#recording.add({ kind: 'phase', phase: 'rejoin' });
    this.#side = this.#open();
    await this.#signIns.kept(sources);
    const again = new Set(this.#signIns.signals('rejoin').map(({ participant }) => participant));
    await this.#signIns.listening(this.#side, (participant) => again.has(participant));
    await this.#beats(fewBeats());
  }

  async #simulated(): Promise<void> {
    await this.#begin('simulated');
    this.#answers.beginSimulatedTime(this.#gridAfter(this.dds.clocks.realtimeNs() + aheadNs));
    let unanswered = 0;
    for (const { holdNs } of simulatedSteps()) {
      this.#send(
        holdNs > 0n ? 'hold' : 'normal',
        'usual',
        this.#answers.newestNs + this.options.periodNs,
      );
      const answered = await this.#wake.until(
        () => this.#answers.haveAll(this.options.vehicleIds),
        stepTimeoutNs,
      );
      unanswered = answered ? 0 : unanswered + 1;
      // Who answers no simulated time will not answer the rest of it either.
      if (unanswered === silentBeats) break;
      await this.#wake.after(holdNs);
    }
  }

  /** Start signals, the stop trigger, and further start signals that must stay without a reply. */
  async #stop(realTime: boolean): Promise<void> {
    await this.#begin('stop');
    const { periodNs } = this.options;
    const beatNs = periodNs > shortestStopBeatNs ? periodNs : shortestStopBeatNs;
    const beats = async (count: number) => {
      for (let beat = 0; beat < count; beat++) {
        const nowNs = this.#gridAfter(this.dds.clocks.realtimeNs()) - periodNs;
        this.#send('normal', 'usual', realTime ? nowNs : this.#answers.newestNs + periodNs);
        await this.#wake.after(beatNs);
      }
    };
    await beats(beatsAroundStop.before);
    this.#side.refuseOther();
    this.#side.sendStop();
    this.#recording.add({ kind: 'stopTrigger' });
    await beats(beatsAroundStop.after);
  }

  /** The controller is killed and started again. */
  async #restart(): Promise<void> {
    if (this.options.command.length === 0) return;
    const before = new Set(this.#signIns.signals().map(({ participant }) => participant));
    this.#recording.add({ kind: 'phase', phase: 'restart' });
    await this.#startProcess();
    const isNew = (participant: string) => !before.has(participant);
    await this.#signedIn(isNew);
    await this.#signIns.listening(this.#side, isNew);
    await this.#beats(fewBeats());
  }

  /** A controller of ours that ended or fell silent is started again, for the next phase. */
  async #revive(): Promise<void> {
    if (this.options.command.length === 0 || !(this.#process?.gone === true || this.#isSilent())) {
      return;
    }
    const before = new Set(this.#signIns.signals().map(({ participant }) => participant));
    await this.#startProcess();
    const isNew = (participant: string) => !before.has(participant);
    await this.#signedIn(isNew);
    await this.#signIns.listening(this.#side, isNew);
  }

  #isSilent(): boolean {
    const { events } = this.#recording;
    const starts = events.filter(({ kind }) => kind === 'startSignal');
    const since = starts.at(-silentBeats);
    if (since === undefined || starts.length < silentBeats) return false;
    return !events.some(({ kind, atNs }) => kind === 'command' && atNs >= since.atNs);
  }

  async #startProcess(): Promise<void> {
    const { command } = this.options;
    if (command.length === 0) return;
    if (this.#process !== undefined) {
      await this.#process.kill();
      this.#recording.add({ kind: 'process', what: 'killed', how: 'SIGKILL' });
    }
    this.#process = await ControllerProcess.start(command, (how) =>
      this.#recording.add({ kind: 'process', what: 'ended', how }),
    );
    this.#recording.add({ kind: 'process', what: 'started', how: command.join(' ') });
  }

  async #signedIn(counts: (participant: string) => boolean): Promise<void> {
    const { vehicleIds, readyTimeoutNs } = this.options;
    const isGone = () => this.#process?.gone === true;
    await this.#signIns.complete(vehicleIds, counts, readyTimeoutNs, isGone);
  }

  #transcript(): Transcript {
    return this.#recording.transcript(this.options.vehicleIds, this.options.periodNs);
  }

  #send(note: StartNote, list: ListKind, tNowNs: bigint): void {
    const message = this.#vehicles.list(list, tNowNs, this.options.periodNs);
    this.#answers.begin(tNowNs);
    this.#recording.add({ kind: 'startSignal', tNowNs, note });
    this.#side.sendStartSignal(message);
  }

  #open(): MiddlewareSide {
    const transport = this.options.join(this.dds);
    return new MiddlewareSide(transport, this.dds.clocks, this.#recording, (command) => {
      const { vehicle_id, header } = command.message;
      this.#answers.add(vehicle_id, header.create_stamp.nanoseconds);
      this.#vehicles.receive(command);
    });
  }

  /** The first time of the grid after this one, ns. */
  #gridAfter(timeNs: bigint): bigint {
    const { periodNs } = this.options;
    return (timeNs / periodNs + 1n) * periodNs + 1n;
  }

  async #untilWallClock(timeNs: bigint): Promise<void> {
    const { clocks } = this.dds;
    await this.#wake.at(clocks.monotonicNs() + timeNs - clocks.realtimeNs());
  }
}
