const controlEnding = '.sock';
const tapEnding = '.tap';

/** The tap beside a control socket: `lab.sock` → `lab.tap`. */
export function tapPathOf(controlSocket: string): string {
  const stem = controlSocket.endsWith(controlEnding)
    ? controlSocket.slice(0, -controlEnding.length)
    : controlSocket;
  return `${stem}${tapEnding}`;
}
