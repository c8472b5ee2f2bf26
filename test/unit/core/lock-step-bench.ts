import {
  type Command,
  defaultCommandRules,
  type LockStepConfig,
  type LockStepEvent,
  LockStepSession,
  type StepControl,
} from '../../../src/core/index.js';
import { MS, only, S, speedCommand, type TestEffect, unsupervised, writerOf } from './support.js';

export const P = 50n * MS;

/** Controllers 1 and 2, as fast as they reply. */
export const config: LockStepConfig = {
  vehicleIds: [1, 2],
  activeVehicleIds: [1],
  periodNs: P,
  offsetNs: 120n * MS,
  timeSource: { kind: 'self', realTimeFactor: null, untilNs: null },
  periods: null,
  readyTimeoutNs: null,
  startTimeoutNs: null,
  replyTimeout: null,
  rules: defaultCommandRules,
  ...unsupervised,
};

/** The time of step `k`, from 0. */
export const stepTime = (k: number) => config.offsetNs + BigInt(k) * P;

/** A lock-step session with a clock and a record of all effects. */
export class LockStepBench {
  nowNs = 10n * S;
  readonly session: LockStepSession<string, string, Command>;
  readonly log: TestEffect[] = [];

  constructor(changes: Partial<LockStepConfig> = {}) {
    this.session = new LockStepSession({ ...config, ...changes }, this.nowNs);
  }

  handle(event: LockStepEvent<string, string, Command>): readonly TestEffect[] {
    const effects = this.session.handle(event);
    this.log.push(...effects);
    return effects;
  }

  ready(...ids: number[]): readonly TestEffect[] {
    return ids.flatMap((id) => {
      const writer = writerOf(id);
      const atNs = this.nowNs;
      this.handle({ kind: 'writerChanged', writer, role: 'ready', joined: true, atNs });
      const sourceId = `hlc_${id}`;
      return this.handle({ kind: 'readySignal', sourceId, writer, receivedAtNs: atNs });
    });
  }

  reply(id: number, createNs: bigint): readonly TestEffect[] {
    const command = speedCommand(id, createNs);
    const writer = writerOf(id, 'command');
    const receivedAtNs = this.nowNs;
    return this.handle({ kind: 'command', command, writer, receivedAtNs, atNs: receivedAtNs });
  }

  trigger(nextStartNs: bigint): readonly TestEffect[] {
    return this.handle({ kind: 'systemTrigger', nextStartNs, receivedAtNs: this.nowNs });
  }

  resume(ids: readonly number[] | 'all' = 'all'): readonly TestEffect[] {
    return this.handle({ kind: 'resume', ids, atNs: this.nowNs });
  }

  control(control: StepControl): readonly TestEffect[] {
    return this.handle({ kind: 'stepControl', control, atNs: this.nowNs });
  }

  lost(id: number): readonly TestEffect[] {
    const writer = writerOf(id);
    const atNs = this.nowNs;
    return this.handle({ kind: 'writerChanged', writer, role: 'ready', joined: false, atNs });
  }

  /** Wakes the session whenever it wants to, for this long. */
  run(ns: bigint): readonly TestEffect[] {
    const endNs = this.nowNs + ns;
    const from = this.log.length;
    for (let wakes = 0; ; wakes++) {
      const { wakeAtNs } = this.session;
      if (wakeAtNs === null || wakeAtNs > endNs) break;
      if (wakes > 10_000) throw new Error('the session is woken without end');
      if (wakeAtNs > this.nowNs) this.nowNs = wakeAtNs;
      this.handle({ kind: 'wake', now: { monotonicNs: this.nowNs, realtimeNs: 0n } });
    }
    this.nowNs = endNs;
    return this.log.slice(from);
  }

  /** Times of all start signals so far. */
  get times(): bigint[] {
    return only(this.log, 'sendStartSignal').map(({ tNowNs }) => tNowNs);
  }
}
