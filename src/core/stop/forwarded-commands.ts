import { type Command, createStampOf, validAfterOf } from '../command.js';
import { later, type Moment } from '../time.js';
import type { VehicleProfile } from '../vehicle-obedience.js';

/** Commands of one kind that are kept; a controller has a few on their way, seldom those of a second. */
const mostPerKind = 64;

type Kind = Command['kind'];

/** A command as it was forwarded. */
export interface Forwarded {
  readonly command: Command;
  readonly at: Moment;
  /** From this steady instant on the vehicle may obey it, ns. */
  readonly validFromNs: bigint;
}

/**
 * What was forwarded to one vehicle. Instants are steady, so a step of the wall clock changes nothing
 * of it; stamps are those of the commands.
 */
export class ForwardedCommands {
  readonly #profile: VehicleProfile;
  readonly #byKind = new Map<Kind, Forwarded[]>();
  #newestCreateNs = -1n;
  #newestValidNs = -1n;

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

  /** A command went to the vehicle. */
  add(command: Command, at: Moment): void {
    const list = this.#byKind.get(command.kind) ?? [];
    this.#byKind.set(command.kind, list);
    const aheadNs = validAfterOf(command) - at.stampNs;
    list.push({ command, at, validFromNs: at.steadyNs + later(aheadNs, 0n) });
    forgetPast(list, at.steadyNs);
    this.stamped(createStampOf(command), validAfterOf(command));
  }

  /** A command with these stamps went to the vehicle, ns. */
  stamped(createNs: bigint, validNs: bigint): void {
    this.#newestCreateNs = later(this.#newestCreateNs, createNs);
    this.#newestValidNs = later(this.#newestValidNs, validNs);
  }

  /** All kinds of command that were ever forwarded. */
  get kinds(): Kind[] {
    return [...this.#byKind.keys()];
  }

  /** The kinds that are in force now or later by the profile, in its order of kinds. */
  kindsInForce(nowNs: bigint): Kind[] {
    return this.#profile.kinds.filter((kind) =>
      (this.#byKind.get(kind) ?? []).some((forwarded) => this.#mayBeObeyed(forwarded, nowNs)),
    );
  }

  /** The newest command of a kind whose time has come; else the newest that is to come. */
  newest(kind: Kind, nowNs: bigint): Forwarded | null {
    const list = this.#byKind.get(kind) ?? [];
    const current = list.findLast(({ validFromNs }) => validFromNs <= nowNs);
    return current ?? list.at(-1) ?? null;
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

  /** True when a command waits for its time to come. */
  hasPending(nowNs: bigint): boolean {
    return [...this.#byKind.values()].some((list) =>
      list.some(({ validFromNs }) => validFromNs > nowNs),
    );
  }

  /** The stamps from which commands hold whose time is to come, ns, each once, the latest first. */
  pendingStamps(nowNs: bigint): bigint[] {
    const pending = [...this.#byKind.values()].flatMap((list) =>
      list.filter(({ validFromNs }) => validFromNs > nowNs),
    );
    const stamps = new Set(pending.map(({ command }) => validAfterOf(command)));
    return [...stamps].sort((a, b) => (a < b ? 1 : -1));
  }

  /** The last instant at which the vehicle may obey a command, ns; null: it obeys for ever. */
  obeyedUntil({ validFromNs }: Forwarded): bigint | null {
    const { timeoutNs } = this.#profile;
    return timeoutNs === null ? null : validFromNs + timeoutNs;
  }

  #mayBeObeyed(forwarded: Forwarded, nowNs: bigint): boolean {
    const untilNs = this.obeyedUntil(forwarded);
    return untilNs === null || nowNs <= untilNs;
  }
}

/**
 * Removes what matters no more: commands that a newer one has replaced, and that end no later than that.
 * Long-lived commands are also what the garbage collector spends its time on.
 */
function forgetPast(list: Forwarded[], nowNs: bigint): void {
  const current = list.findLastIndex(({ validFromNs }) => validFromNs <= nowNs);
  const currentFromNs = list[current]?.validFromNs ?? 0n;
  let kept = 0;
  for (const [index, forwarded] of list.entries()) {
    if (index < current && forwarded.validFromNs <= currentFromNs) continue;
    list[kept++] = forwarded;
  }
  list.length = kept;
  if (list.length > mostPerKind) list.splice(0, list.length - mostPerKind);
}
