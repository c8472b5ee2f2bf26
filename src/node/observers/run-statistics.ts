import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { commandTopics } from '../../sides/index.js';
import type { Quantiles, RunSummary } from './run-summary.js';
import type { NodeEffect, NodeEvent, Performed, SessionObserver } from './session-observer.js';

interface ControllerCounts {
  replies: number;
  misses: number;
  lateReplies: number;
  refusals: number;
  safeStops: number;
  latched: boolean;
  readonly replyTime: Duration;
}

interface VehicleTrack {
  /** The first finite one, m; not finite: there was none. */
  firstOdometer: number;
  /** Finite, m. */
  distanceM: number;
  states: number;
  stalePeriods: number;
}

/** Counts and distributions of one run, in bounded memory. */
export class RunStatistics implements SessionObserver {
  readonly name = 'statistics';
  startSignals = 0;
  startSignalsRepeated = 0;
  skippedPeriods = 0;
  secondControllers = 0;
  observersRemoved = 0;
  readonly ownCommands = { hold: 0, stop: 0 };
  readonly commandsForwarded = new Counter();
  readonly commandsRefused = new Counter();
  readonly commandsFlagged = new Counter();
  readonly writesFailed = new Counter();
  readonly samplesMalformed = new Counter();
  readonly lateness = new Duration();
  readonly #stalls = new Duration();
  #stallCount = 0;
  readonly #controllers = new Map<number, ControllerCounts>();
  readonly #vehicles = new Map<number, VehicleTrack>();

  constructor(controllerIds: readonly number[]) {
    for (const id of controllerIds) this.#controller(id);
  }

  event(event: NodeEvent): void {
    if (event.kind === 'vehicleState') this.#vehicleSeen(event.sample.vehicleId, event.odometerM);
  }

  effect(effect: NodeEffect, performed: Performed): void {
    switch (effect.kind) {
      case 'sendStartSignal':
        this.startSignals++;
        this.lateness.record(performed.latenessNs);
        break;
      case 'startSignalSent':
        this.startSignals++;
        if (effect.standIn) this.startSignalsRepeated++;
        this.lateness.record(effect.latenessNs);
        break;
      case 'forwardCommand':
        if (performed.written) this.commandsForwarded.add(commandTopics[effect.command.kind].name);
        break;
      case 'refuseCommand':
        this.#refused(effect.id, effect.code);
        break;
      case 'flagCommand':
        for (const { code } of effect.violations) this.commandsFlagged.add(code);
        break;
      case 'replied':
        this.#replied(effect.id, effect.replyTimeNs);
        break;
      case 'lateReply':
        this.#controller(effect.id).lateReplies++;
        break;
      case 'missed':
        for (const { id } of effect.misses) this.#controller(id).misses++;
        break;
      case 'commandVehicle':
        this.ownCommands[effect.cause]++;
        break;
      case 'safeStop':
        this.#controller(effect.id).safeStops++;
        this.#controller(effect.id).latched = effect.latched;
        break;
      case 'resumed':
        this.#controller(effect.id).latched = false;
        break;
      case 'secondController':
        this.secondControllers++;
        break;
      case 'periodsSkipped':
        this.skippedPeriods += effect.count;
        break;
      default:
        break;
    }
  }

