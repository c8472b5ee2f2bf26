import { createLogUpdate } from 'log-update';
import { renderTable, statusLine, type NodeView } from './node-view.js';

/** Shows how the node is, while it runs. */
export interface Display {
  /** A line that stays, such as one of the log; absent where the display draws nothing over. */
  readonly persist?: (line: string) => void;
  /** Shows the last view, and ends. */
  close(): void;
}

const redrawMs = 250;
const lineMs = 1000;

/** Redraws a table in place, four times a second; for a terminal. */
export function liveTable(view: () => NodeView | undefined): Display {
  const draw = createLogUpdate(process.stdout, { showCursor: true });
  const redraw = () => {
    const now = view();
    if (now !== undefined) draw(renderTable(now));
  };
  const timer = setInterval(redraw, redrawMs);
  return {
    persist(line) {
      draw.persist(line);
      redraw();
    },
    close() {
      clearInterval(timer);
      redraw();
      draw.done();
    },
  };
}

/** Prints a line every second; for files and pipes. */
export function statusLines(view: () => NodeView | undefined): Display {
  const print = () => {
    const now = view();
    if (now !== undefined) process.stdout.write(`${statusLine(now)}\n`);
  };
  const timer = setInterval(print, lineMs);
  return {
    close() {
      clearInterval(timer);
      print();
    },
  };
}
