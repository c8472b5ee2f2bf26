import type { ReceivedCommand } from '../../../src/sides/index.js';
import { LiveView } from '../../../src/observe/live/live-view.js';
import type { PageBacklog } from '../../../src/observe/live/page-backlog.js';
import type { PageUpdate } from '../../../src/observe/live/page-protocol.js';
import { VehicleStateCodec, type VehicleState } from '../../../src/messages/index.js';
import {
  FrameWriter,
  type ObservedEffect,
  type ObservedEvent,
  RecordReader,
  splitFrames,
  tapFormat,
  tapVersion,
  type TapHello,
} from '../../../src/tap/index.js';

const nsPerMs = 1_000_000n;

/** Plays records of a tap to a page. */
export class LiveScript {
  readonly page: PageBacklog;
  readonly #reader = new RecordReader();
  readonly #hello: TapHello;
  #number = 0n;

  constructor(
    timeMode: 'real' | 'simulated',
    readonly view = new LiveView(),
  ) {
    this.page = view.open(false);
    this.#hello = {
      format: tapFormat,
      version: tapVersion,
      nodeId: 'middleware',
      timeMode,
      compat: 'none',
      domains: { lab: 0, controllers: 1 },
      controlSocket: '/tmp/x.sock',
      cyclone: '0.10.2',
      node: 'v20',
      clock: { monotonicNs: 1n, realtimeNs: 1n },
      waitMs: 0,
    };
    this.connect();
    this.take();
  }

  /** A middleware begins, the first or the next one. */
  connect(): this {
    this.view.connected(this.#hello);
    return this;
  }

  /** What the page gets of all since the last call. */
  take(): PageUpdate {
    return this.view.take(this.page) ?? {};
  }

  /** @param t ms since 1970. */
  step(t: number, event: ObservedEvent, effects: readonly ObservedEffect[] = []): this {
    const frames = new FrameWriter();
    const at = { monotonicNs: BigInt(t) * nsPerMs, realtimeNs: BigInt(t) * nsPerMs };
    const performed = { written: true, latenessNs: 0n };
    frames.step(
      this.#number++,
      at,
      event,
      effects.map((effect) => ({ effect, performed })),
    );
    for (const frame of splitFrames(frames.take())) this.view.record(this.#reader.read(frame));
    return this;
  }

  /** An event that changes nothing, with these effects. */
  effects(t: number, ...effects: readonly ObservedEffect[]): this {
    const ns = BigInt(t) * nsPerMs;
    return this.step(t, { kind: 'wake', now: { monotonicNs: ns, realtimeNs: ns } }, effects);
  }

  /** A start signal in simulated time. */
  start(t: number, simulatedMs: number): this {
    const tNowNs = BigInt(simulatedMs) * nsPerMs;
    const lists = { activeVehicleIds: [], states: [], observations: [] };
    return this.effects(t, { kind: 'sendStartSignal', tNowNs, periodNs: 50n * nsPerMs, ...lists });
  }

  state(t: number, state: Partial<VehicleState>): this {
    const bytes = VehicleStateCodec.encode({ ...VehicleStateCodec.zero(), ...state });
    return this.step(t, { kind: 'vehicleState', bytes, receivedAtNs: 0n } as never);
  }

  /** A command that is forwarded. */
  forward(t: number, command: ReceivedCommand): this {
    const event = { kind: 'command', command, writer: '0', receivedAtNs: 0n, atNs: 0n } as const;
    return this.step(t, event, [{ kind: 'forwardCommand', command }]);
  }
}
