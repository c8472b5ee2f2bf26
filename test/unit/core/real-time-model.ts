import { expect } from 'vitest';
import {
  type Command,
  type ControllerState,
  defaultCommandRules,
  type RealTimeConfig,
  type RealTimeEvent,
  RealTimeSession,
  type StartSlot,
  stopSymbol,
  type VehiclesStoppedEvent,
} from '../../../src/core/index.js';
import { earlier, later } from '../../../src/core/time.js';
import { P, offset, type Happening, intruderOf } from './real-time-happenings.js';
import { allSlots, SlotWriter } from './slot-writer.js';
import {
  loggedOnly,
  MS,
  only,
  S,
  speedCommand,
  TestClocks,
  writerOf,
  type TestEffect,
} from './support.js';

interface Period {
  readonly tNowNs: bigint;
  readonly sentAtNs: bigint;
  readonly dueAtNs: bigint;
  readonly replied: Set<number>;
  /** Who must reply; those in `unsure` changed their state in the very moment of the start. */
  readonly asked: Set<number>;
  readonly unsure: Set<number>;
  judged: boolean;
}

function mayMiss({ asked, unsure, replied }: Period, id: number): boolean {
  return (asked.has(id) || unsure.has(id)) && !replied.has(id);
}

/** What may still happen when a run is over. */
const whileStopping = new Set([
  'commandVehicle',
  'vehicleStopped',
  'vehicleMovesAgain',
  'clockStepped',
  'periodsSkipped',
  'ended',
]);

/** Drives a session, and holds every effect against the invariants. */
export class Model {
  readonly clocks = new TestClocks(1000n * S, 1_700_000_000n * S);
  readonly session: RealTimeSession<string, string, Command>;
  readonly ready = new Set<number>();
  readonly dead = new Set<number>();
  readonly rejoining = new Set<number>();
  readonly periods: Period[] = [];
  readonly forwarded = new Set<string>();
  /** Whose process had its last command forwarded, since the controller was dead. */
  readonly commander = new Map<number, string>();
  readonly stopping = new Set<number>();
  /** Vehicles whose controller is out, and whose commands are forwarded all the same. */
  readonly commandedByOneOut = new Set<number>();
  readonly latched = new Set<number>();
  /** Writes start signals; it stands still only when the whole process does. */
  readonly writer = new SlotWriter((event) => this.handle(event));
  triggered = false;
  clockEpoch = 0;
  skippedSinceStart = 0;
  steppedSinceStart = false;
  /** The run is over: nothing happens but that vehicles are brought to rest. */
  ended = false;
  finished = false;
  last: Extract<RealTimeEvent<string, string, Command>, { kind: 'command' }> | null = null;

  constructor(readonly config: RealTimeConfig) {
    this.session = new RealTimeSession(config, this.clocks.read());
  }

  get strict(): boolean {
    return this.config.rules === defaultCommandRules;
  }

  apply(h: Happening): void {
    const receivedAtNs = this.clocks.monotonicNs;
    const t = this.periods.at(-1)?.tNowNs ?? this.clocks.realtimeNs;
    switch (h.do) {
      case 'pass':
        this.pass(h.ns);
        break;
      case 'tick':
        if (this.nextNs !== null) {
          this.clocks.monotonicNs = later(this.nextNs, this.clocks.monotonicNs);
          this.wake();
        }
        break;
      case 'stall':
        this.clocks.monotonicNs += h.ns;
        this.wake();
        break;
      case 'clockJump':
        this.clocks.aheadNs += h.ns;
        break;
      case 'ready':
        if (h.id < 3) this.ready.add(h.id);
        this.signIn(h.id, h.id);
        break;
      case 'lost':
        // Before the start, the barrier closes again.
        if (this.session.phase.startsWith('waiting')) this.ready.delete(h.id);
        this.leave(h.id);
        break;
      case 'intruderReady':
        if (this.periods.length > 0) this.signIn(h.id, intruderOf(h.id));
        break;
      case 'intruderLost':
        this.leave(intruderOf(h.id));
        break;
      case 'intruderCommand':
        if (this.periods.length > 0) this.command(h.id, t, receivedAtNs, intruderOf(h.id));
        break;
      case 'resume':
        this.handle({ kind: 'resume', ids: h.ids, atNs: receivedAtNs });
        break;
      case 'vehiclesStopped':
        this.stopFromOutside(h.cause, h.ids);
        break;
      case 'vehicleState': {
        const stamp = this.clocks.realtimeNs;
        const times = { createStampNs: stamp, validAfterNs: stamp };
        const sample = { vehicleId: h.id, ...times, payload: '' };
        const pose = { x: 0, y: 0, yaw: 0 };
        const motion = { speedMps: h.speedMps, pose, createStampNs: stamp };
        this.handle({ kind: 'vehicleState', sample, motion, receivedAtNs });
        break;
      }
      case 'command':
        this.command(h.id, t + h.ageNs, receivedAtNs);
        break;
      case 'lateHandOver': {
        const at = receivedAtNs - h.receivedAgoNs;
        const period = this.periods.findLast(({ sentAtNs }) => sentAtNs <= at);
        this.command(h.id, period?.tNowNs ?? t, at);
        break;
      }
      case 'again':
        if (this.last !== null) this.handle({ ...this.last, atNs: receivedAtNs });
        break;
      case 'trigger':
        if (this.session.phase !== 'ended') this.triggered = true;
        this.handle({
          kind: 'systemTrigger',
          nextStartNs: this.clocks.realtimeNs + h.inNs,
          receivedAtNs,
        });
        break;
      case 'stopTrigger':
        this.handle({ kind: 'systemTrigger', nextStartNs: stopSymbol, receivedAtNs });
        expect(this.ended).toBe(true);
        break;
    }
  }

