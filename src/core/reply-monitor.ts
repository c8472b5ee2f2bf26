/** The replies of one controller so far. */
export interface ReplyTally {
  /** Periods it replied to. */
  readonly replies: number;
  /** Periods it missed. */
  readonly misses: number;
  /** Misses since its last reply. */
  readonly consecutiveMisses: number;
  /** Answers that came after their period was over. */
  readonly lateReplies: number;
  /** Monotonic instant of its last reply, ns; null before the first. */
  readonly lastReplyAtNs: bigint | null;
}

/** A controller that missed a period. */
export interface Miss {
  readonly id: number;
  /** Misses in a row, this one included. */
  readonly consecutive: number;
}

/** Who missed a period. */
export interface PeriodMisses {
  /** Start time of the period, ns. */
  readonly tNowNs: bigint;
  /** Ascending by id; empty when all replied. */
  readonly misses: readonly Miss[];
}

/** A reply to a period. */
export interface Reply {
  /** Start time of the period, ns. */
  readonly tNowNs: bigint;
  /** From the start signal to the reply, ns. */
  readonly replyTimeNs: bigint;
}

/** A period that replies can belong to. */
export interface OpenPeriod {
  /** Its start time, as sent to the controllers, ns. */
  readonly tNowNs: bigint;
  /** Monotonic instant of its start signal, ns. */
  readonly sentAtNs: bigint;
  /** The least create stamp of an answer to it, ns: its start time, but for clock steps. */
  readonly answersFromNs: bigint;
}

type Turn = 'not-asked' | 'asked' | 'replied';

interface Record {
  tally: Mutable<ReplyTally>;
  /** Create stamp of the newest answer that was counted, ns. */
  answeredNs: bigint | null;
  current: Turn;
  previous: Turn;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Who replied to which period, and who missed it. A period is open until the next one opens. It
 * is judged later still, by {@link judge}, so that replies which were received in time but not
 * yet handed over do not become false misses. A reply belongs to the period in which it was
 * received.
 */
export class ReplyMonitor {
  #records: ReadonlyMap<number, Record>;
  #current: OpenPeriod | null = null;
  #previous: OpenPeriod | null = null;
  /**
   * True when all controllers replied to the previous period, which then has no misses. Commands that were
   * received in that period belong to it until {@link judge}.
   */
  #previousIsJudged = false;
  /** Monotonic instant at which the previous period ended. */
  #boundaryNs = 0n;
  #outstanding = 0;

  /** @param ids the assigned controllers, ascending. */
  constructor(ids: readonly number[]) {
    this.#records = new Map(ids.map((id) => [id, newRecord()]));
  }

