import type { SentCommands } from '../stop/supervised-vehicle.js';
import { type ClockReading, later } from '../time.js';
import type { WatchedSession } from './watched-session.js';

/**
 * The sessions that a vehicle obeys instead of this one; they may be silent by now. Newer commands alone do not
 * show that: where a kind of this session comes first in the order of the vehicle, its last command stays in
 * force. The stop of the other one would not cover it.
 */
export function obeyedInstead(
  sessions: Iterable<WatchedSession>,
  id: number,
  session: WatchedSession,
  { monotonicNs }: ClockReading,
): WatchedSession[] {
  const sent = session.sent(id);
  return drivenSince(sessions, id, session).filter((other) =>
    other.outranks(id, sent, monotonicNs),
  );
}

/** The other sessions that commanded a vehicle later than this one. */
export function drivenSince(
  sessions: Iterable<WatchedSession>,
  id: number,
  session: WatchedSession,
): WatchedSession[] {
  const beforeNs = session.drivenAtNs(id) ?? 0n;
  return [...sessions].filter(
    (other) => other !== session && (other.drivenAtNs(id) ?? 0n) > beforeNs,
  );
}

/** What the sessions whose vehicle is held sent to it, all together; null where there is none. */
export function sentTogether(sessions: Iterable<WatchedSession>, id: number): SentCommands | null {
  const holders = [...sessions].filter(({ held }) => held.has(id));
  const [first, ...others] = holders.map((holder) => holder.sent(id));
  return first === undefined ? null : others.reduce(together, first);
}

/** What two programs sent to a vehicle. */
function together(first: SentCommands, second: SentCommands): SentCommands {
  const [a, b] = [first.obeyedUntilNs, second.obeyedUntilNs];
  return {
    kinds: [...new Set([...first.kinds, ...second.kinds])],
    newestCreateNs: later(first.newestCreateNs, second.newestCreateNs),
    newestValidNs: later(first.newestValidNs, second.newestValidNs),
    obeyedUntilNs: a === null || b === null ? null : later(a, b),
  };
}