  /** The vehicles were stopped by a guard, or since this program stood still: their controllers are out. */
  stopFromOutside(cause: VehiclesStoppedEvent['cause'], ids: readonly number[] | 'all'): void {
    const wasOver = this.ended;
    const before = this.session.controllers();
    this.handle({ kind: 'vehiclesStopped', cause, ids, sent: [], atNs: this.clocks.monotonicNs });
    const onlyLogged = cause !== 'guard' && this.config.supervision === loggedOnly;
    if (wasOver || onlyLogged) return;
    for (const { id, state } of before) {
      if (ids !== 'all' && !ids.includes(id)) continue;
      if (state !== 'absent') expect(this.takingPart()).not.toContain(id);
    }
  }

  signIn(id: number, process: number): void {
    const atNs = this.clocks.monotonicNs;
    const writer = writerOf(process);
    const sourceId = `hlc_${id}`;
    for (const role of ['ready', 'command'] as const) {
      const guid = writerOf(process, role);
      this.handle({ kind: 'writerChanged', writer: guid, role, joined: true, atNs });
    }
    this.handle({ kind: 'readySignal', sourceId, writer, receivedAtNs: atNs });
  }

  leave(process: number): void {
    const atNs = this.clocks.monotonicNs;
    for (const role of ['ready', 'command'] as const) {
      const writer = writerOf(process, role);
      this.handle({ kind: 'writerChanged', writer, role, joined: false, atNs });
    }
  }

  command(vehicleId: number, createNs: bigint, receivedAtNs: bigint, process = vehicleId): void {
    const command = speedCommand(vehicleId, createNs);
    const writer = writerOf(process, 'command');
    const atNs = this.clocks.monotonicNs;
    this.last = { kind: 'command', command, writer, receivedAtNs, atNs };
    this.handle(this.last);
  }

  /** When the session or the writer has something to do. */
  get nextNs(): bigint | null {
    const { wakeAtNs } = this.session;
    const { dueAtNs } = this.writer;
    return wakeAtNs !== null && dueAtNs !== null
      ? earlier(wakeAtNs, dueAtNs)
      : (wakeAtNs ?? dueAtNs);
  }

  /** Lets time pass, with a wake at every instant that the session asks for. */
  pass(ns: bigint): void {
    const endNs = this.clocks.monotonicNs + ns;
    for (;;) {
      const { nextNs } = this;
      if (nextNs === null || nextNs > endNs) break;
      if (nextNs > this.clocks.monotonicNs) this.clocks.monotonicNs = nextNs;
      this.wake();
    }
    this.clocks.monotonicNs = endNs;
  }

  wake(): void {
    this.writer.write(this.clocks.read());
    this.handle({ kind: 'wake', now: this.clocks.read() });
    this.writer.write(this.clocks.read());
    // A session that wants to be woken in the past would keep its process busy for ever.
    const { wakeAtNs } = this.session;
    if (wakeAtNs !== null) expect(wakeAtNs).toBeGreaterThan(this.clocks.monotonicNs);
  }

