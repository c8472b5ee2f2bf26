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

export const pass = (evidence: string): Verdict => ({ outcome: 'pass', evidence });
export const fail = (evidence: string): Verdict => ({ outcome: 'fail', evidence });
export const notTested = (evidence: string): Verdict => ({ outcome: 'not-tested', evidence });

/** `3 commands`, `1 command`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** A duration for the eye. */
export const ms = (ns: bigint): string => `${toMs(ns).toFixed(1)} ms`;