  /** @param id of the commanded vehicle, which may have no controller here. */
  #refused(id: number, code: string): void {
    this.commandsRefused.add(code);
    const controller = this.#controllers.get(id);
    if (controller !== undefined) controller.refusals++;
  }

  #replied(id: number, replyTimeNs: bigint): void {
    const controller = this.#controller(id);
    controller.replies++;
    controller.replyTime.record(replyTimeNs);
  }

  #vehicleSeen(id: number, odometerM: number): void {
    let track = this.#vehicles.get(id);
    if (track === undefined) {
      track = { firstOdometer: NaN, distanceM: 0, states: 0, stalePeriods: 0 };
      this.#vehicles.set(id, track);
    }
    track.states++;
    // A vehicle may send any number, and readers of the summary expect finite ones.
    if (!Number.isFinite(track.firstOdometer)) track.firstOdometer = odometerM;
    const distanceM = odometerM - track.firstOdometer;
    if (Number.isFinite(distanceM)) track.distanceM = distanceM;
  }

  staleVehicle(id: number): void {
    const track = this.#vehicles.get(id);
    if (track !== undefined) track.stalePeriods++;
  }

  stalled(stallNs: bigint): void {
    this.#stalls.record(stallNs);
    this.#stallCount++;
  }

  /** @param outputLinesLost of the log and the display of the process. */
  summary(outputLinesLost = 0): RunSummary {
    return {
      periods: this.startSignals + this.skippedPeriods,
      start_signals: this.startSignals,
      start_signals_repeated: this.startSignalsRepeated,
      skipped_periods: this.skippedPeriods,
      event_loop_stalls: this.#stallCount,
      event_loop_stall_max_us: this.#stalls.quantiles().max,
      commands_forwarded: this.commandsForwarded.counts(),
      commands_refused: this.commandsRefused.counts(),
      commands_flagged: this.commandsFlagged.counts(),
      own_commands: { ...this.ownCommands },
      output_lines_lost: outputLinesLost,
      observers_removed: this.observersRemoved,
      second_controllers: this.secondControllers,
      writes_failed: this.writesFailed.counts(),
      samples_malformed: this.samplesMalformed.counts(),
      controllers: byId(this.#controllers, (counts) => ({
        replies: counts.replies,
        misses: counts.misses,
        late_replies: counts.lateReplies,
        commands_refused: counts.refusals,
        safe_stops: counts.safeStops,
        latched: counts.latched,
        reply_time_us: counts.replyTime.quantiles(),
      })),
      start_signal_lateness_us: this.lateness.quantiles(),
      reply_time_us: this.#allReplyTimes().quantiles(),
      vehicles: byId(this.#vehicles, (track) => ({
        distance_m: round(track.distanceM, 3),
        states_received: track.states,
        stale_periods: track.stalePeriods,
      })),
    };
  }

  #allReplyTimes(): Duration {
    const all = new Duration();
    for (const { replyTime } of this.#controllers.values()) all.add(replyTime);
    return all;
  }

  #controller(id: number): ControllerCounts {
    let counts = this.#controllers.get(id);
    if (counts === undefined) {
      counts = {
        replies: 0,
        misses: 0,
        lateReplies: 0,
        refusals: 0,
        safeStops: 0,
        latched: false,
        replyTime: new Duration(),
      };
      this.#controllers.set(id, counts);
    }
    return counts;
  }
}

/** Distribution of a duration, in the constant memory of an HDR histogram. */
class Duration {
  readonly #histogram: RecordableHistogram = createHistogram({ figures: 3 });

  /** Negative durations, which clocks can give, count as the shortest. */
  record(ns: bigint): void {
    // As a number: V8 compiles the call anew for every bigint, and a day is far below 2^53 ns.
    this.#histogram.record(Math.max(1, Number(ns)));
  }

  add(other: Duration): void {
    if (other.#histogram.count > 0) this.#histogram.add(other.#histogram);
  }

  quantiles(): Quantiles {
    if (this.#histogram.count === 0) return { p50: 0, p99: 0, max: 0 };
    return {
      p50: round(this.#histogram.percentile(50) / 1000, 1),
      p99: round(this.#histogram.percentile(99) / 1000, 1),
      max: round(this.#histogram.max / 1000, 1),
    };
  }
}

class Counter {
  readonly #counts = new Map<string, number>();

  add(key: string, count = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}

function byId<T, S>(map: ReadonlyMap<number, T>, each: (value: T) => S): Record<string, S> {
  return Object.fromEntries([...map].sort(([a], [b]) => a - b).map(([id, v]) => [id, each(v)]));
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