  handle(event: RealTimeEvent<string, string, Command>): void {
    const wasEnded = this.ended;
    const effects = this.session.handle(event);
    this.writer.take(effects);
    if (wasEnded) expect(effects.filter(({ kind }) => !whileStopping.has(kind))).toEqual([]);
    // The start signal is written first; what the wake found before it happened before it.
    const reported = effects.filter(
      ({ kind }) => kind === 'clockStepped' || kind === 'periodsSkipped',
    );
    const before = this.takingPart();
    for (const effect of reported) this.observe(effect, event);
    for (const effect of effects) if (!reported.includes(effect)) this.observe(effect, event);
    this.ask(effects, before);
    this.expectSafety(effects);
    if (event.kind === 'command' && !wasEnded) {
      const passed = effects.filter(
        ({ kind }) => kind === 'forwardCommand' || kind === 'refuseCommand',
      );
      expect(passed).toHaveLength(1);
    }
    const longOver = this.periods.at(-3);
    if (longOver !== undefined) this.expectJudged(longOver);
    expect(this.session.phase === 'ended').toBe(this.finished);
    expect(this.session.phase === 'stopping').toBe(this.ended && !this.finished);
    if (this.finished) expect(this.session.wakeAtNs).toBeNull();
  }

  takingPart(): number[] {
    return [0, 1, 2].filter((i) => !this.dead.has(i) && !this.rejoining.has(i));
  }

  /** Whom a start signal asks: all that take part after it, or simply all. */
  ask(effects: readonly TestEffect[], before: readonly number[]): void {
    const period = this.periods.at(-1);
    if (period === undefined || !effects.some(({ kind }) => kind === 'startSignalSent')) return;
    const onlyLogged = this.config.supervision === loggedOnly;
    for (const i of onlyLogged ? [0, 1, 2] : this.takingPart()) period.asked.add(i);
    for (const i of onlyLogged ? [] : before) {
      if (!period.asked.has(i)) period.unsure.add(i);
    }
  }

  /** Who is out leaves no vehicle driving, and does not come back by itself when it is latched. */
  expectSafety(effects: readonly TestEffect[]): void {
    const stops = only(effects, 'commandVehicle').filter(({ cause }) => cause === 'stop');
    const started = effects.some(({ kind }) => kind === 'startSignalSent');
    for (const { command } of stops) expect(command.message).toMatchObject({ speed: 0 });
    for (const i of this.latched) expect(this.takingPart()).not.toContain(i);
    if (!started) return;
    const latched = this.session.controllers().filter((controller) => controller.latched);
    const ids = this.session.controllers().map(({ id }) => id);
    const expected = [...this.latched].filter((id) => ids.includes(id)).sort((a, b) => a - b);
    expect(latched.map((controller) => controller.id)).toEqual(expected);
  }

  changed(changedId: number, to: ControllerState, event: RealTimeEvent<string, string, Command>) {
    const { kind } = event;
    if (to === 'dead') {
      const fromOutside = kind === 'writerChanged' || kind === 'vehiclesStopped';
      const stopped = this.stopping.has(changedId) || fromOutside;
      expect(stopped, 'dead without a reason').toBe(true);
      this.rejoining.delete(changedId);
      this.dead.add(changedId);
      this.commander.delete(changedId);
    } else if (to === 'rejoining') {
      // A ready signal, an answer, or the place of one that is out just now.
      const signs = [
        'readySignal',
        'command',
        'writerChanged',
        'wake',
        'startSent',
        'vehiclesStopped',
      ];
      expect(signs, 'rejoining without a sign of life').toContain(kind);
      expect(this.dead.delete(changedId)).toBe(true);
      this.rejoining.add(changedId);
    } else {
      this.rejoining.delete(changedId);
    }
  }

