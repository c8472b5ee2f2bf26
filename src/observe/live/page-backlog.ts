import type {
  EventView,
  MarkKind,
  MarkView,
  PageUpdate,
  PlanView,
  ReplyView,
  StartView,
  VehicleView,
} from './page-protocol.js';

/** Of each list that waits for a page that does not read; of marks: for each kind. */
const mostReplies = 2000;
const mostStarts = 2000;
const mostMarks = 4000;
const mostEvents = 1000;
/** States of a vehicle that a page gets for its trail, of those between two updates. */
const mostTrailStates = 16;

/**
 * What one page does not have yet. Of states and plans the newest of a vehicle replaces the one before,
 * so a page that was stopped shows the present at once; the lists are bounded, and what they lose is
 * counted.
 */
export class PageBacklog {
  #settings: PageUpdate = {};
  #sent = { t: 0, lost: 0 };
  #vehicles = new Map<number, () => VehicleView>();
  #trails = new Map<number, SparseList<() => VehicleView>>();
  #plans = new Map<number, () => PlanView>();
  readonly #replies = new BoundedList<ReplyView>(mostReplies);
  readonly #starts = new BoundedList<StartView>(mostStarts);
  /** For each kind, because misses may be many and stops are rare. */
  readonly #marks: Record<MarkKind, BoundedList<MarkView>> = {
    miss: new BoundedList(mostMarks),
    refusal: new BoundedList(mostMarks),
    stop: new BoundedList(mostMarks),
  };
  readonly #events = new BoundedList<EventView>(mostEvents);

  /** Replaces what was set before. */
  set(update: PageUpdate): void {
    this.#settings = { ...this.#settings, ...update };
  }

  /**
   * @param view decodes the state; called for the newest one, and for those of the trail.
   * @param withTrail the page also gets states between two updates: a vehicle may drive metres between them.
   */
  vehicle(id: number, view: () => VehicleView, withTrail = false): void {
    this.#vehicles.set(id, view);
    if (!withTrail) return;
    const trail = this.#trails.get(id) ?? new SparseList(mostTrailStates);
    this.#trails.set(id, trail);
    trail.push(view);
  }

  /** @param view decodes the plan; called for the newest one only. */
  plan(id: number, view: () => PlanView): void {
    this.#plans.set(id, view);
  }

  reply(view: ReplyView): void {
    this.#replies.push(view);
  }

  start(view: StartView): void {
    this.#starts.push(view);
  }

  mark(view: MarkView): void {
    this.#marks[view.kind].push(view);
  }

  event(view: EventView): void {
    this.#events.push(view);
  }

  /**
   * What is new since the last call; undefined when nothing is.
   * @param t the newest time of the middleware.
   * @param lostRecords those that the observer was too slow for.
   */
  take(t: number, lostRecords: number): PageUpdate | undefined {
    const lists = {
      vehicles: [...this.#vehicles].map(([id, view]) => this.#withTrail(id, view())),
      plans: [...this.#plans.values()].map((view) => view()),
      replies: this.#replies.take(),
      starts: this.#starts.take(),
      marks: Object.values(this.#marks).flatMap((marks) => marks.take()),
      events: this.#events.take(),
    };
    const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
    const lost = lostRecords + this.#lost;
    const update: PageUpdate = {
      ...this.#settings,
      ...(t !== this.#sent.t && { t }),
      ...(lost !== this.#sent.lost && { lost }),
      ...(Object.fromEntries(filled) as Partial<typeof lists>),
    };
    this.#sent = { t, lost };
    this.#settings = {};
    // In V8 a map that is cleared links what it had to what follows: in old memory all of it would stay.
    this.#vehicles = new Map();
    this.#trails = new Map();
    this.#plans = new Map();
    return Object.keys(update).length === 0 ? undefined : update;
  }

  #withTrail(id: number, vehicle: VehicleView): VehicleView {
    const trail = this.#trails.get(id);
    if (trail === undefined) return vehicle;
    return { ...vehicle, trail: trail.entries.map((view) => view()).flatMap(({ x, y }) => [x, y]) };
  }

  /** Entries of the lists that were lost, in all. */
  get #lost(): number {
    const lists = [this.#replies, this.#starts, this.#events, ...Object.values(this.#marks)];
    return lists.reduce((sum, { lost }) => sum + lost, 0);
  }
}

/** The newest entries. */
class BoundedList<T> {
  readonly #most: number;
  #entries: T[] = [];
  lost = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(entry: T): void {
    this.#entries.push(entry);
    if (this.#entries.length <= this.#most) return;
    // Half at once: not every further entry moves all others.
    this.lost += this.#entries.length;
    this.#entries = this.#entries.slice(-this.#most / 2);
    this.lost -= this.#entries.length;
  }

  take(): T[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

/** Entries that are spread evenly over all that were pushed. */
class SparseList<T> {
  readonly #most: number;
  entries: readonly T[] = [];
  #pushed = 0;
  #step = 1;

  constructor(most: number) {
    this.#most = most;
  }

  push(entry: T): void {
    if (this.#pushed++ % this.#step !== 0) return;
    this.entries = [...this.entries, entry];
    if (this.entries.length <= this.#most) return;
    this.entries = this.entries.filter((_, i) => i % 2 === 0);
    this.#step *= 2;
  }
}
