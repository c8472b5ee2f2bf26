import { countOf } from '../../errors/index.js';
import { stateWords } from '../../remote/index.js';
import type { ControllerState } from '../../core/index.js';
import type { Quantiles } from '../observers/run-summary.js';

/** What the table shows at one moment. */
export interface NodeView {
  /** One word for what the node does now. */
  readonly phase: string;
  readonly startSignals: number;
  readonly skippedPeriods: number;
  readonly lateness: Quantiles;
  readonly lastLatenessUs: number;
  readonly controllers: readonly ControllerView[];
}

export interface ControllerView {
  readonly id: number;
  readonly state: ControllerState;
  /** True when it takes part again only after a resume. */
  readonly latched: boolean;
  /** True while its vehicle is being brought to rest. */
  readonly stopping: boolean;
  /** Age of its last reply, ms; undefined before the first. */
  readonly lastReplyAgeMs: number | undefined;
  readonly replies: number;
  readonly misses: number;
}

/** Text of the table; one line per controller. */
export function renderTable(view: NodeView): string {
  const lines = [
    `${stateWords(view.phase)}   start signals ${view.startSignals}   skipped ${view.skippedPeriods}   ` +
      `late by ${ms(view.lastLatenessUs)} (p50 ${ms(view.lateness.p50)}, p99 ${ms(view.lateness.p99)}, max ${ms(view.lateness.max)})`,
    '',
    row('controller', 'state', 'last reply', 'replies', 'misses'),
    ...view.controllers.map((controller) =>
      row(
        String(controller.id),
        stateText(controller),
        controller.lastReplyAgeMs === undefined
          ? '-'
          : `${controller.lastReplyAgeMs.toFixed(0)} ms ago`,
        String(controller.replies),
        String(controller.misses),
      ),
    ),
  ];
  return lines.join('\n');
}

function row(id: string, state: string, last: string, replies: string, misses: string): string {
  return `${id.padStart(10)}  ${state.padEnd(20)}  ${last.padStart(14)}  ${replies.padStart(8)}  ${misses.padStart(8)}`;
}

function stateText({ state, latched, stopping }: ControllerView): string {
  return `${state}${stopping ? ' (stopping)' : latched ? ' (stopped)' : ''}`;
}

function ms(us: number): string {
  return `${(us / 1000).toFixed(3)} ms`;
}

/** The same in one line. */
export function statusLine(view: NodeView): string {
  const controllers = view.controllers.map(
    (controller) =>
      `${controller.id} ${stateText(controller)}, ${countOf(controller.replies, 'reply', 'replies')}, ${countOf(controller.misses, 'miss', 'misses')}`,
  );
  return (
    `${stateWords(view.phase)}: ${countOf(view.startSignals, 'start signal')}, ${view.skippedPeriods} skipped, ` +
    `late by ${ms(view.lastLatenessUs)}; controllers: ${controllers.join('; ')}`
  );
}
