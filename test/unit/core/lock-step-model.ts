import { expect } from 'vitest';
import {
  type Command,
  type ControllerState,
  defaultCommandRules,
  type LockStepConfig,
  type LockStepEvent,
  LockStepSession,
  stopSymbol,
} from '../../../src/core/index.js';
import { P, offset, ids, type Happening } from './lock-step-happenings.js';
import { only, S, speedCommand, writerOf, type TestEffect } from './support.js';

/** What may still happen when a run is over. */
const whileStopping = new Set(['commandVehicle', 'vehicleStopped', 'vehicleMovesAgain', 'ended']);

/** Drives a session, and holds every effect against the invariants. */
export class Model {
  nowNs = 10n * S;
  readonly session: LockStepSession<string, string, Command>;
  readonly ready = new Set<number>();
  readonly dead = new Set<number>();
  readonly rejoining = new Set<number>();
  readonly latched = new Set<number>();
  readonly forwarded = new Set<string>();
  readonly signedIn = new Set<bigint>();
  readonly triggers = new Set<bigint>();
  /** Who must reply before time may move on. */
  readonly owed = new Set<number>();
  steps = 0;
  readonly stepsAtNs: bigint[] = [];
  /** Steps that may still begin, or the last time that may; null: no limit. */
  left: number | null = null;
  untilNs: bigint | null = null;
  /** The run is over: nothing happens but that vehicles are brought to rest. */
  ended = false;
  finished = false;
  last: LockStepEvent<string, string, Command> | null = null;

  constructor(readonly config: LockStepConfig) {
    this.session = new LockStepSession(config, this.nowNs);
  }

  get strict(): boolean {
    return this.config.rules === defaultCommandRules;
  }

  get drops(): boolean {
    return this.config.replyTimeout?.policy === 'drop';
  }

  /** Time of the next step. */
  get wantedNs(): bigint {
    return offset + BigInt(this.steps) * P;
  }

  apply(h: Happening): void {
    switch (h.do) {
      case 'pass':
        this.pass(h.ns);
        break;
      case 'ready':
        if (ids.includes(h.id)) this.ready.add(h.id);
        this.handle({
          kind: 'writerChanged',
          writer: writerOf(h.id),
          role: 'ready',
          joined: true,
          atNs: this.nowNs,
        });
        this.handle({
          kind: 'readySignal',
          sourceId: `hlc_${h.id}`,
          writer: writerOf(h.id),
          receivedAtNs: this.nowNs,
        });
        break;
      case 'lost':
        // Before the first step, the barrier closes again.
        if (this.steps === 0) this.ready.delete(h.id);
        this.handle({
          kind: 'writerChanged',
          writer: writerOf(h.id),
          role: 'ready',
          joined: false,
          atNs: this.nowNs,
        });
        break;
      case 'resume':
        this.handle({ kind: 'resume', ids: 'all', atNs: this.nowNs });
        break;
      case 'guardStop':
        this.handle({
          kind: 'vehiclesStopped',
          cause: 'guard',
          ids: [h.id],
          sent: [],
          atNs: this.nowNs,
        });
        break;
      case 'command':
        this.command(h.id, this.wantedNs - P + h.aheadNs);
        break;
      case 'allReply':
        for (const i of [...this.owed]) this.command(i, this.wantedNs - P);
        break;
      case 'again':
        if (this.last !== null) this.handle(this.last);
        break;
      case 'control':
        this.left = h.control.kind === 'step' ? h.control.count : null;
        if (h.control.kind === 'pause') this.left = 0;
        this.untilNs = h.control.kind === 'runUntil' ? h.control.tNs : null;
        this.handle({ kind: 'stepControl', control: h.control, atNs: this.nowNs });
        break;
      case 'trigger': {
        const nextStartNs = this.wantedNs + BigInt(h.periods) * P;
        this.triggers.add(nextStartNs);
        this.handle({ kind: 'systemTrigger', nextStartNs, receivedAtNs: this.nowNs });
        break;
      }
      case 'stopTrigger':
        this.handle({
          kind: 'systemTrigger',
          nextStartNs: stopSymbol,
          receivedAtNs: this.nowNs,
        });
        expect(this.ended).toBe(true);
        break;
    }
  }