  observe(effect: TestEffect, event: RealTimeEvent<string, string, Command>): void {
    switch (effect.kind) {
      case 'startSignalSent':
        this.startSignal(effect.tNowNs, effect.latenessNs);
        break;
      case 'prepareStart':
        this.prepared(effect.tNowNs, allSlots(effect.slots));
        break;
      case 'clockStepped':
        this.clockEpoch++;
        this.steppedSinceStart = true;
        break;
      case 'periodsSkipped':
        expect(effect.count).toBeGreaterThan(0);
        this.skippedSinceStart += effect.count;
        if (event.kind === 'startSent') this.excuse();
        break;
      case 'forwardCommand':
        this.forward(effect.command, event);
        break;
      case 'controllerChanged':
        this.changed(effect.id, effect.to, event);
        break;
      case 'safeStop':
        // A guard stops vehicles whose controllers are out, too; others have no controller.
        if (effect.cause !== 'guard' && this.config.vehicleIds.includes(effect.id))
          expect(
            [...this.takingPart(), ...this.commandedByOneOut],
            'a stop of one that is out',
          ).toContain(effect.id);
        this.commandedByOneOut.delete(effect.id);
        this.stopping.add(effect.id);
        if (effect.latched) this.latched.add(effect.id);
        break;
      case 'vehicleStopped':
        expect(this.stopping.delete(effect.id)).toBe(true);
        break;
      case 'vehicleMovesAgain':
        expect(this.stopping.has(effect.id), 'its stop was over').toBe(false);
        break;
      case 'commandVehicle':
        // A vehicle that is pushed, or was commanded in spite of its stop, is stopped again.
        if (effect.cause === 'stop') this.stopping.add(effect.id);
        break;
      case 'resumed':
        // A trigger that came before the last ready signal counts with that.
        expect(event.kind).toBeOneOf(['resume', 'systemTrigger', 'readySignal']);
        if (event.kind === 'readySignal') expect(this.triggered).toBe(true);
        // A vehicle without a controller is resumed at once.
        if (this.config.vehicleIds.includes(effect.id))
          expect(this.rejoining.has(effect.id), 'resumed before it is back').toBe(true);
        expect(this.latched.delete(effect.id)).toBe(true);
        break;
      case 'replied':
        this.replied(effect.id, effect.tNowNs, event);
        break;
      case 'missed':
        this.missed(
          effect.tNowNs,
          effect.misses.map((miss) => miss.id),
        );
        break;
      case 'ended':
        expect(this.finished).toBe(false);
        this.finished = true;
        break;
      case 'ending':
        expect(this.ended).toBe(false);
        this.ended = true;
        if (effect.reason === 'periodsDone') {
          expect(this.periods).toHaveLength(this.config.periods ?? -1);
        }
        break;
      case 'controllersMissing':
        expect(effect.ids).toEqual([0, 1, 2].filter((i) => !this.ready.has(i)));
        break;
      default:
        break;
    }
  }

  /** Slots lie one period apart, within half a period of their grid times, and not past the end. */
  prepared(tNowNs: bigint, slots: readonly StartSlot[]): void {
    expect(slots.length).toBeGreaterThan(0);
    slots.forEach((slot, k) => {
      expect(slot.tNowNs).toBe(tNowNs + BigInt(k) * P);
      expect(slot.notAfterNs - slot.notBeforeNs).toBeLessThanOrEqual(this.config.latestStartNs);
      expect(slot.notAfterNs).toBeGreaterThanOrEqual(this.clocks.monotonicNs);
    });
    const { periods } = this.config;
    if (periods !== null) expect(this.periods.length + slots.length).toBeLessThanOrEqual(periods);
  }

  startSignal(tNowNs: bigint, latenessNs: bigint): void {
    const { realtimeNs, monotonicNs } = this.clocks;
    expect(this.ready.size, 'start signal before the barrier').toBe(3);
    if (this.config.waitForStart) expect(this.triggered).toBe(true);
    expect((tNowNs - offset) % P, 'start time off the grid').toBe(0n);
    // One that was prepared before a step of the wall clock names the time of before the step.
    const errorNs = realtimeNs - tNowNs - latenessNs;
    // While the first one is awaited, the clocks may be read late: a step looks like a drift then.
    if (!this.steppedSinceStart && this.periods.length > 0)
      expect(errorNs <= 20n * MS && errorNs >= -20n * MS, 'lateness').toBe(true);
    expect(
      latenessNs >= 0n && latenessNs <= this.config.latestStartNs,
      'early, or an overrun',
    ).toBe(true);
    const dueAtNs = monotonicNs - latenessNs;
    const before = this.periods.at(-1);
    if (before !== undefined) {
      const least = this.config.latestStartNs > P / 2n ? 0n : P / 2n;
      expect(dueAtNs - before.dueAtNs, 'a burst').toBeGreaterThanOrEqual(least);
      if (!this.steppedSinceStart) {
        const periods = BigInt(this.skippedSinceStart + 1);
        expect(tNowNs - before.tNowNs, 'not one signal per period').toBe(periods * P);
      }
    }
    this.periods.push({
      tNowNs,
      sentAtNs: monotonicNs,
      dueAtNs,
      replied: new Set(),
      asked: new Set(),
      unsure: new Set(),
      judged: false,
    });
    if (this.config.periods !== null) {
      expect(this.periods.length).toBeLessThanOrEqual(this.config.periods);
    }
    this.skippedSinceStart = 0;
    // The one after a start signal that names the time of before a step names that of after it.
    this.steppedSinceStart = errorNs > 20n * MS || errorNs < -20n * MS;
  }

