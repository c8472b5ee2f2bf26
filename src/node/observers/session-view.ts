import { nsPerS, toMs, type ClockReading } from '../../core/index.js';
import type { ControlStatus } from '../../remote/index.js';
import type { Clocks } from '../../dds/index.js';
import type { NodeView } from '../middleware/node-view.js';
import type { RunStatistics } from './run-statistics.js';
import type { SampleSession } from '../../tap/index.js';
import type { ReadinessReport } from '../middleware/time-outs.js';
import type { NodeEffect, Performed, SessionObserver } from './session-observer.js';

/** The log names what a session waits for after a similar time, ns. */
const longestStepNs = 2n * nsPerS;

/** What a session does in simulated time from step to step, many times per second. */
const stepPhases: ReadonlySet<string> = new Set(['waitingForTrigger', 'throttled', 'working']);

export interface SessionViewOptions {
  readonly nodeId: string;
  readonly periodNs: bigint;
  readonly session: SampleSession;
  readonly statistics: RunStatistics;
  readonly clocks: Clocks;
}

/** A session as people see it: in the live table, on the control socket, in a diagnosis. */
export class SessionView implements SessionObserver {
  readonly name = 'view';
  /** Source ids of ready signals that do not count; each once, and bounded by the session. */
  readonly #otherIds: string[] = [];
  /** Without a ready signal, as the session last named them. */
  #missing: readonly number[] = [];
  #lastLatenessNs = 0n;
  #lastStartNs: bigint | null = null;
  /** When the last step began, monotonic, ns; null in real time. */
  #steppedAtNs: bigint | null = null;

  constructor(private readonly options: SessionViewOptions) {}

  effect(effect: NodeEffect, performed: Performed, { monotonicNs }: ClockReading): void {
    if (effect.kind === 'sendStartSignal' || effect.kind === 'startSignalSent') {
      this.#lastStartNs = effect.tNowNs;
      if (effect.kind === 'sendStartSignal') this.#steppedAtNs = monotonicNs;
      this.#lastLatenessNs =
        effect.kind === 'startSignalSent' ? effect.latenessNs : performed.latenessNs;
    } else if (effect.kind === 'unknownController') {
      this.#otherIds.push(effect.sourceId);
    } else if (effect.kind === 'controllersMissing' && effect.awaited === 'readySignal') {
      this.#missing = effect.ids;
    }
  }

  /** For the live table. */
  view(): NodeView {
    const { session, statistics, clocks } = this.options;
    const nowNs = clocks.monotonicNs();
    return {
      phase: this.#phaseAt(nowNs),
      startSignals: statistics.startSignals,
      skippedPeriods: statistics.skippedPeriods,
      lateness: statistics.lateness.quantiles(),
      lastLatenessUs: Number(this.#lastLatenessNs) / 1000,
      controllers: session.session.controllers().map((controller) => ({
        id: controller.id,
        state: controller.state,
        latched: controller.latched,
        stopping: controller.stopping,
        lastReplyAgeMs:
          controller.lastReplyAtNs === null ? undefined : toMs(nowNs - controller.lastReplyAtNs),
        replies: controller.replies,
        misses: controller.misses,
      })),
    };
  }

  /** A session whose steps follow each other is running, whichever part of a step it is in. */
  #phaseAt(nowNs: bigint): string {
    const { phase } = this.options.session.session;
    const steppedAtNs = this.#steppedAtNs;
    if (steppedAtNs === null || nowNs - steppedAtNs > longestStepNs) return phase;
    return stepPhases.has(phase) ? 'running' : phase;
  }

  /** For the control socket. */
  status(): ControlStatus {
    const { nodeId, periodNs, session } = this.options;
    const { phase, startSignals, controllers } = this.view();
    return {
      node_id: nodeId,
      pid: process.pid,
      time_mode: session.mode,
      phase,
      time_ns: this.#lastStartNs,
      period_ns: periodNs,
      start_signals: startSignals,
      controllers: controllers.map(({ id, state, latched, stopping, replies, misses }) => ({
        id,
        state,
        latched,
        stopping,
        replies,
        misses,
      })),
    };
  }

  /** For the diagnosis of a wait for ready signals that timed out. */
  readiness(): ReadinessReport {
    return { absent: this.#missing, otherIds: this.#otherIds };
  }
}
