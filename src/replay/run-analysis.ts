import { toMs, toS } from '../core/index.js';
import { readTap, type TapItem } from '../record/index.js';
import { logText, type TapRecord } from '../tap/index.js';
import { DamageCount, damageTexts, type RecordingDamage } from './recording-damage.js';
import { TimeSeries } from './time-series.js';
import { VehiclePath } from './vehicle-path.js';

/** What one controller did in a run. */
export interface ControllerRun {
  readonly replyMs: TimeSeries;
  /** Periods without a reply, as in the summary. */
  misses: number;
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
  readonly latenessUs: TimeSeries;
  readonly commandsForwarded: number;
  readonly controllers: ReadonlyMap<number, ControllerRun>;
  /** Refused commands for vehicles without a controller here, by the code of the check. */
  readonly otherRefusals: ReadonlyMap<string, number>;
  readonly paths: ReadonlyMap<number, VehiclePath>;
  /** By vehicle, m/s. */
  readonly speeds: ReadonlyMap<number, TimeSeries>;
  readonly log: readonly LogEntry[];
  /** Later entries that are left out. */
  readonly logLeftOut: number;
  /** Records that the recorder was too slow for. */
  readonly dropped: number;
  readonly damage: RecordingDamage;
  /** The middleware ended without closing its tap. */
  readonly wasLost: boolean;
}

/** Why the figures of a run may be too low, in sentences. */
export function noticesOf({ damage, wasLost, dropped }: RunAnalysis): string[] {
  return [
    ...damageTexts(damage),
    ...(wasLost
      ? [
          'The middleware was lost: it was killed, or it failed. The recording is complete up to there.',
        ]
      : []),
    ...(dropped > 0
      ? [`The recorder was too slow for ${dropped} records; figures are too low.`]
      : []),
  ];
}

/** Entries of the log that are kept. */
const mostLogEntries = 5000;

const nsPerUs = 1000;

/**
 * Reads a recording and its further parts. The memory that this takes is bounded, however long the run is.
 * @throws HlcError `HLC_RECORDING_READ`.
 */
export async function analyseRun(file: string): Promise<RunAnalysis> {
  const reader = new RunReader(file);
  for await (const item of readTap(file)) reader.add(item);
  return reader.analysis();
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
  #wasLost = false;
  readonly #damage = new DamageCount();
  readonly #lateness = new TimeSeries();
  readonly #controllers = new Map<number, ControllerRun>();
  readonly #otherRefusals = new Map<string, number>();
  readonly #paths = new Map<number, VehiclePath>();
  readonly #speeds = new Map<number, TimeSeries>();
  #logLeftOut = 0;
  readonly #log: (Omit<LogEntry, 'timeS'> & { atNs: bigint })[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes the next item of the recording. */
  add(item: TapItem): void {
    this.#damage.add(item);
    if (item.kind === 'record') this.#record(item.record);
    if (item.kind !== 'metadata') return;
    const { name, metadata } = item.metadata;
    if (name === 'end') this.#wasLost ||= metadata.get('middleware') === 'lost';
  }

  #record(record: TapRecord): void {
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

  analysis(): RunAnalysis {
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
      controllers: byId(this.#controllers),
      otherRefusals: this.#otherRefusals,
      paths: byId(this.#paths),
      speeds: byId(this.#speeds),
      log: this.#log.map(({ atNs, ...entry }) => ({ ...entry, timeS: toS(atNs - beganAtNs) })),
      logLeftOut: this.#logLeftOut,
      dropped: this.#dropped,
      damage: this.#damage,
      wasLost: this.#wasLost,
    };
  }

  #event({ event }: Extract<TapRecord, { type: 'event' }>): void {
    const firstTNowNs = this.#firstTNowNs;
    if (event.kind !== 'vehicleState' || firstTNowNs === undefined) return;
    const { sample, motion } = event;
    const timeS = toS(sample.createStampNs - firstTNowNs);
    const { x, y } = motion.pose;
    // A vehicle without a position has a pose that is not finite.
    if (Number.isFinite(x) && Number.isFinite(y)) {
      entryOf(this.#paths, sample.vehicleId, () => new VehiclePath()).add({ timeS, x, y });
    }
    if (!Number.isFinite(motion.speedMps)) return;
    const speeds = entryOf(this.#speeds, sample.vehicleId, () => new TimeSeries());
    speeds.add(timeS, motion.speedMps);
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
        this.#controller(effect.id).replyMs.add(timeS, toMs(effect.replyTimeNs));
        return;
      case 'missed':
        for (const { id } of effect.misses) this.#controller(id).misses++;
        return;
      case 'lateReply':
        this.#controller(effect.id).lateReplies++;
        return;
      case 'safeStop':
        this.#controller(effect.id).safeStops++;
        return;
      case 'refuseCommand': {
        const refused = this.#controllers.get(effect.id)?.refused ?? this.#otherRefusals;
        refused.set(effect.code, (refused.get(effect.code) ?? 0) + 1);
        return;
      }
      case 'forwardCommand':
        if (performed.written) this.#forwarded++;
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
    this.#lateness.add(timeS, Number(latenessNs) / nsPerUs);
  }

  #logged(content: Extract<TapRecord, { type: 'log' }>['content']): void {
    if (this.#log.length >= mostLogEntries) {
      this.#logLeftOut++;
      return;
    }
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
    return entryOf(this.#controllers, id, () => ({
      replyMs: new TimeSeries(),
      misses: 0,
      lateReplies: 0,
      safeStops: 0,
      refused: new Map(),
    }));
  }
}

function entryOf<T>(entries: Map<number, T>, id: number, make: () => T): T {
  const known = entries.get(id);
  if (known !== undefined) return known;
  const made = make();
  entries.set(id, made);
  return made;
}

function byId<T>(entries: ReadonlyMap<number, T>): ReadonlyMap<number, T> {
  return new Map([...entries].sort(([a], [b]) => a - b));
}
