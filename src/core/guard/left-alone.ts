import type { StandStill } from '../stop/stand-still.js';
import type { ClockReading } from '../time.js';
import { drivenSince, obeyedInstead } from './several-sessions.js';
import type { WatchedSession } from './watched-session.js';

/** A vehicle that would have no stop any more when the guard fails. */
export interface LeftAlone {
  readonly id: number;
  /** Of the middleware that drove it. */
  readonly sourceId: string;
  /** The commands that make it stand still at once. */
  readonly standStill: () => readonly StandStill[];
}

/**
 * When the guard fails: the vehicles that it holds, and those of a middleware whose status is overdue, unless
 * another middleware drives them. An error in the rules of one vehicle does not concern the others.
 */
export function leftAlone(sessions: readonly WatchedSession[], now: ClockReading): LeftAlone[] {
  return sessions.flatMap((session) => {
    const overdue = session.isOverdue(now.monotonicNs) ? session.atRisk : [];
    const ids = [...session.held, ...overdue.filter((id) => !isDriven(sessions, id, session, now))];
    const { sourceId } = session.report;
    return ids.map((id) => ({
      id,
      sourceId,
      standStill: () => standStill(sessions, id, session, now),
    }));
  });
}

/** True when another middleware that lives commanded the vehicle since this one. */
function isDriven(
  sessions: readonly WatchedSession[],
  id: number,
  session: WatchedSession,
  { monotonicNs }: ClockReading,
): boolean {
  const others = drivenSince(sessions, id, session);
  return others.some((other) => other.isAlive && !other.isOverdue(monotonicNs));
}

/** Where another session drove the vehicle later, this one knows no place of it. */
function standStill(
  sessions: readonly WatchedSession[],
  id: number,
  session: WatchedSession,
  now: ClockReading,
): readonly StandStill[] {
  const all = session.standStill(id, now);
  if (obeyedInstead(sessions, id, session, now).length === 0) return all;
  return all.filter(({ command }) => command.kind !== 'trajectory');
}