  changed(id: number, to: ControllerState, event: LockStepEvent<string, string, Command>): void {
    if (to === 'dead') {
      const dropped = this.drops && event.kind === 'wake';
      const fromOutside = event.kind === 'writerChanged' || event.kind === 'vehiclesStopped';
      expect(dropped || fromOutside, 'dead without a reason').toBe(true);
      this.rejoining.delete(id);
      this.dead.add(id);
      if (this.drops) this.owed.delete(id);
    } else if (to === 'rejoining') {
      const signs = ['readySignal', 'command'];
      expect(signs, 'rejoining without a sign of life').toContain(event.kind);
      expect(this.dead.delete(id)).toBe(true);
      this.rejoining.add(id);
      this.owed.delete(id);
    } else {
      expect(this.latched.has(id), 'back without a resume').toBe(false);
      this.rejoining.delete(id);
    }
  }

  command(vehicleId: number, createNs: bigint): void {
    const command = speedCommand(vehicleId, createNs);
    this.last = {
      kind: 'command',
      command,
      writer: writerOf(vehicleId, 'command'),
      receivedAtNs: this.nowNs,
      atNs: this.nowNs,
    };
    this.handle(this.last);
  }

  pass(ns: bigint): void {
    const endNs = this.nowNs + ns;
    for (;;) {
      const { wakeAtNs } = this.session;
      if (wakeAtNs === null || wakeAtNs > endNs) break;
      if (wakeAtNs > this.nowNs) this.nowNs = wakeAtNs;
      this.handle({ kind: 'wake', now: { monotonicNs: this.nowNs, realtimeNs: 0n } });
      const next = this.session.wakeAtNs;
      if (next !== null) expect(next).toBeGreaterThan(this.nowNs);
    }
    this.nowNs = endNs;
  }

  handle(event: LockStepEvent<string, string, Command>): void {
    const wasEnded = this.ended;
    const effects = this.session.handle(event);
    if (wasEnded) expect(effects.filter(({ kind }) => !whileStopping.has(kind))).toEqual([]);
    for (const effect of effects) this.observe(effect, event);
    expect(only(effects, 'sendStartSignal').length).toBeLessThanOrEqual(1);
    if (event.kind === 'command' && !wasEnded) {
      expect(
        effects.filter(({ kind }) => kind === 'forwardCommand' || kind === 'refuseCommand'),
      ).toHaveLength(1);
    }
    this.expectProgress();
  }

  /** A step is over with the very event that ends it: nothing is left to be polled. */
  expectProgress(): void {
    const { phase } = this.session;
    expect(phase === 'ended').toBe(this.finished);
    expect(phase === 'stopping').toBe(this.ended && !this.finished);
    if (phase !== 'working') return;
    const someone = ids.some((i) => !this.dead.has(i) && !this.latched.has(i));
    expect(this.owed.size === 0 && someone, 'a step that should be over').toBe(false);
  }

