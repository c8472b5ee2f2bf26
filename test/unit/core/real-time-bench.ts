import {
  type Command,
  defaultCommandRules,
  earlier,
  type RealTimeConfig,
  RealTimeSession,
  type SessionEvent,
} from '../../../src/core/index.js';
import { defaultLatestStart } from '../../../src/core/start-plan.js';
import { SlotWriter } from './slot-writer.js';
import { MS, only, S, TestClocks, type TestEffect, unsupervised, writerOf } from './support.js';

/** Controllers 1 and 2 at 20 Hz. */
const config: RealTimeConfig = {
  vehicleIds: [2, 1],
  activeVehicleIds: [1, 2, 7],
  periodNs: 50n * MS,
  offsetNs: 1n,
  waitForStart: false,
  periods: null,
  overrun: { kind: 'skip' },
  latestStartNs: defaultLatestStart(50n * MS),
  rules: defaultCommandRules,
  readyTimeoutNs: null,
  startTimeoutNs: null,
  listeningNs: 0n,
  ...unsupervised,
  judgeDelayNs: MS,
};

/** A real-time session with clocks and a record of all effects. */
export class RealTimeBench {
  readonly clocks = new TestClocks(1_000n * S, 1_700_000_000n * S + 7n * MS);
  readonly session: RealTimeSession<string, string, Command>;
  readonly log: TestEffect[] = [];
  /** Writes start signals in their slots, as the pacer's thread does. */
  readonly writer = new SlotWriter((event) => this.handle(event));

  constructor(changes: Partial<RealTimeConfig> = {}) {
    this.session = new RealTimeSession({ ...config, ...changes }, this.clocks.read());
  }

  handle(event: SessionEvent<string, string, Command>): readonly TestEffect[] {
    const effects = this.session.handle(event);
    this.log.push(...effects);
    this.writer.take(effects);
    return effects;
  }

  /** Writes what is due, then wakes the session; the effects of both. */
  wake(): readonly TestEffect[] {
    const from = this.log.length;
    this.writer.write(this.clocks.read());
    this.handle({ kind: 'wake', now: this.clocks.read() });
    this.writer.write(this.clocks.read());
    return this.log.slice(from);
  }

  /** Wakes the session at every instant it asks for, up to and including now + `ns`. */
  run(ns: bigint): readonly TestEffect[] {
    const endNs = this.clocks.monotonicNs + ns;
    const from = this.log.length;
    for (let wakes = 0; ; wakes++) {
      const nextNs = this.nextNs();
      if (nextNs === null || nextNs > endNs) break;
      if (wakes > 10_000) throw new Error('the session is woken without end');
      if (nextNs > this.clocks.monotonicNs) this.clocks.monotonicNs = nextNs;
      this.wake();
    }
    this.clocks.monotonicNs = endNs;
    return this.log.slice(from);
  }

  /** The next instant at which the session or the writer has something to do. */
  nextNs(): bigint | null {
    const { wakeAtNs } = this.session;
    const { dueAtNs } = this.writer;
    if (wakeAtNs === null || dueAtNs === null) return wakeAtNs ?? dueAtNs;
    return earlier(wakeAtNs, dueAtNs);
  }

  /** A controller signs in, from the process of this number. */
  ready(id: number, process = id): readonly TestEffect[] {
    const atNs = this.clocks.monotonicNs;
    for (const role of ['ready', 'command'] as const) {
      const guid = writerOf(process, role);
      this.handle({ kind: 'writerChanged', writer: guid, role, joined: true, atNs });
    }
    const writer = writerOf(process);
    return this.handle({
      kind: 'readySignal',
      sourceId: `hlc_${id}`,
      writer,
      receivedAtNs: atNs,
    });
  }

  /** The process of this number is gone; the effects of its last writer. */
  lost(process: number): readonly TestEffect[] {
    const atNs = this.clocks.monotonicNs;
    const leave = (role: 'ready' | 'command') =>
      this.handle({
        kind: 'writerChanged',
        writer: writerOf(process, role),
        role,
        joined: false,
        atNs,
      });
    return [...leave('ready'), ...leave('command')];
  }

  resume(ids: readonly number[] | 'all' = 'all'): readonly TestEffect[] {
    return this.handle({ kind: 'resume', ids, atNs: this.clocks.monotonicNs });
  }

  trigger(nextStartNs: bigint): readonly TestEffect[] {
    return this.handle({
      kind: 'systemTrigger',
      nextStartNs,
      receivedAtNs: this.clocks.monotonicNs,
    });
  }

  /** A command of the process of this number; without it, of the controller's own. */
  command(
    command: Command,
    receivedAtNs = this.clocks.monotonicNs,
    process = command.message.vehicle_id,
  ): readonly TestEffect[] {
    const writer = writerOf(process, 'command');
    const atNs = this.clocks.monotonicNs;
    return this.handle({ kind: 'command', command, writer, receivedAtNs, atNs });
  }

  state(vehicleId: number, createStampNs: bigint, payload: string, speedMps = 0, x = 0): void {
    const sample = { vehicleId, createStampNs, validAfterNs: createStampNs + 60n * MS, payload };
    const receivedAtNs = this.clocks.monotonicNs;
    const motion = { speedMps, pose: { x, y: 0, yaw: 0 }, createStampNs };
    this.handle({ kind: 'vehicleState', sample, motion, receivedAtNs });
  }

  /** Lets both controllers become ready and runs up to the first start signal. */
  start(): bigint {
    this.ready(1);
    this.ready(2);
    return this.nextStart();
  }

  /** Runs up to the next start signal and returns its time. */
  nextStart(): bigint {
    for (let i = 0; i < 10; i++) {
      const nextNs = this.nextNs();
      if (nextNs === null) break;
      if (nextNs > this.clocks.monotonicNs) this.clocks.monotonicNs = nextNs;
      const [signal] = only(this.wake(), 'startSignalSent');
      if (signal) return signal.tNowNs;
    }
    throw new Error('no start signal');
  }
}
