/** Ends this process with this exit code. */
export function exitNow(code: number): never {
  process.exit(code);
}
