import type { EffectRecord, EventRecord, TapHello, TapRecord } from '../../tap/index.js';
import { SecondsHistory } from './history.js';
import {
  durationMs,
  eventView,
  msOf,
  planOf,
  planView,
  statusView,
  vehicleView,
} from './page-views.js';
import { NewestCommands } from './newest-commands.js';
import { PageBacklog } from './page-backlog.js';
import type {
  CommandView,
  EventView,
  MarkKind,
  MarkView,
  PageUpdate,
  PlanView,
  PlaybackView,
  RemoteAgentView,
  StatusView,
  VehicleView,
} from './page-protocol.js';

const keptEvents = 500;

/** A middleware writes its counts once per second; one that writes nothing for this long, ms, is silent. */
const silentMs = 2500;

type Connection = NonNullable<PageUpdate['connection']>;

/** Further effects that a page shows; the others are not decoded. */
const shownEffects: ReadonlySet<string> = new Set([
  'startSignalSent',
  'refuseCommand',
  'replied',
  'missed',
  'safeStop',
  'commandVehicle',
]);

/** What the records of a tap say now, for all pages. */
export class LiveView {
  /** The counts of the middleware; undefined before the first. */
  summary: Extract<TapRecord, { type: 'summary' }>['content'] | undefined;
  /** Records that this observer was too slow for. */
  #lostRecords = 0;
  /** The pages, and whether they may control. */
  readonly #pages = new Map<PageBacklog, boolean>();
  /** The newest of each vehicle; decoded when they are shown. */
  readonly #vehicles = new Map<number, () => VehicleView>();
  readonly #plans = new Map<number, () => PlanView>();
  readonly #commands = new NewestCommands();
  readonly #events: EventView[] = [];
  #remoteAgents: readonly RemoteAgentView[] = [];
  #history = new SecondsHistory();
  #hello: TapHello | undefined;
  #status: StatusView | undefined;
  #playback: PlaybackView | undefined;
  #connection: Connection = 'waiting';
  #problem: string | null = null;
  /** When the last record was read, ms of this process. */
  #recordedAt = 0;
  /** The newest time of the middleware, ms since 1970. */
  #t = 0;
  /** Simulated time only: the last start signal. */
  #start: EffectRecord | undefined;

  /** @param track outline of the track: x and y alternate, metres; empty when it is unknown. */
  constructor(readonly track: readonly number[] = []) {}

  /** A middleware was found. What an earlier one did is forgotten. */
  connected(hello: TapHello): void {
    this.#hello = hello;
    this.#connection = 'connected';
    this.#recordedAt = performance.now();
    this.#vehicles.clear();
    this.#plans.clear();
    this.#commands.clear();
    this.#events.length = 0;
    this.#remoteAgents = [];
    this.#start = undefined;
    this.#history = new SecondsHistory();
    this.#problem = null;
    this.#status = undefined;
    this.#t = 0;
    if (this.#playback !== undefined) this.#lostRecords = 0; // it is read again
    this.reload();
  }

  /** @param problem why the tap of a middleware cannot be read; null: no such problem. */
  failed(problem: string | null): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#set({ problem });
  }

  /** The tap ended: the middleware closed it, or is gone without that. The last counts stay. */
  disconnected(how: 'ended' | 'gone'): void {
    if (this.#connection === 'connected' || this.#connection === 'silent') this.#become(how);
  }

  #become(connection: Connection): void {
    this.#connection = connection;
    this.#set({ connection });
  }

  /** A page that begins with what is known now. */
  open(mayControl: boolean): PageBacklog {
    const page = new PageBacklog();
    this.#pages.set(page, mayControl);
    this.#begin(page, mayControl);
    return page;
  }