  forward(command: Command, event: RealTimeEvent<string, string, Command>): void {
    const commanded = command.message.vehicle_id;
    if (this.takingPart().includes(commanded)) this.stopping.delete(commanded);
    else this.commandedByOneOut.add(commanded);
    if (!this.strict || event.kind !== 'command') return;
    const { vehicle_id, header } = command.message;
    expect(vehicle_id, 'a vehicle that is not assigned').toBeLessThan(3);
    expect(this.periods.length, 'before the first start signal').toBeGreaterThan(0);
    const out = this.dead.has(vehicle_id) || this.rejoining.has(vehicle_id);
    expect(out, 'a dead controller').toBe(false);
    const name = `${vehicle_id} ${header.create_stamp.nanoseconds} ${this.clockEpoch}`;
    expect(this.forwarded.has(name), 'forwarded twice').toBe(false);
    this.forwarded.add(name);
    const process = (event.writer ?? '').slice(0, 24);
    const commander = this.commander.get(vehicle_id) ?? process;
    expect(process, 'a second process commands').toBe(commander);
    this.commander.set(vehicle_id, process);
  }

  replied(repliedId: number, tNowNs: bigint, event: RealTimeEvent<string, string, Command>): void {
    if (event.kind !== 'command') throw new Error('a reply without a command');
    const { receivedAtNs } = event;
    const period = this.periods.findLast(({ sentAtNs }) => sentAtNs <= receivedAtNs);
    if (period === undefined) throw new Error('a reply to no period');
    expect(period.judged, 'a reply to a period that is judged').toBe(false);
    expect(tNowNs, 'a reply to another period').toBe(period.tNowNs);
    expect(period.replied.has(repliedId), 'two replies in one period').toBe(false);
    if (this.strict && this.clockEpoch === 0) {
      expect(event.command.message.header.create_stamp.nanoseconds).toBeGreaterThanOrEqual(
        tNowNs - this.config.rules.settings.pastToleranceNs,
      );
    }
    period.replied.add(repliedId);
  }

  /** The middleware was held up in the period before the one that begins: it is not judged. */
  excuse(): void {
    const period = this.periods.at(-1);
    if (period !== undefined) period.judged = true;
  }

  missed(tNowNs: bigint, ids: readonly number[]): void {
    // A clock that is set back brings a grid time twice: the period is the one that all of them missed.
    const period = this.periods.find(
      (p) => p.tNowNs === tNowNs && !p.judged && ids.every((i) => mayMiss(p, i)),
    );
    if (period === undefined) throw new Error('a miss in no period');
    const earlier = this.periods.slice(0, this.periods.indexOf(period));
    for (const over of earlier) this.expectJudged(over);
    const last = this.periods.at(-1) === period && this.periods.length !== this.config.periods;
    expect(last, 'judged before the period is over').toBe(false);
    const without = [...period.asked, ...period.unsure].filter((i) => !period.replied.has(i));
    for (const i of ids) expect(without, 'a false alarm').toContain(i);
    for (const i of without) if (!period.unsure.has(i)) expect(ids).toContain(i);
    period.judged = true;
  }

  /** Misses of the period have been reported, or there are none. */
  expectJudged(period: Period): void {
    const all = [...period.asked].every((i) => period.replied.has(i) || period.unsure.has(i));
    expect(period.judged || all, 'a miss that was not reported').toBe(true);
  }

  /** The tallies are those of the periods. */
  finish(): void {
    const report = this.session.controllers();
    for (const { id: reported, replies } of report) {
      expect(replies).toBe(this.periods.filter((p) => p.replied.has(reported)).length);
    }
  }
}
