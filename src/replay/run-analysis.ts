import { toMs, toS } from '../core/index.js';
import { readTap } from '../record/index.js';
import { logText, type TapRecord } from '../tap/index.js';

/** A value at a time after the first start signal, s. */
export interface Point {
  readonly timeS: number;
  readonly value: number;
}

/** A pose of a vehicle, m and m/s, at a time of its own clock after the first start signal, s. */
export interface PathPoint {
  readonly timeS: number;
  readonly x: number;
  readonly y: number;
  readonly speed: number;
}

/** What one controller did in a run. */
export interface ControllerRun {
  readonly replyMs: Point[];
  /** Times of the periods without a reply, s. */
  readonly missesS: number[];
  lateReplies: number;
  safeStops: number;
  /** Refused commands by the code of the check. */
  readonly refused: Map<string, number>;
}

/** An entry of the log. */
export interface LogEntry {
  readonly timeS: number;
  /** pino: 30 is info, 40 warn, 50 error. */
  readonly level: number;
  readonly text: string;
  readonly code: string | null;
  /** The entry is a bookmark. */
  readonly isMark: boolean;
}

/** What a recording says about a run. */
export interface RunAnalysis {
  readonly file: string;
  readonly nodeId: string;
  readonly mode: 'real' | 'simulated';
  /** Wall clock at the first start signal, ns; null: there was none. */
  readonly beganNs: bigint | null;
  readonly periodMs: number;
  /** Of the wall clock. */
  readonly durationS: number;
  /** From the first start signal to the end of the last period, by their own times. */
  readonly simulatedS: number;
  readonly startSignals: number;
  /** Start signals with the states of an earlier period. */
  readonly standIns: number;
  readonly skippedPeriods: number;
  readonly latenessUs: readonly Point[];
  readonly commandsForwarded: number;
  readonly controllers: ReadonlyMap<number, ControllerRun>;
  readonly paths: ReadonlyMap<number, readonly PathPoint[]>;
  readonly log: readonly LogEntry[];
  /** Records that the recorder was too slow for. */
  readonly dropped: number;
  /** The recording has no end: it was cut. */
  readonly wasCut: boolean;
}

/** Entries of the log that are kept. */
const mostLogEntries = 5000;

const nsPerUs = 1000;

/**
 * Reads a recording and its further parts.
 * @throws HlcError `HLC_RECORDING_READ`.
 */
export async function analyseRun(file: string): Promise<RunAnalysis> {
  const reader = new RunReader(file);
  let wasCut = false;
  for await (const item of readTap(file)) {
    if (item.kind === 'record') reader.add(item.record);
    else wasCut ||= item.kind === 'cut';
  }
  return reader.analysis(wasCut);
}

