import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { loadShippedQos } from '../../src/dds/qos/index.js';
import { topics } from '../../src/messages/index.js';
import { MiddlewareNode } from '../../src/node/middleware/middleware-node.js';
import { countedTopicErrors } from '../../src/node/middleware/topic-errors.js';
import { RunStatistics } from '../../src/node/observers/run-statistics.js';
import { SessionLog } from '../../src/node/observers/session-log.js';
import type { SessionObserver } from '../../src/node/observers/session-observer.js';
import type { TransportWriter } from '../../src/ports/index.js';
import { createSide } from '../../src/sides/index.js';
import { parse } from '../unit/config/parse.js';
import { commandTopics, type AnyCommand, type CommandKind } from './commands.js';
import { InMemoryNetwork } from './in-memory-transport.js';
import { StillPacer } from './still-pacer.js';

const reliable = { reliability: { kind: 'reliable' } } as const;
const bestEffort = { reliability: { kind: 'best-effort' } } as const;
const transientLocal = { ...reliable, durability: { kind: 'transient-local' } } as const;
const commandKinds = ['direct', 'speedCurvature', 'trajectory', 'pathTracking'] as const;
const periodNs = 50_000_000n;

/** A middleware in memory with one controller and its vehicle, which the test moves. */
export class TappedNode {
  nowNs = 1_000_000_000_000n;
  readonly node: MiddlewareNode;
  /** Start signals as the controller received them. */
  readonly startSignals: Uint8Array[] = [];
  readonly #lab = new InMemoryNetwork(() => this.nowNs);
  readonly #controllers = new InMemoryNetwork(() => this.nowNs);
  readonly #controllerSide = this.#controllers.join();
  readonly #vehicleSide = this.#lab.join();
  readonly #commandWriters = new Map<CommandKind, TransportWriter>();
  readonly #pacer: StillPacer;

  constructor(flags: string, observer: SessionObserver, pacer = new StillPacer()) {
    this.#pacer = pacer;
    const config = parse(`--period-ms=50 --transport=ros2 --wait-for-start=false ${flags}`);
    const libraries = loadShippedQos();
    const statistics = new RunStatistics(config.session.vehicleIds);
    const domains = { lab: 0, controllers: 1 };
    const log = new SessionLog(pino({ level: 'silent' }), () => this.nowNs, domains);
    this.#controllerSide.createReader(topics.vehicleStateList, reliable, {
      onSample: ({ bytes }) => void this.startSignals.push(new Uint8Array(bytes)),
    });
    this.node = new MiddlewareNode({
      config,
      parameters: { periodNs, activeVehicleIds: config.session.vehicleIds },
      lab: createSide('Lab', this.#lab.join(), libraries),
      controllers: createSide('Controller', this.#controllers.join(), libraries),
      clocks: { monotonicNs: () => this.nowNs, realtimeNs: () => this.nowNs },
      pacer: this.#pacer,
      statistics,
      observers: [observer],
      onObserverRemoved: (_, fault) => {
        throw fault;
      },
      onFault: () => undefined,
      onDeaf: () => undefined,
      latched: [],
      topicErrors: countedTopicErrors(statistics, log),
      onEnded: () => undefined,
    });
    onTestFinished(() => {
      this.node.stop();
      this.node.close();
    });
  }

  /** The controller appears. */
  async #appear(): Promise<void> {
    if (this.#commandWriters.size > 0) return;
    for (const kind of commandKinds) {
      const writer = this.#controllerSide.createWriter(commandTopics[kind], bestEffort);
      this.#commandWriters.set(kind, writer);
    }
    await this.#controllers.idle();
    // Ready signals wait as long after that, with timers that were set before this one.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  /** The controller signs in. */
  async ready(): Promise<void> {
    await this.#appear();
    const message = { source_id: 'hlc_1', next_start_stamp: { nanoseconds: 0n } };
    const bytes = topics.readyStatus.codec.encode(message);
    this.#controllerSide.createWriter(topics.readyStatus, transientLocal).write(bytes);
    await this.#controllers.idle();
  }

  /** The vehicle sends its state. */
  async state(odometerM: number): Promise<void> {
    const zero = topics.vehicleState.codec.zero();
    const stamp = { nanoseconds: this.nowNs };
    const header = { create_stamp: stamp, valid_after_stamp: stamp };
    const message = { ...zero, vehicle_id: 1, header, odometer_distance: odometerM };
    const bytes = topics.vehicleState.codec.encode(message);
    this.#vehicleSide.createWriter(topics.vehicleState, reliable).write(bytes);
    await this.#lab.idle();
  }

  /** The controller sends a command. */
  async command({ kind, message }: AnyCommand): Promise<void> {
    await this.#appear();
    // Kind and message belong together; the compiler cannot see that through the table.
    const bytes = commandTopics[kind].codec.encode(message as never);
    this.#commandWriters.get(kind)?.write(bytes);
    await this.#controllers.idle();
  }

  /** A guard joins the lab side. @returns publishes that it stopped the vehicle. */
  guard(): () => Promise<void> {
    const writer = this.#lab.join().createWriter(topics.guardStatus, reliable);
    return async () => {
      const stamp = { nanoseconds: this.nowNs };
      const vehicle = { vehicle_id: 1, kinds: 1, create_stamp: stamp, valid_after_stamp: stamp };
      const stops = [{ vehicle: { ...vehicle, obeyed_until: stamp }, number: 1n, speed: 0 }];
      writer.write(topics.guardStatus.codec.encode({ source_id: 'guard', epoch: 1n, stops }));
      await this.#lab.idle();
    };
  }

  /** Time passes, and the session is woken. */
  async pass(ns: bigint): Promise<void> {
    this.nowNs += ns;
    this.#pacer.tick({ deadlineNs: this.nowNs, wokeAtNs: this.nowNs, realtimeNs: this.nowNs });
    await this.#controllers.idle();
  }
}
