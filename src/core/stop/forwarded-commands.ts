import { type Command, createStampOf, validAfterOf } from '../command.js';
import { earlier, later, type Moment, nsPerS } from '../time.js';
import type { VehicleProfile } from '../vehicle-obedience.js';
import { Plan } from './plan.js';

/**
 * Commands of one kind that are kept whole. Where more are in force or wait for their time, every second
 * one that waits is forgotten; its stamp is not.
 */
const mostPerKind = 1024;

/** So few times to come are not worth tidying. */
const fewestPending = 8;

/** Times to come that are kept, the nearest ones: commands at 100 Hz for 160 s ahead. */
const mostPending = 16_384;

/** Times to come that are given at once, the nearest ones. */
const mostAtOnce = 1024;

/** The longest time for which a command outranks earlier stamps, ns: the wall clock may have stepped back. */
const longestRankNs = nsPerS;

type Kind = Command['kind'];

/** A command as it was forwarded. */
export interface Forwarded {
  readonly command: Command;
  readonly at: Moment;
  /** From this steady instant on the vehicle may obey it, ns. */
  readonly validFromNs: bigint;
  /** The instant of its valid-after stamp, steady, ns: the time-out of the vehicle may count from then. */
  readonly stampedFromNs: bigint;
  /** Its create stamp, ns; -1 where the content is not known. */
  readonly rankNs: bigint;
  /** Null where it is no trajectory. */
  readonly plan: Plan | null;
}

/** The plan of a command; null where it is no trajectory. */
export function planOf(command: Command): Plan | null {
  return command.kind === 'trajectory' ? new Plan(command.message.trajectory_points) : null;
}

/** The time of a plan at a steady instant, ns: a step of the wall clock does not move it. */
export function planTime({ at }: Forwarded, nowNs: bigint): bigint {
  return at.stampNs + (nowNs - at.steadyNs);
}

/** The time of a command whose time is to come. */
interface Pending {
  /** Steady, ns. */
  readonly validFromNs: bigint;
  /** Valid-after stamp, ns. */
  readonly stampNs: bigint;
  /** Of the last command with this time, in the order of their forwarding. */
  number: number;
}

/** The commands of one kind: in the order of their forwarding, but for those that are outranked, see `insert`. */
interface Kept {
  list: Forwarded[];
  /** The list is tidied when it has this length. */
  tidyAt: number;
}

/**
 * What was forwarded to one vehicle. Instants are steady, so a step of the wall clock changes nothing
 * of it; stamps are those of the commands.
 */
export class ForwardedCommands {
  readonly #profile: VehicleProfile;
  readonly #byKind = new Map<Kind, Kept>();
  /** The keys of the map. */
  readonly #kinds: Kind[] = [];
  /** The times of commands that are to come, each once, and some of the past; the nearest one first. */
  #pending: Pending[] = [];
  /** Times of the past are removed when there are this many. */
  #tidyPendingAt = 0;
  #pendingUntilNs = -1n;
  #lastNumber = 0;
  #newestCreateNs = -1n;
  #newestValidNs = -1n;
  /** When the last command went out. */
  #lastAt: Moment = { steadyNs: 0n, stampNs: 0n };

  constructor(profile: VehicleProfile) {
    this.#profile = profile;
  }

  /** Highest create stamp of all, ns; -1 when there is none. */
  get newestCreateNs(): bigint {
    return this.#newestCreateNs;
  }

  /** Highest valid-after stamp of all, ns; -1 when there is none. */
  get newestValidNs(): bigint {
    return this.#newestValidNs;
  }

