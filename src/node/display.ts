import { createLogUpdate } from 'log-update';
import { renderTable, statusLine, type NodeView } from './node-view.js';
import { openThreadedOutput } from './threaded-output.js';

/** Shows how the node is, while it runs. */
export interface Display {
  /** A line that stays, such as one of the log; absent where the display draws nothing over. */
  readonly persist?: (line: string) => void;
  /** Shows the last view, and ends. */
  close(): Promise<void>;
}

const redrawMs = 250;
const lineMs = 1000;

/** Redraws a table in place, four times a second; for a terminal. */
export function liveTable(view: () => NodeView | undefined): Display {
  const output = openThreadedOutput();
  const draw = createLogUpdate(output as unknown as NodeJS.WriteStream, { showCursor: true });
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
    async close() {
      clearInterval(timer);
      redraw();
      draw.done();
      await output.close();
    },
  };
}

/** Prints a line every second; for files and pipes. */
export function statusLines(view: () => NodeView | undefined): Display {
  const output = openThreadedOutput();
  const print = () => {
    const now = view();
    if (now !== undefined) output.write(`${statusLine(now)}\n`);
  };
  const timer = setInterval(print, lineMs);
  return {
    async close() {
      clearInterval(timer);
      print();
      await output.close();
    },
  };
}