  /** All pages begin again with what is known now. */
  reload(): void {
    for (const [page, mayControl] of this.#pages) {
      // Nothing of before is sent, also not the time.
      page.take(0, this.#lostRecords);
      this.#begin(page, mayControl);
    }
  }

  /** The state of the recording that is shown. */
  played(playback: PlaybackView): void {
    this.#playback = playback;
    this.#set({ playback });
  }

  #begin(page: PageBacklog, mayControl: boolean): void {
    page.set({
      begins: true,
      mayControl,
      track: this.track,
      connection: this.#connection,
      problem: this.#problem,
      ...(this.#playback && { playback: this.#playback }),
      ...(this.#status && { status: this.#status }),
      remoteAgents: this.#remoteAgents,
    });
    for (const [id, view] of this.#vehicles) page.vehicle(id, view);
    for (const [id, view] of this.#plans) page.plan(id, view);
    for (const event of this.#events) page.event(event);
  }

  /** What a page does not have yet. */
  take(page: PageBacklog): PageUpdate | undefined {
    const update = page.take(this.#t, this.#lostRecords);
    if (update === undefined || this.#hello?.timeMode !== 'simulated') return update;
    return { ...update, simulatedMs: null, ...simulatedTime(this.#start) };
  }

  /** Records that this observer was too slow for. */
  get lostRecords(): number {
    return this.#lostRecords;
  }

  close(page: PageBacklog): void {
    this.#pages.delete(page);
  }

  /** JSON of a `History`, in parts. */
  historyJson(): Iterable<string> {
    return this.#history.json();
  }

  /** The newest commands of a controller, the newest first. */
  commands(id: number): readonly CommandView[] {
    return this.#commands.of(id);
  }

  /** What is known about the middleware. */
  get connection(): Connection {
    return this.#connection;
  }

  /** Call it several times per second: it notices a middleware that writes nothing. */
  watch(): void {
    // A recording may stand still.
    if (this.#connection !== 'connected' || this.#playback !== undefined) return;
    if (performance.now() - this.#recordedAt > silentMs) this.#become('silent');
  }

  /** The newest states. */
  vehicles(): readonly VehicleView[] {
    return [...this.#vehicles.values()].map((view) => view());
  }

  record(record: TapRecord): void {
    this.#recordedAt = performance.now();
    if (this.#connection === 'silent') this.#become('connected');
    switch (record.type) {
      case 'event':
        this.#event(record);
        break;
      case 'effect':
        this.#effect(record);
        break;
      case 'summary':
        if (this.#hello === undefined) break;
        this.summary = record.content;
        this.#status = statusView(this.#hello, record.content);
        this.#set({ status: this.#status });
        break;
      case 'remoteAgents':
        this.#remoteAgents = record.content.agents;
        this.#set({ remoteAgents: this.#remoteAgents });
        break;
      case 'log':
        this.#logged(eventView(record.content));
        break;
      case 'dropped':
        for (const { count } of record.content.records) this.#lostRecords += count;
        break;
      default:
        break;
    }
  }

  #event(record: EventRecord): void {
    const t = msOf(record.at.realtimeNs);
    this.#t = t;
    if (record.kind === 'vehiclesStopped') this.#vehiclesStopped(record);
    if (record.kind !== 'vehicleState') return;
    const id = record.vehicleId;
    const start = this.#start;
    const view = decodedOnce(() => ({ ...vehicleView(record, t), ...simulatedTime(start) }));
    this.#vehicles.set(id, view);
    const isSimulated = this.#hello?.timeMode === 'simulated';
    this.#each((page) => page.vehicle(id, view, isSimulated));
  }

  #effect(record: EffectRecord): void {
    const t = this.#t;
    if (record.kind === 'sendStartSignal') {
      if (this.#hello?.timeMode === 'simulated') this.#start = record;
      this.#started(durationMs(record.performed.latenessNs));
      return;
    }
    if (record.kind === 'forwardCommand') {
      const id = record.cause.vehicleId;
      this.#planned(id, () => planView(record, t));
      this.#commands.add(id, record.cause, t, true);
      return;
    }
    if (!shownEffects.has(record.kind)) return;
    const { effect } = record;
    switch (effect.kind) {
      case 'startSignalSent':
        this.#started(durationMs(effect.latenessNs));
        break;
      case 'refuseCommand':
        this.#commands.add(effect.id, record.cause, t, false);
        this.#mark('refusal', effect.id);
        break;
      case 'replied': {
        const reply = { id: effect.id, t, ms: durationMs(effect.replyTimeNs) };
        this.#history.reply(reply);
        this.#each((page) => page.reply(reply));
        break;
      }
      case 'missed':
        for (const { id } of effect.misses) this.#mark('miss', id);
        break;
      case 'safeStop':
        this.#mark('stop', effect.id);
        this.#stopped(effect.id);
        break;
      case 'commandVehicle':
        if (effect.cause === 'stop') this.#stopped(effect.id);
        else this.#planned(effect.id, () => planOf(effect.command, t));
        break;
      default:
        break;
    }
  }

  /** Stop commands that another thread of the middleware has sent. */
  #vehiclesStopped({ event }: EventRecord): void {
    if (event.kind !== 'vehiclesStopped') return;
    const ids = event.ids === 'all' ? [...this.#plans.keys()] : event.ids;
    for (const id of ids) this.#stopped(id);
  }

  /** The vehicle does not follow the plan of its controller any more. */
  #stopped(id: number): void {
    const t = this.#t;
    this.#planned(id, () => ({ id, t, kind: 'stop', points: [] }));
  }

  #planned(id: number, plan: () => PlanView): void {
    const start = this.#start;
    const view = decodedOnce(() => ({ ...plan(), ...simulatedTime(start) }));
    this.#plans.set(id, view);
    this.#each((page) => page.plan(id, view));
  }

  #started(latenessMs: number): void {
    const start = { t: this.#t, latenessMs };
    this.#history.start(start);
    this.#each((page) => page.start(start));
  }

  #mark(kind: MarkKind, id: number): void {
    const mark: MarkView = { kind, id, t: this.#t };
    this.#history.mark(mark);
    this.#each((page) => page.mark(mark));
  }

  #logged(event: EventView): void {
    this.#events.push(event);
    if (this.#events.length > keptEvents) this.#events.shift();
    this.#each((page) => page.event(event));
  }

  #set(update: PageUpdate): void {
    this.#each((page) => page.set(update));
  }

  #each(call: (page: PageBacklog) => void): void {
    for (const page of this.#pages.keys()) call(page);
  }
}

/** Simulated time of a start signal. @param start undefined in real time, and before the first. */
function simulatedTime(start: EffectRecord | undefined): Pick<VehicleView, 'simulatedMs'> {
  if (start?.effect.kind !== 'sendStartSignal') return {};
  return { simulatedMs: msOf(start.effect.tNowNs) };
}

/** What was decoded takes the place of the record, which is larger and keeps all bytes that came with it. */
function decodedOnce<T>(decode: () => T): () => T {
  let state: { readonly decode: () => T } | { readonly view: T } = { decode };
  return () => {
    if ('decode' in state) state = { view: state.decode() };
    return state.view;
  };
}