  /**
   * A command went to the vehicle.
   * @param rankNs vehicles obey the command of a kind with the highest one, ns.
   */
  add(command: Command, at: Moment, rankNs = createStampOf(command)): void {
    const kept = this.#keptOf(command.kind);
    const stampNs = validAfterOf(command);
    const stampedFromNs = at.steadyNs + stampNs - at.stampNs;
    const validFromNs = later(stampedFromNs, at.steadyNs);
    const plan = planOf(command);
    insert(kept.list, { command, at, validFromNs, stampedFromNs, rankNs, plan });
    if (kept.list.length >= kept.tidyAt) tidy(kept, at.steadyNs);
    this.awaits(stampNs, at);
    this.stamped(createStampOf(command), validAfterOf(command));
    if (at.steadyNs >= this.#lastAt.steadyNs) this.#lastAt = at;
  }

  /** A command that went to the vehicle holds from this stamp on, ns. */
  awaits(stampNs: bigint, at: Moment): void {
    const validFromNs = at.steadyNs + stampNs - at.stampNs;
    if (validFromNs > at.steadyNs) this.#pend(validFromNs, stampNs, at.steadyNs);
  }

  /** A command with these stamps went to the vehicle, ns. */
  stamped(createNs: bigint, validNs: bigint): void {
    this.#newestCreateNs = later(this.#newestCreateNs, createNs);
    this.#newestValidNs = later(this.#newestValidNs, validNs);
  }

  /** All kinds of command that were ever forwarded. */
  get kinds(): readonly Kind[] {
    return this.#kinds;
  }

  /**
   * The kinds that are in force now or later by the profile, in its order of kinds; with them those that
   * were in force when the last command went out. The commands of one reply belong together: where its time
   * ends between two of them, a vehicle with a longer time-out than the declared one obeys the first.
   */
  kindsInForce(nowNs: bigint): Kind[] {
    const isOver = this.#kindsAt(nowNs).length === 0;
    return isOver ? [] : this.#kindsAt(earlier(nowNs, this.#lastAt.steadyNs));
  }

  /** The newest command of a kind whose time has come; else the newest that is to come. */
  newest(kind: Kind, nowNs: bigint): Forwarded | null {
    const list = this.#listOf(kind);
    // A loop, not `findLast`: this runs for every emergency sample, and a closure costs memory.
    for (let i = list.length - 1; i >= 0; i--) {
      const forwarded = list[i];
      if (forwarded !== undefined && forwarded.validFromNs <= nowNs) return forwarded;
    }
    return list.at(-1) ?? null;
  }

  /** The command that the vehicle obeys now, as far as can be known; null when it obeys none. */
  obeyed(nowNs: bigint): Forwarded | null {
    for (const kind of this.#profile.kinds) {
      const forwarded = this.newest(kind, nowNs);
      if (forwarded === null || forwarded.validFromNs > nowNs) continue;
      if (this.#mayBeObeyed(forwarded, nowNs)) return forwarded;
    }
    return null;
  }

  /** The command that the vehicle obeyed when the last one went out; null when it obeyed none. */
  lastObeyed(nowNs: bigint): Forwarded | null {
    return this.obeyed(earlier(nowNs, this.#lastAt.steadyNs));
  }

  /** True when a command waits for its time to come. */
  hasPending(nowNs: bigint): boolean {
    return this.#pendingUntilNs > nowNs;
  }

  /** Number of the last command whose time was to come when it went out; 0 when there was none. */
  get lastPending(): number {
    return this.#lastNumber;
  }

  /**
   * The stamps from which commands hold whose time is to come, ns, each once, the latest first. Only the nearest
   * ones where there are many.
   * @param since those that were forwarded after the command with this number, and those that are near.
   * @param nearNs up to this stamp they are near, ns.
   */
  pendingStamps(nowNs: bigint, since: number, nearNs: bigint): bigint[] {
    const stamps: bigint[] = [];
    for (let i = this.#placeAfter(nowNs); i < this.#pending.length; i++) {
      const pending = this.#pending[i];
      if (pending === undefined || stamps.length === mostAtOnce) break;
      const { stampNs, number } = pending;
      if (stampNs > nearNs && since === this.#lastNumber) break;
      if (stampNs > nearNs && number <= since) continue;
      if (stampNs !== stamps.at(-1)) stamps.push(stampNs);
    }
    return stamps.reverse();
  }

  /**
   * The first instant at which the vehicle may brake by itself, ns; null: it obeys for ever. Its time-out counts
   * from the stamp, which a slow controller takes from the start signal.
   */
  obeyedUntil({ stampedFromNs, validFromNs }: Forwarded): bigint | null {
    const { timeoutNs } = this.#profile;
    return timeoutNs === null ? null : later(stampedFromNs + timeoutNs, validFromNs);
  }

  /** True when the vehicle may brake by itself, as far as one kind of commands says. */
  mayHaveTimedOut(kind: Kind, nowNs: bigint): boolean {
    const newest = this.newest(kind, nowNs);
    const untilNs = newest && this.obeyedUntil(newest);
    return untilNs !== null && nowNs > untilNs;
  }

  /** True for a command after whose time-out one of another kind held: the vehicle has obeyed that one. */
  isOutlived({ command, validFromNs }: Forwarded, nowNs: bigint): boolean {
    const { timeoutNs } = this.#profile;
    if (timeoutNs === null || this.#kinds.length < 2) return false;
    const isObeyed = (other: Forwarded) =>
      other.validFromNs > validFromNs + timeoutNs && other.validFromNs <= nowNs;
    return this.#kinds.some((kind) => kind !== command.kind && this.#listOf(kind).some(isObeyed));
  }

  /**
   * The next command of a kind of which the vehicle obeys none now, since the time of none has come, or since
   * it has obeyed another kind after the last one; null where there is none.
   */
  waiting(kind: Kind, nowNs: bigint): Forwarded | null {
    const list = this.#listOf(kind);
    let next: Forwarded | null = null;
    let current: Forwarded | null = null;
    for (const forwarded of list) {
      if (forwarded.validFromNs <= nowNs) current = forwarded;
      else if (next === null || forwarded.validFromNs < next.validFromNs) next = forwarded;
    }
    return next !== null && (current === null || this.isOutlived(current, nowNs)) ? next : null;
  }

  /** True when the vehicle follows a trajectory, may do so, or will: it has not left the last one. */
  hasPlan(nowNs: bigint): boolean {
    if (this.newest('trajectory', nowNs) === null) return false;
    return !this.hasLeft('trajectory', nowNs) || this.waiting('trajectory', nowNs) !== null;
  }

  /** True when the vehicle has obeyed another kind since the time-out of this one. */
  hasLeft(kind: Kind, nowNs: bigint): boolean {
    const last = this.newest(kind, nowNs);
    return last !== null && this.isOutlived(last, nowNs);
  }

  /** True when the vehicle obeys one kind before another. */
  precedes(kind: Kind, other: Kind): boolean {
    const { kinds } = this.#profile;
    return kinds.indexOf(kind) < kinds.indexOf(other);
  }

  #kindsAt(nowNs: bigint): Kind[] {
    return this.#profile.kinds.filter((kind) =>
      this.#listOf(kind).some((forwarded) => this.#mayBeObeyed(forwarded, nowNs)),
    );
  }

  #pend(validFromNs: bigint, stampNs: bigint, nowNs: bigint): void {
    this.#pendingUntilNs = later(this.#pendingUntilNs, validFromNs);
    this.#lastNumber++;
    const number = this.#lastNumber;
    const place = this.#placeAfter(validFromNs);
    // The two clocks are read one after the other: the same stamp may come out a little earlier or later.
    const around = [this.#pending[place - 1], this.#pending[place]];
    const same = around.find((pending) => pending?.stampNs === stampNs);
    if (same !== undefined) {
      same.number = number;
      return;
    }
    this.#pending.splice(place, 0, { validFromNs, stampNs, number });
    if (this.#pending.length < this.#tidyPendingAt) return;
    this.#pending = this.#pending.slice(this.#placeAfter(nowNs)).slice(0, mostPending);
    this.#tidyPendingAt = 2 * Math.max(this.#pending.length, fewestPending);
  }

  /** Index of the first pending time after this instant. */
  #placeAfter(ns: bigint): number {
    let from = 0;
    let to = this.#pending.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#pending[middle]?.validFromNs ?? ns) > ns) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #keptOf(kind: Kind): Kept {
    let kept = this.#byKind.get(kind);
    if (kept === undefined) {
      kept = { list: [], tidyAt: 0 };
      this.#byKind.set(kind, kept);
      this.#kinds.push(kind);
    }
    return kept;
  }

  #listOf(kind: Kind): readonly Forwarded[] {
    return this.#byKind.get(kind)?.list ?? [];
  }

  /** Another vehicle may count its time-out from the arrival of the command. */
  #mayBeObeyed({ validFromNs }: Forwarded, nowNs: bigint): boolean {
    const { timeoutNs } = this.#profile;
    return timeoutNs === null || nowNs <= validFromNs + timeoutNs;
  }
}

/**
 * Puts a command after those that were forwarded before it; but before those of the last second that
 * have a later create stamp, since vehicles go on to obey these.
 */
function insert(list: Forwarded[], forwarded: Forwarded): void {
  const sinceNs = forwarded.at.steadyNs - longestRankNs;
  let place = list.length;
  for (; place > 0; place--) {
    const before = list[place - 1];
    if (before === undefined || before.rankNs <= forwarded.rankNs) break;
    if (before.at.steadyNs < sinceNs) break;
  }
  if (place === list.length) list.push(forwarded);
  else list.splice(place, 0, forwarded);
}

/**
 * Removes what matters no more: commands that a newer one has replaced, and that end no later than that.
 * Long-lived commands are also what the garbage collector spends its time on.
 */
function tidy(kept: Kept, nowNs: bigint): void {
  const { list } = kept;
  const current = list.findLastIndex(({ validFromNs }) => validFromNs <= nowNs);
  const currentFromNs = list[current]?.validFromNs ?? 0n;
  kept.list = list.filter(
    ({ validFromNs }, index) => index >= current || validFromNs > currentFromNs,
  );
  if (kept.list.length > mostPerKind) {
    kept.list = kept.list.filter(
      ({ validFromNs }, index) => validFromNs <= nowNs || index % 2 === 0,
    );
  }
  // The cost per command stays the same. Kept longer, the commands of a large fleet would fill the memory.
  kept.tidyAt = 2 * kept.list.length;
}
