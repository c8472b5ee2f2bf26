/** Now, on the two time lines of supervision; in lock-step both are the simulated time. */
export interface Moment {
  /** For durations, ns: monotonic, which no step of the wall clock moves. */
  readonly steadyNs: bigint;
  /** For the stamps of commands, ns: the wall clock. */
  readonly stampNs: bigint;
}