  observe(effect: TestEffect, event: LockStepEvent<string, string, Command>): void {
    switch (effect.kind) {
      case 'sendStartSignal':
        this.startSignal(effect.tNowNs);
        break;
      case 'signIn':
        expect(effect.nextStartNs).toBe(this.wantedNs);
        expect(this.owed.size === 0 || this.steps === 0, 'signed in during a step').toBe(true);
        this.signedIn.add(effect.nextStartNs);
        break;
      case 'forwardCommand':
        this.forward(effect.command);
        break;
      case 'replied': {
        if (event.kind !== 'command') throw new Error('a reply without a command');
        const createNs = event.command.message.header.create_stamp.nanoseconds;
        expect(effect.tNowNs).toBe(this.wantedNs - P);
        if (this.strict) expect(createNs, 'an answer to another step').toBe(effect.tNowNs);
        expect(this.owed.delete(effect.id), 'a reply that is not awaited').toBe(true);
        break;
      }
      case 'replyTimeout':
        expect(effect.ids).toEqual([...this.owed].sort((a, b) => a - b));
        break;
      case 'controllerChanged':
        this.changed(effect.id, effect.to, event);
        break;
      case 'safeStop':
        if (effect.latched) this.latched.add(effect.id);
        break;
      case 'resumed':
        // A vehicle without a controller is resumed at once.
        if (this.config.vehicleIds.includes(effect.id))
          expect(this.rejoining.has(effect.id), 'resumed before it is back').toBe(true);
        this.latched.delete(effect.id);
        break;
      case 'controllersMissing':
        if (effect.awaited === 'readySignal') {
          expect(effect.ids).toEqual(ids.filter((i) => !this.ready.has(i)));
        } else {
          const owed = this.owed.size > 0 ? [...this.owed].sort((a, b) => a - b) : ids;
          expect(effect.ids).toEqual(owed);
        }
        break;
      case 'missed':
        throw new Error('there are no misses in lock-step');
      case 'ended':
        expect(this.finished).toBe(false);
        this.finished = true;
        break;
      case 'ending':
        expect(this.ended).toBe(false);
        this.ended = true;
        if (effect.reason === 'periodsDone') expect(this.steps).toBe(this.config.periods);
        break;
      default:
        break;
    }
  }

  startSignal(tNowNs: bigint): void {
    const { timeSource, periods } = this.config;
    expect(this.ready.size, 'start signal before the barrier').toBe(3);
    expect([...this.owed], 'time moved on without a reply').toEqual([]);
    expect(tNowNs, 'a step left out or repeated').toBe(this.wantedNs);
    expect(this.left, 'a step in spite of the pause').not.toBe(0);
    if (this.untilNs !== null) expect(tNowNs).toBeLessThanOrEqual(this.untilNs);
    if (timeSource.kind === 'lab') {
      expect(this.signedIn.has(tNowNs), 'a step without sign-in').toBe(true);
      expect(this.triggers.has(tNowNs), 'a step without its trigger').toBe(true);
    } else {
      if (timeSource.untilNs !== null) expect(tNowNs).toBeLessThanOrEqual(timeSource.untilNs);
      const before = this.stepsAtNs.at(-2);
      if (timeSource.realTimeFactor !== null && before !== undefined) {
        // One step may be caught up, so it takes two to see the spacing.
        const spacingNs = P / BigInt(timeSource.realTimeFactor);
        expect(this.nowNs - before, 'faster than allowed').toBeGreaterThanOrEqual(spacingNs);
      }
    }
    if (periods !== null) expect(this.steps).toBeLessThan(periods);
    this.steps++;
    if (this.left !== null) this.left--;
    this.stepsAtNs.push(this.nowNs);
    for (const i of ids) {
      // Those that rejoin do so with this very step, unless they are held.
      const served = this.rejoining.has(i) ? !this.latched.has(i) : !this.dead.has(i);
      if (served || (!this.drops && this.dead.has(i))) this.owed.add(i);
    }
  }

  forward(command: Command): void {
    if (!this.strict) return;
    const { vehicle_id, header } = command.message;
    expect(ids, 'a vehicle that is not assigned').toContain(vehicle_id);
    expect(this.steps, 'before the first start signal').toBeGreaterThan(0);
    const out = this.dead.has(vehicle_id) || this.rejoining.has(vehicle_id);
    expect(out, 'a dead controller').toBe(false);
    const createNs = header.create_stamp.nanoseconds;
    expect(createNs, 'not an answer to this step').toBe(this.wantedNs - P);
    const name = `${vehicle_id} ${createNs}`;
    expect(this.forwarded.has(name), 'forwarded twice').toBe(false);
    this.forwarded.add(name);
  }
}
