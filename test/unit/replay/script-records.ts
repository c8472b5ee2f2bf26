import {
  type Command,
  defaultCommandRules,
  type RealTimeConfig,
  type SupervisionRule,
} from '../../../src/core/index.js';
import { topics } from '../../../src/messages/index.js';
import { encodeCommand } from '../../../src/sides/index.js';
import {
  FrameWriter,
  keptPriority,
  type ObservedEffect,
  type ObservedEvent,
  RecordReader,
  type TapRecord,
  tapVersion,
} from '../../../src/tap/index.js';

export const periodNs = 50_000_000n;

/** The time of a start signal, ns: late enough for plans that begin before it. */
export function tNowOf(step: number): bigint {
  return BigInt(step + 20) * periodNs + 1n;
}

/** Makes the records of a tap of a run in simulated time. */
export class ScriptRecords {
  readonly #frames = new FrameWriter();
  readonly #reader = new RecordReader();
  readonly records: TapRecord[] = [];
  #number = 0n;
  #atNs = 1_000_000_000n;

  /** @param vehicleIds of the controllers. */
  constructor(vehicleIds: readonly number[], mode: 'real' | 'simulated' = 'simulated') {
    const clock = { monotonicNs: this.#atNs, realtimeNs: this.#atNs };
    this.#plain('hello', {
      format: 'hlc-middleware tap',
      version: tapVersion,
      nodeId: 'lab <1>',
      timeMode: mode,
      compat: 'none',
      domains: { lab: 0, controllers: 1 },
      controlSocket: '/tmp/x.sock',
      cyclone: '0.10.2',
      node: 'v20',
      clock,
    });
    const rule: SupervisionRule = {
      policy: 'log',
      missLimit: 1,
      graceNs: 0n,
      holdPeriods: 1,
      resume: 'manual',
      stopAfterNs: null,
    };
    const config: Pick<RealTimeConfig, 'vehicleIds' | 'periodNs' | 'rules'> = {
      vehicleIds,
      periodNs,
      rules: defaultCommandRules,
    };
    const supervision = { rules: [{ ids: vehicleIds, rule }] };
    const settings = { mode, config: { ...config, supervision } };
    this.#plain('session', { settings, now: clock, nextEvent: 0n });
  }

  /** Start signal number `step`, and the commands that answer it. */
  step(step: number, commands: readonly Command[], replyNs = 2_000_000n): this {
    const tNowNs = tNowOf(step);
    const zero = topics.vehicleStateList.codec.zero();
    const sample = topics.vehicleStateList.codec.encode({ ...zero, t_now: tNowNs });
    const start = { tNowNs, periodNs, activeVehicleIds: [], states: [], observations: [] };
    this.#step({ kind: 'systemTrigger', nextStartNs: tNowNs, receivedAtNs: this.#atNs }, [
      { effect: { kind: 'sendStartSignal', ...start }, sample },
    ]);
    this.#atNs += replyNs;
    for (const command of commands) {
      const id = command.message.vehicle_id;
      const received = { ...command, bytes: encodeCommand(command), writerGuid: '0'.repeat(32) };
      this.#step(
        {
          kind: 'command',
          command: received as never,
          writer: '0'.repeat(32),
          receivedAtNs: this.#atNs,
          atNs: this.#atNs,
        },
        [
          { effect: { kind: 'forwardCommand', command: received as never } },
          { effect: { kind: 'replied', id, tNowNs, replyTimeNs: replyNs } },
        ],
      );
    }
    this.#atNs += periodNs - replyNs;
    return this;
  }

  /** The controller did not answer this start signal. */
  missed(step: number, id: number): this {
    const tNowNs = tNowOf(step);
    const now = { monotonicNs: this.#atNs, realtimeNs: this.#atNs };
    const misses = [{ id, consecutive: 1 }];
    this.#step({ kind: 'wake', now }, [{ effect: { kind: 'missed', tNowNs, misses } }]);
    return this;
  }

  /** The controllers did not answer this start signal in time: the session ends. */
  replyTimedOut(step: number, ids: readonly number[]): this {
    const tNowNs = tNowOf(step);
    const now = { monotonicNs: this.#atNs, realtimeNs: this.#atNs };
    this.#step({ kind: 'wake', now }, [{ effect: { kind: 'replyTimeout', tNowNs, ids } }]);
    return this;
  }

  /** A command that a check refused. */
  refused(command: Command): this {
    const id = command.message.vehicle_id;
    const received = { ...command, bytes: encodeCommand(command), writerGuid: null } as never;
    const at = { receivedAtNs: this.#atNs, atNs: this.#atNs };
    const code = 'HLC_COMMAND_UNKNOWN_VEHICLE';
    const effect = { kind: 'refuseCommand', id, code, violations: [], command: received } as const;
    this.#step({ kind: 'command', command: received, writer: null, ...at }, [{ effect }]);
    return this;
  }

  /** A state of a vehicle on its way along x. */
  state(vehicleId: number, step: number, x: number): this {
    const stamp = { nanoseconds: tNowOf(step) };
    const zero = topics.vehicleState.codec.zero();
    const bytes = topics.vehicleState.codec.encode({
      ...zero,
      vehicle_id: vehicleId,
      header: { create_stamp: stamp, valid_after_stamp: stamp },
      pose: { x, y: 0, yaw: 0 },
      speed: 1,
    });
    this.#step({ kind: 'vehicleState', bytes, receivedAtNs: this.#atNs } as never, []);
    return this;
  }

  /** An entry of the log. */
  log(content: {
    level: number;
    msg: string;
    code?: string;
    mark?: string;
    controller?: number;
  }): this {
    this.#plain('log', { time: 'now', ...content });
    return this;
  }

  #step(
    event: ObservedEvent,
    effects: readonly { readonly effect: ObservedEffect; readonly sample?: Uint8Array }[],
  ): void {
    const at = { monotonicNs: this.#atNs, realtimeNs: this.#atNs };
    const performed = effects.map(({ effect, sample }) => ({
      effect,
      performed: { written: true, latenessNs: 3000n, ...(sample && { sample }) },
    }));
    this.#frames.step(this.#number++, at, event, performed);
    this.#read();
  }

  #plain(type: 'hello' | 'session' | 'log', content: object): void {
    this.#frames.plain(type, content, keptPriority);
    this.#read();
  }

  #read(): void {
    const bytes = this.#frames.take();
    for (let at = 0; at < bytes.length;) {
      const end = at + 8 + bytes.readUInt32LE(at);
      this.records.push(this.#reader.read(bytes.subarray(at, end)));
      at = end;
    }
  }
}
