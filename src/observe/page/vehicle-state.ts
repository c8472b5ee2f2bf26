/** The middleware reports a state of this age as stale, too. */
const staleMs = 1000;

export function isStale(ageMs: number): boolean {
  return ageMs >= staleMs;
}
