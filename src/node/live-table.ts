import { createLogUpdate } from 'log-update';
import type { ControllerState } from '../core/index.js';
import type { Quantiles } from './run-statistics.js';

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
  /** Age of its last reply, ms; undefined before the first. */
  readonly lastReplyAgeMs: number | undefined;
  readonly replies: number;
  readonly misses: number;
}

/** Text of the table; one line per controller. */
export function renderTable(view: NodeView): string {
  const lines = [
    `${view.phase}   start signals ${view.startSignals}   skipped ${view.skippedPeriods}   ` +
      `late by ${ms(view.lastLatenessUs)} (p50 ${ms(view.lateness.p50)}, p99 ${ms(view.lateness.p99)}, max ${ms(view.lateness.max)})`,
    '',
    row('controller', 'state', 'last reply', 'replies', 'misses'),
    ...view.controllers.map((controller) =>
      row(
        String(controller.id),
        controller.state,
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
  return `${id.padStart(10)}  ${state.padEnd(10)}  ${last.padStart(14)}  ${replies.padStart(8)}  ${misses.padStart(8)}`;
}

function ms(us: number): string {
  return `${(us / 1000).toFixed(3)} ms`;
}

const redrawMs = 250;

/** Redraws the table in place on a terminal, four times a second. */
export class LiveTable {
  readonly #draw: ReturnType<typeof createLogUpdate>;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly view: () => NodeView,
    stream: NodeJS.WriteStream = process.stdout,
  ) {
    this.#draw = createLogUpdate(stream, { showCursor: true });
    this.#timer = setInterval(() => this.#redraw(), redrawMs);
  }

  /** A line that stays, above the table. */
  persist(line: string): void {
    this.#draw.persist(line);
    this.#redraw();
  }

  /** Draws it for the last time. */
  close(): void {
    clearInterval(this.#timer);
    this.#redraw();
    this.#draw.done();
  }

  #redraw(): void {
    this.#draw(renderTable(this.view()));
  }
}
