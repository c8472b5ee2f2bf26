import { createLogUpdate } from 'log-update';
import { renderTable, statusLine, type NodeView } from '../middleware/node-view.js';
import type { Output } from './output.js';

/** Shows how the node is, while it runs. It does not throw; a fault ends it. */
export interface Display {
  /** A line that stays, such as one of the log; absent where the display draws nothing over. */
  readonly persist?: (line: string) => void;
  /** Shows the last view, and ends. */
  close(): void;
}

export interface DisplayOptions {
  /** Undefined when there is nothing to show. */
  readonly view: () => NodeView | undefined;
  /** Standard output. */
  readonly output: Output;
  /** The display has failed and shows nothing more. */
  readonly onFault: (fault: unknown) => void;
}

const redrawMs = 250;
const lineMs = 1000;

/** Redraws a table in place, four times a second; for a terminal. */
export function liveTable({ view, output, onFault }: DisplayOptions): Display {
  const draw = createLogUpdate(terminalOf(output), { showCursor: true });
  const redraw = () => {
    const now = view();
    if (now !== undefined) draw(renderTable(now));
  };
  const timer = setInterval(() => {
    // A terminal that is held up gets no further drawings, so that memory does not grow.
    if (!output.busy) attempt(redraw);
  }, redrawMs);
  const attempt = fuse(timer, onFault);
  return {
    persist(line) {
      if (attempt(() => draw.persist(line.trimEnd()))) attempt(redraw);
      else output.write(line);
    },
    close() {
      attempt(() => {
        redraw();
        draw.done();
      });
      clearInterval(timer);
    },
  };
}

/** Prints a line every second; for files and pipes. */
export function statusLines({ view, output, onFault }: DisplayOptions): Display {
  const print = () => {
    const now = view();
    if (now !== undefined) output.write(`${statusLine(now)}\n`);
  };
  const timer = setInterval(() => attempt(print), lineMs);
  const attempt = fuse(timer, onFault);
  return {
    close() {
      attempt(print);
      clearInterval(timer);
    },
  };
}

/** What the drawing library needs of a terminal. It shows nothing where the size is 0, which means unknown. */
function terminalOf(output: Output): NodeJS.WriteStream {
  const { stdout } = process;
  return {
    isTTY: stdout.isTTY,
    get columns() {
      return stdout.columns > 0 ? stdout.columns : undefined;
    },
    get rows() {
      return stdout.rows > 0 ? stdout.rows : undefined;
    },
    write: (text: string) => output.write(text),
  } as unknown as NodeJS.WriteStream;
}

/**
 * Draws until the first fault, which ends the display.
 * @returns whether it was drawn.
 */
function fuse(
  timer: NodeJS.Timeout,
  onFault: (fault: unknown) => void,
): (draw: () => void) => boolean {
  let failed = false;
  return (draw) => {
    if (failed) return false;
    try {
      draw();
      return true;
    } catch (fault) {
      failed = true;
      clearInterval(timer);
      onFault(fault);
      return false;
    }
  };
}
