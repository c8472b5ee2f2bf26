/**
 * Which steps of simulated time may begin:
 * - `open`: all;
 * - `paused`: none;
 * - `steps`: this many;
 * - `until`: those up to and including this time, ns.
 */
export type StepGate =
  | { readonly kind: 'open' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'steps'; readonly left: number }
  | { readonly kind: 'until'; readonly tNs: bigint };

/** The requests of a user about simulated time. */
export type StepControl =
  /** Begin no further step; the one under way is finished, without a time-out. */
  | { readonly kind: 'pause' }
  /** Go on. */
  | { readonly kind: 'resume' }
  /** Begin this many further steps, 1 or more, then pause. */
  | { readonly kind: 'step'; readonly count: number }
  /** Begin the steps up to and including this time, ns, then pause. */
  | { readonly kind: 'runUntil'; readonly tNs: bigint };

/** The gate after a control. */
export function controlledGate(control: StepControl): StepGate {
  switch (control.kind) {
    case 'pause':
      return { kind: 'paused' };
    case 'resume':
      return { kind: 'open' };
    case 'step':
      return { kind: 'steps', left: control.count };
    case 'runUntil':
      return { kind: 'until', tNs: control.tNs };
  }
}

/** Whether the step of this time, ns, may begin. */
export function mayBegin(gate: StepGate, tNs: bigint): boolean {
  switch (gate.kind) {
    case 'open':
      return true;
    case 'paused':
      return false;
    case 'steps':
      return gate.left > 0;
    case 'until':
      return tNs <= gate.tNs;
  }
}

/** The gate after a step has begun. */
export function passedGate(gate: StepGate): StepGate {
  return gate.kind === 'steps' ? { kind: 'steps', left: gate.left - 1 } : gate;
}
