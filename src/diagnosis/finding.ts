import type { QosMismatch } from './qos-match.js';

/**
 * - `nothingHeard`: no participant at all on the domain;
 * - `unanswered`: participants announce themselves, and no address that can be reached;
 * - `nobodyWrites`: participants are heard, and none of them has what is awaited;
 * - `nothingSent`: who could send what is awaited is heard, and has not sent it;
 * - `otherIds`: ready signals came, from ids that are not ours;
 * - `typeMismatch`: an endpoint of one of our topics has another type;
 * - `qosMismatch`: an endpoint of one of our topics has QoS that does not fit;
 * - `wrongSide`: who is heard on this domain belongs to the other side;
 * - `sameControllerId`, `sameNodeId`: an id that two processes use.
 */
export type FindingKind =
  | 'nothingHeard'
  | 'unanswered'
  | 'nobodyWrites'
  | 'nothingSent'
  | 'otherIds'
  | 'typeMismatch'
  | 'qosMismatch'
  | 'wrongSide'
  | 'sameControllerId'
  | 'sameNodeId';

/** Something that keeps the middleware and others from working together. */
export interface Finding {
  readonly kind: FindingKind;
  readonly domainId: number;
  /** What was found; begins small and has no full stop, so that it can stand within a sentence. */
  readonly what: string;
  /** What to do about it, in the same form. */
  readonly advice: string;
  /** The topic that it is about. */
  readonly topic?: string;
  /** GUID prefixes of the participants that it is about. */
  readonly participants?: readonly string[];
  /** Source ids of the ready signals that it is about. */
  readonly sourceIds?: readonly string[];
  /** Types of the topic: what was heard, and what the middleware has. */
  readonly types?: { readonly heard: string; readonly ours: string };
  /** The policies that do not fit, with both values. */
  readonly mismatches?: readonly QosMismatch[];
}
