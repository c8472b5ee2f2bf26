import { toMs } from '../../core/index.js';
import type { View } from './view.js';

/** What a rule says of a controller, and the facts that it says it from, in a sentence. */
export interface Verdict {
  readonly outcome: 'pass' | 'fail' | 'not-tested';
  readonly evidence: string;
}

/** One rule of a controller, as data: how it is called, how it is judged, what to do about it. */
export interface Rule {
  /** Stable, for scripts. */
  readonly id: string;
  /** What a controller does that passes. */
  readonly title: string;
  /** What to change in one that does not. */
  readonly change: string;
  judge(view: View): Verdict;
}

export function pass(evidence: string): Verdict {
  return { outcome: 'pass', evidence };
}
export function fail(evidence: string): Verdict {
  return { outcome: 'fail', evidence };
}
export function notTested(evidence: string): Verdict {
  return { outcome: 'not-tested', evidence };
}

/** `3 commands`, `1 command`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** A duration for the eye. */
export function ms(ns: bigint): string {
  return `${toMs(ns).toFixed(1)} ms`;
}
