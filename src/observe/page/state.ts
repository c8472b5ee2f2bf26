import { signal } from '@preact/signals';
import type {
  EventView,
  History,
  PageUpdate,
  PlanView,
  PlaybackView,
  RemoteAgentView,
  StatusView,
  VehicleView,
} from '../live/page-protocol.js';
import { askedAtNs } from './asked-at.js';
import { Marks, marksOf } from './marks.js';
import { Series } from './series.js';
import { extendTrail } from './trail.js';
import { ageOf, isPlanOver, isStale, nowOf } from './vehicle-state.js';

const keptEvents = 1000;
const retryMs = 1000;

/** After this time the observer would have said that the middleware is silent. */
const oldAfterMs = 4000;

/** Lost: the observer does not respond. Closed: neither, after the middleware has ended. */
export const connection = signal<PageUpdate['connection'] | 'lost' | 'closed'>('waiting');
/** Why the observer cannot read the middleware. */
export const problem = signal<string | null>(null);
export const status = signal<StatusView | undefined>(undefined);
export const events = signal<readonly ListedEvent[]>([]);
/** Vehicles of other simulations. */
export const remoteAgents = signal<readonly RemoteAgentView[]>([]);
/** Undefined while a running middleware is shown. */
export const playback = signal<PlaybackView | undefined>(undefined);
export const lost = signal(0);
export const mayControl = signal(false);
/** Rises with every update: what is drawn on a canvas follows it. */
export const updates = signal(0);
/** The controller whose page is open. */
export const chosen = signal<number | undefined>(undefined);

/** An event with a number of its own, so that its link keeps the focus while others come. */
export interface ListedEvent extends EventView {
  readonly key: number;
}

/** What changes with every update is kept outside of signals, for the canvas. */
export const world = {
  /** The newest time of the middleware, ms since 1970, and when it came, ms of this page. */
  t: 0,
  receivedAt: 0,
  /** Simulated time of the last start signal, ms; null before the first, undefined in real time. */
  simulatedMs: undefined as number | null | undefined,
  /** When the observer last sent anything, ms of this page. */
  updatedAt: performance.now(),
  /** When it sent the newest update, and when that came. */
  newest: { sentAtMs: 0, receivedAt: 0 },
  vehicles: new Map<number, VehicleView>(),
  /** States per second of each vehicle. */
  rates: new Map<string, number>(),
  /** Points of each vehicle: x and y alternate, metres; NaN, NaN where points between are missing. */
  trails: new Map<number, number[]>(),
  plans: new Map<number, PlanView>(),
  track: [] as readonly number[],
  replies: new Map<number, Series>(),
  starts: new Series(),
  marks: new Marks(),
};

/** When the last status came, ms of this page. */
let statusAt = 0;
/** Rises with each begin: a history that comes after the next one is of something else. */
let begins = 0;
let eventsListed = 0;

function now() {
  return nowOf(world, playback.value, performance.now());
}

function periodMs(): number | null {
  return status.value?.periodMs ?? null;
}

/** A vehicle, the age of its newest state, ms, and whether it says where the vehicle is now. */
export interface SeenVehicle {
  readonly vehicle: VehicleView;
  readonly ageMs: number;
  readonly isOld: boolean;
}

export function seenVehicles(): SeenVehicle[] {
  const at = now();
  return [...world.vehicles.values()].map((vehicle) => {
    const ageMs = ageOf(vehicle, at);
    return { vehicle, ageMs, isOld: !isCurrent() || isStale(ageMs, periodMs()) };
  });
}

/** The vehicles that are being stopped, were stopped, or whose controller is dead. */
export function stoppedIds(): ReadonlySet<number> {
  const all = status.value?.controllers ?? [];
  const stopped = all.filter((each) => each.stopping || each.latched || each.state === 'dead');
  return new Set(stopped.map(({ id }) => id));
}

/** The plans that vehicles follow now. */
export function currentPlans(): PlanView[] {
  if (!isCurrent()) return [];
  const stopped = stoppedIds();
  const at = now();
  return [...world.plans.values()].filter(
    (plan) => !stopped.has(plan.id) && !isPlanOver(plan, at, periodMs()),
  );
}

/** The middleware has ended, and no other one is connected. */
export function isOver(): boolean {
  return connection.value === 'ended' || connection.value === 'closed';
}

/** The vehicles on the page are those of now, or of the time in the recording. */
export function isCurrent(): boolean {
  // A recording may stand still.
  if (playback.value !== undefined) return true;
  return connection.value === 'connected' && updateAgeMs() < oldAfterMs;
}

/** Since the observer last sent anything, ms. */
export function updateAgeMs(): number {
  return performance.now() - world.updatedAt;
}

