const controlEnding = '.sock';
const tapEnding = '.tap';

/** The tap beside a control socket: `lab.sock` → `lab.tap`. */
export function tapPathOf(controlSocket: string): string {
  const stem = controlSocket.endsWith(controlEnding)
    ? controlSocket.slice(0, -controlEnding.length)
    : controlSocket;
  return `${stem}${tapEnding}`;
}

/** Socket of a reader that waits for a tap: `lab.tap` → `lab.tap.123`. */
export function waitingReaderPath(tap: string, pid: number): string {
  return `${tap}.${pid}`;
}

/** True for a file that {@link waitingReaderPath} gives for this tap. */
export function isWaitingReader(tap: string, file: string): boolean {
  return file.startsWith(`${tap}.`) && /^\d{1,10}$/.test(file.slice(tap.length + 1));
}