  /** Watches a further controller, from the next period on. */
  add(id: number): void {
    const records: [number, Record][] = [...this.#records, [id, newRecord()]];
    this.#records = new Map(records.sort(([a], [b]) => a - b));
  }

  /** How many of those asked have not yet replied to the current period. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** True between {@link open} and {@link close}. */
  get isOpen(): boolean {
    return this.#current !== null;
  }

  /** True while a period is over and not judged. */
  get judgementDue(): boolean {
    return this.#previous !== null && !this.#previousIsJudged;
  }

  /** Those asked who have not yet replied to the current period, ascending. */
  missing(): number[] {
    const ids: number[] = [];
    for (const [id, record] of this.#records) if (record.current === 'asked') ids.push(id);
    return ids;
  }

  /** True when this one has replied to the current period. */
  hasReplied(id: number): boolean {
    return this.#records.get(id)?.current === 'replied';
  }

  /** The tally of an assigned controller; undefined for another id. */
  tally(id: number): ReplyTally | undefined {
    const record = this.#records.get(id);
    return record && { ...record.tally };
  }

  /**
   * The period that something received at this monotonic instant, ns, is held against: the
   * previous one, when it was received in that and it is not judged, else the current one; null
   * when there is none.
   */
  periodAt(receivedAtNs: bigint): OpenPeriod | null {
    const early = this.#previous !== null && receivedAtNs < this.#boundaryNs;
    return early ? this.#previous : this.#current;
  }

  /**
   * Opens a period and closes the one before. Call {@link judge} first when that is due.
   * @param asked whether the start signal asks this controller for a reply.
   */
  open(tNowNs: bigint, sentAtNs: bigint, asked: (id: number) => boolean): void {
    this.close(sentAtNs);
    this.#current = { tNowNs, sentAtNs, answersFromNs: tNowNs };
    for (const [id, record] of this.#records) {
      if (!asked(id)) continue;
      record.current = 'asked';
      this.#outstanding++;
    }
  }

  /**
   * Closes the current period at this monotonic instant, ns; it can then be judged, and is judged already
   * when all replied.
   */
  close(atNs: bigint): void {
    if (this.#current === null) return;
    this.#previous = this.#current;
    this.#current = null;
    this.#boundaryNs = atNs;
    this.#previousIsJudged = this.#outstanding === 0;
    this.#outstanding = 0;
    for (const record of this.#records.values()) {
      if (record.current === 'replied') record.tally.consecutiveMisses = 0;
      record.previous = record.current;
      record.current = 'not-asked';
    }
  }

  /**
   * The period that is over is not judged: the middleware was held up during it, so it cannot say
   * which replies were in time.
   */
  excuse(): void {
    this.#previous = null;
    for (const record of this.#records.values()) record.previous = 'not-asked';
  }

  /** Who missed the period that is over; null when none is to be judged. */
  judge(): PeriodMisses | null {
    const period = this.#previous;
    this.#previous = null;
    if (period === null || this.#previousIsJudged) return null;
    const misses: Miss[] = [];
    for (const [id, record] of this.#records) {
      if (record.previous === 'asked') misses.push({ id, consecutive: countMiss(record) });
      else if (record.previous === 'replied') record.tally.consecutiveMisses = 0;
      record.previous = 'not-asked';
    }
    return { tNowNs: period.tNowNs, misses };
  }

  /**
   * A command that answers the period it was received in.
   * @returns the period and the time from its start signal to the reply, ns; null when the
   *   controller has already replied to it or was not asked, or when the command was received
   *   before the start signal.
   */
  reply(id: number, createStampNs: bigint, receivedAtNs: bigint): Reply | null {
    const period = this.periodAt(receivedAtNs);
    const record = this.#records.get(id);
    if (period === null || record === undefined || receivedAtNs < period.sentAtNs) return null;
    const turn = period === this.#current ? 'current' : 'previous';
    if (record[turn] !== 'asked') return null;
    record[turn] = 'replied';
    record.answeredNs = createStampNs;
    if (turn === 'current') this.#outstanding--;
    record.tally.replies++;
    record.tally.lastReplyAtNs = receivedAtNs;
    return { tNowNs: period.tNowNs, replyTimeNs: receivedAtNs - period.sentAtNs };
  }

  /** A command older than its period: true when it is the late answer to a missed period. */
  late(id: number, createStampNs: bigint): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    const { tally, answeredNs } = record;
    const missed = tally.misses + (record.previous === 'asked' ? 1 : 0);
    if (tally.lateReplies >= missed) return false;
    if (answeredNs !== null && createStampNs <= answeredNs) return false;
    record.answeredNs = createStampNs;
    tally.lateReplies++;
    return true;
  }

  /** No longer waits for this controller's reply to the current period: that is a miss. */
  release(id: number): void {
    const record = this.#records.get(id);
    if (record?.current !== 'asked') return;
    record.current = 'not-asked';
    this.#outstanding--;
    countMiss(record);
  }

  /** The wall clock stepped by this much, ns: stamps before and after cannot be compared. */
  clockStepped(stepNs: bigint): void {
    if (stepNs < 0n) {
      this.#current = movedBack(this.#current, stepNs);
      this.#previous = movedBack(this.#previous, stepNs);
    }
    for (const record of this.#records.values()) record.answeredNs = null;
  }
}

function newRecord(): Record {
  return {
    tally: {
      replies: 0,
      misses: 0,
      consecutiveMisses: 0,
      lateReplies: 0,
      lastReplyAtNs: null,
    },
    answeredNs: null,
    current: 'not-asked',
    previous: 'not-asked',
  };
}

function countMiss({ tally }: Record): number {
  tally.misses++;
  return ++tally.consecutiveMisses;
}

function movedBack(period: OpenPeriod | null, stepNs: bigint): OpenPeriod | null {
  return period && { ...period, answersFromNs: period.answersFromNs + stepNs };
}