/** The instant of a request that is made now, for the observer. */
export function askedNow(): { readonly asked_at_ns: string } {
  return { asked_at_ns: askedAtNs(world.newest, performance.now()) };
}

/** Follows the observer for as long as the page is open. */
export function follow(): void {
  const source = new EventSource('/live');
  source.onmessage = ({ data }: MessageEvent<string>) => apply(JSON.parse(data) as PageUpdate);
  source.onerror = () => {
    connection.value = isOver() ? 'closed' : 'lost';
    if (source.readyState === EventSource.CLOSED) {
      source.close();
      setTimeout(follow, retryMs);
    }
  };
}

function forget(): void {
  begins++;
  world.t = 0;
  world.vehicles.clear();
  world.simulatedMs = undefined;
  world.trails.clear();
  world.plans.clear();
  world.replies.clear();
  world.starts = new Series();
  world.marks = new Marks();
  remoteAgents.value = [];
  events.value = [];
}

/** The last hour, before what came since this page was opened. */
async function loadHistory(): Promise<void> {
  const begun = begins;
  const response = await fetch('/history');
  if (!response.ok) return;
  const history = (await response.json()) as History;
  if (begun !== begins) return;
  const firstLive = world.starts.t[0] ?? Number.POSITIVE_INFINITY;
  for (const { id, ms } of history.controllers) {
    prependSeconds(repliesOf(id), history.seconds, ms, firstLive);
  }
  for (const kind of ['miss', 'refusal', 'stop'] as const) {
    world.marks.prepend(kind, marksOf(history, kind, firstLive));
  }
  prependSeconds(world.starts, history.seconds, history.latenessMs, firstLive);
  updates.value++;
}

/** @param before whole seconds before this time, ms. */
function prependSeconds(
  series: Series,
  seconds: History['seconds'],
  values: readonly (number | null)[],
  before: number,
): void {
  const times: number[] = [];
  const known: number[] = [];
  for (const [i, ms] of values.entries()) {
    const t = (seconds[i] ?? 0) * 1000;
    if (ms === null || t + 1000 >= before) continue;
    times.push(t);
    known.push(ms);
  }
  series.prepend(times, known);
}

function apply(update: PageUpdate): void {
  if (update.sentAtMs !== undefined) {
    world.newest = { sentAtMs: update.sentAtMs, receivedAt: performance.now() };
  }
  // What was the last before the middleware became silent is older.
  if (update.connection !== 'silent') world.updatedAt = performance.now();
  if (update.begins) {
    forget();
    void loadHistory();
  }
  if (update.connection !== undefined) connection.value = update.connection;
  if (update.problem !== undefined) problem.value = update.problem;
  if (update.status !== undefined) {
    if (status.value !== undefined) setRates(status.value, update.status);
    status.value = update.status;
    statusAt = performance.now();
  }
  if (update.mayControl !== undefined) mayControl.value = update.mayControl;
  if (update.playback !== undefined) {
    playback.value = update.playback;
    // It continues from here.
    world.receivedAt = performance.now();
  }
  if (update.lost !== undefined) lost.value = update.lost;
  if (update.track !== undefined) world.track = update.track;
  if (update.t !== undefined) {
    world.t = update.t;
    world.receivedAt = performance.now();
  }
  if (update.simulatedMs !== undefined) world.simulatedMs = update.simulatedMs;
  if (update.remoteAgents !== undefined) remoteAgents.value = update.remoteAgents;
  for (const vehicle of update.vehicles ?? []) addVehicle(vehicle);
  for (const plan of update.plans ?? []) world.plans.set(plan.id, plan);
  for (const { id, t, ms } of update.replies ?? []) repliesOf(id).push(t, ms);
  for (const { t, latenessMs } of update.starts ?? []) world.starts.push(t, latenessMs);
  for (const mark of update.marks ?? []) world.marks.push(mark);
  if (update.events !== undefined) {
    const listed = update.events.map((event) => ({ ...event, key: eventsListed++ }));
    events.value = [...events.value, ...listed].slice(-keptEvents);
  }
  updates.value++;
}

/** @param before the counts of about a second before. */
function setRates(before: StatusView, now: StatusView): void {
  const seconds = (performance.now() - statusAt) / 1000;
  for (const [id, count] of Object.entries(now.statesReceived)) {
    world.rates.set(id, Math.max(0, count - (before.statesReceived[id] ?? 0)) / seconds);
  }
}

function addVehicle(vehicle: VehicleView): void {
  const before = world.vehicles.get(vehicle.id);
  world.vehicles.set(vehicle.id, vehicle);
  const trail = world.trails.get(vehicle.id) ?? [];
  world.trails.set(vehicle.id, trail);
  extendTrail(trail, before, vehicle);
}

function repliesOf(id: number): Series {
  const series = world.replies.get(id) ?? new Series();
  world.replies.set(id, series);
  return series;
}