class RunReader {
  readonly #file: string;
  #nodeId = '';
  #mode: RunAnalysis['mode'] = 'real';
  #periodNs = 0n;
  /** Monotonic clock of the middleware, ns. */
  #atNs = 0n;
  #beganAtNs: bigint | undefined;
  #beganNs: bigint | null = null;
  #realtimeNs = 0n;
  #firstTNowNs: bigint | undefined;
  #lastTNowNs = 0n;
  #startSignals = 0;
  #standIns = 0;
  #skipped = 0;
  #forwarded = 0;
  #dropped = 0;
  readonly #lateness: Point[] = [];
  readonly #controllers = new Map<number, ControllerRun>();
  readonly #paths = new Map<number, PathPoint[]>();
  readonly #log: (Omit<LogEntry, 'timeS'> & { atNs: bigint })[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  add(record: TapRecord): void {
    switch (record.type) {
      case 'hello':
        this.#atNs = record.content.clock.monotonicNs;
        this.#nodeId = record.content.nodeId;
        return;
      case 'session': {
        const { mode, config } = record.content.settings;
        this.#mode = mode;
        this.#periodNs = config.periodNs;
        for (const id of config.vehicleIds) this.#controller(id);
        return;
      }
      case 'event':
        this.#atNs = record.at.monotonicNs;
        this.#realtimeNs = record.at.realtimeNs;
        this.#event(record);
        return;
      case 'effect':
        this.#effect(record);
        return;
      case 'log':
        this.#logged(record.content);
        return;
      case 'dropped':
        for (const { count } of record.content.records) this.#dropped += count;
        return;
      default:
    }
  }

  analysis(wasCut: boolean): RunAnalysis {
    const beganAtNs = this.#beganAtNs ?? this.#atNs;
    return {
      file: this.#file,
      nodeId: this.#nodeId,
      mode: this.#mode,
      beganNs: this.#beganNs,
      periodMs: toMs(this.#periodNs),
      durationS: toS(this.#atNs - beganAtNs),
      simulatedS:
        this.#firstTNowNs === undefined
          ? 0
          : toS(this.#lastTNowNs - this.#firstTNowNs + this.#periodNs),
      startSignals: this.#startSignals,
      standIns: this.#standIns,
      skippedPeriods: this.#skipped,
      latenessUs: this.#lateness,
      commandsForwarded: this.#forwarded,
      controllers: new Map([...this.#controllers].sort(([a], [b]) => a - b)),
      paths: new Map([...this.#paths].sort(([a], [b]) => a - b)),
      log: this.#log.map(({ atNs, ...entry }) => ({ ...entry, timeS: toS(atNs - beganAtNs) })),
      dropped: this.#dropped,
      wasCut,
    };
  }

  #event({ event }: Extract<TapRecord, { type: 'event' }>): void {
    const firstTNowNs = this.#firstTNowNs;
    if (event.kind !== 'vehicleState' || firstTNowNs === undefined) return;
    const { sample, motion } = event;
    const path = this.#paths.get(sample.vehicleId) ?? [];
    path.push({
      timeS: toS(sample.createStampNs - firstTNowNs),
      x: motion.pose.x,
      y: motion.pose.y,
      speed: motion.speedMps,
    });
    this.#paths.set(sample.vehicleId, path);
  }

  #effect({ effect, performed }: Extract<TapRecord, { type: 'effect' }>): void {
    const timeS = toS(this.#atNs - (this.#beganAtNs ?? this.#atNs));
    switch (effect.kind) {
      case 'sendStartSignal':
        this.#started(effect.tNowNs, performed.latenessNs);
        return;
      case 'startSignalSent':
        if (effect.standIn) this.#standIns++;
        this.#started(effect.tNowNs, effect.latenessNs);
        return;
      case 'replied':
        this.#controller(effect.id).replyMs.push({ timeS, value: toMs(effect.replyTimeNs) });
        return;
      case 'missed':
        for (const { id } of effect.misses) this.#controller(id).missesS.push(timeS);
        return;
      case 'replyTimeout':
        for (const id of effect.ids) this.#controller(id).missesS.push(timeS);
        return;
      case 'lateReply':
        this.#controller(effect.id).lateReplies++;
        return;
      case 'safeStop':
        this.#controller(effect.id).safeStops++;
        return;
      case 'refuseCommand': {
        const { refused } = this.#controller(effect.id);
        refused.set(effect.code, (refused.get(effect.code) ?? 0) + 1);
        return;
      }
      case 'forwardCommand':
        this.#forwarded++;
        return;
      case 'periodsSkipped':
        this.#skipped += effect.count;
        return;
      default:
    }
  }

  #started(tNowNs: bigint, latenessNs: bigint): void {
    this.#startSignals++;
    this.#beganAtNs ??= this.#atNs;
    this.#beganNs ??= this.#realtimeNs;
    this.#firstTNowNs ??= tNowNs;
    this.#lastTNowNs = tNowNs;
    const timeS = toS(this.#atNs - this.#beganAtNs);
    this.#lateness.push({ timeS, value: Number(latenessNs) / nsPerUs });
  }

  #logged(content: Extract<TapRecord, { type: 'log' }>['content']): void {
    if (this.#log.length >= mostLogEntries) return;
    const { level, code, mark } = content;
    this.#log.push({
      atNs: this.#atNs,
      level,
      text: logText(content),
      code: typeof code === 'string' ? code : null,
      isMark: typeof mark === 'string',
    });
  }

  #controller(id: number): ControllerRun {
    const known = this.#controllers.get(id);
    if (known !== undefined) return known;
    const controller: ControllerRun = {
      replyMs: [],
      missesS: [],
      lateReplies: 0,
      safeStops: 0,
      refused: new Map(),
    };
    this.#controllers.set(id, controller);
    return controller;
  }
}

/** Quantiles of values; all 0 without values. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The quantiles of the values of points. */
export function quantilesOf(points: readonly Point[]): Quantiles {
  const sorted = Float64Array.from(points, ({ value }) => value).sort();
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return { p50: at(0.5) ?? 0, p99: at(0.99) ?? 0, max: sorted.at(-1) ?? 0 };
}
