import { stateWords } from '../../remote/index.js';
import { DiagnosticLevel, type DiagnosticStatus } from '../../ros2/index.js';
import type { ControllerView, NodeView } from './node-view.js';

/** What is known of the node at one moment. */
export interface NodeCondition {
  /** Full name of the node. */
  readonly name: string;
  /** Of the life cycle, for example `active`. */
  readonly state: string;
  /** Why the last command of the life cycle was not done, or the last session failed. */
  readonly failure: string | undefined;
  /** Undefined when there is no session. */
  readonly view: NodeView | undefined;
  /** In real time; null in simulated time, where silence has no duration. */
  readonly periodNs: bigint | null;
  /** Periods that were skipped within the last second. */
  readonly skippedLately: number;
}

type Finding = Pick<DiagnosticStatus, 'level' | 'message'>;

/** A late controller that did not reply for more periods than this is silent. */
const silentAfterPeriods = 3;

/** What the states of a controller mean to who watches the node. */
const findings: Record<ControllerView['state'], Finding> = {
  absent: { level: DiagnosticLevel.stale, message: 'no ready signal yet' },
  ready: { level: DiagnosticLevel.ok, message: 'replies' },
  working: { level: DiagnosticLevel.ok, message: 'replies' },
  late: { level: DiagnosticLevel.warn, message: 'late' },
  dead: { level: DiagnosticLevel.error, message: 'gone, dropped or stopped' },
  rejoining: { level: DiagnosticLevel.warn, message: 'back, not served yet' },
};

/** The statuses of `/diagnostics`: one for the node, and one for each controller of its session. */
export function nodeDiagnostics(condition: NodeCondition): readonly DiagnosticStatus[] {
  const hardwareId = condition.name.replace(/^\//, '');
  const { view, periodNs } = condition;
  const status = (part: string, finding: Finding, values: DiagnosticStatus['values']) => ({
    ...finding,
    name: `${hardwareId}: ${part}`,
    hardwareId,
    values,
  });
  const controllers = (view?.controllers ?? []).map((controller) =>
    status(
      `controller ${controller.id}`,
      controllerFinding(controller, periodNs),
      controllerValues(controller),
    ),
  );
  return [status('middleware', nodeFinding(condition), nodeValues(condition)), ...controllers];
}

/** What is worth telling at once when it changes: levels and messages, not figures. */
export function diagnosticsKey(statuses: readonly DiagnosticStatus[]): string {
  return statuses.map(({ level, name, message }) => `${level} ${name} ${message}`).join('\n');
}

function nodeFinding({ state, failure, view, skippedLately }: NodeCondition): Finding {
  if (failure !== undefined) return { level: DiagnosticLevel.error, message: failure };
  if (view === undefined) return { level: DiagnosticLevel.ok, message: state };
  if (skippedLately === 0) return { level: DiagnosticLevel.ok, message: stateWords(view.phase) };
  return {
    level: DiagnosticLevel.warn,
    message: `${stateWords(view.phase)}, late for whole periods`,
  };
}

function nodeValues({ state, view }: NodeCondition): Readonly<Record<string, string>> {
  if (view === undefined) return { state };
  const { phase, startSignals, skippedPeriods, lateness } = view;
  return {
    state,
    phase,
    start_signals: String(startSignals),
    skipped_periods: String(skippedPeriods),
    lateness_p50_us: lateness.p50.toFixed(1),
    lateness_p99_us: lateness.p99.toFixed(1),
    lateness_max_us: lateness.max.toFixed(1),
  };
}

function controllerFinding(controller: ControllerView, periodNs: bigint | null): Finding {
  const { state, latched, stopping, lastReplyAgeMs } = controller;
  if (stopping) return { level: DiagnosticLevel.error, message: 'its vehicle is being stopped' };
  if (latched) return { level: DiagnosticLevel.error, message: 'stopped until it is resumed' };
  if (state === 'late' && isSilent(controller, periodNs)) {
    return { level: DiagnosticLevel.stale, message: 'silent' };
  }
  const hasBegun = lastReplyAgeMs !== undefined || (state !== 'ready' && state !== 'working');
  return hasBegun ? findings[state] : { level: DiagnosticLevel.ok, message: 'ready' };
}

function isSilent({ lastReplyAgeMs }: ControllerView, periodNs: bigint | null): boolean {
  if (periodNs === null) return false;
  const longestMs = (silentAfterPeriods * Number(periodNs)) / 1e6;
  return lastReplyAgeMs === undefined || lastReplyAgeMs > longestMs;
}

function controllerValues(controller: ControllerView): Readonly<Record<string, string>> {
  const { state, lastReplyAgeMs, replies, misses } = controller;
  return {
    state,
    replies: String(replies),
    misses: String(misses),
    last_reply_age_ms: lastReplyAgeMs === undefined ? 'none' : lastReplyAgeMs.toFixed(0),
  };
}
