import type { ReceivedSample, Transport } from '../../../src/ports/index.js';
import {
  topics,
  type ReadyStatus,
  type StopRequest,
  type Topic,
  type VehicleState,
} from '../../../src/messages/index.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';

/** A sample as the middleware got it. */
export interface Heard<T> {
  readonly topic: string;
  readonly message: T;
  readonly reliable: boolean;
}

interface CommandMessage {
  readonly vehicle_id: number;
  readonly header: VehicleState['header'];
}

const stop = 0xffff_ffff_ffff_ffffn;

/** The middleware's end of the controller side, moved by a test. */
export class FakeMiddleware {
  readonly network = new InMemoryNetwork();
  readonly ready: ReadyStatus[] = [];
  readonly commands: Heard<CommandMessage>[] = [];
  readonly stopRequests: StopRequest[] = [];
  readonly #side: Transport = this.network.join();
  readonly #lists;
  readonly #triggers;

  constructor() {
    // As the original middleware offers them.
    this.#lists = this.#side.createWriter(topics.vehicleStateList, {
      reliability: { kind: 'best-effort' },
    });
    this.#triggers = this.#side.createWriter(topics.systemTrigger, {
      reliability: { kind: 'reliable' },
    });
    this.#listen(topics.stopRequest, (message) => this.stopRequests.push(message));
    for (const topic of [
      topics.vehicleCommandDirect,
      topics.vehicleCommandSpeedCurvature,
      topics.vehicleCommandTrajectory,
      topics.vehicleCommandPathTracking,
    ]) {
      this.#listen<CommandMessage>(topic, (message, sample) =>
        this.commands.push({ topic: topic.name, message, reliable: sample.writer.reliable }),
      );
    }
  }

  /** Reads ready signals as the middleware does, from now on. */
  awaitReady(): void {
    this.#side.createReader(
      topics.readyStatus,
      {
        reliability: { kind: 'reliable' },
        durability: { kind: 'transient-local' },
        history: { kind: 'keep-all' },
      },
      { onSample: ({ bytes }) => this.ready.push(topics.readyStatus.codec.decode(bytes)) },
    );
  }

  /** Sends a start signal and waits until it and what follows is delivered. */
  async start(tNowNs: bigint, states: readonly VehicleState[] = [], periodMs = 50n): Promise<void> {
    this.#lists.write(
      topics.vehicleStateList.codec.encode({
        t_now: tNowNs,
        period_ms: periodMs,
        state_list: [...states],
        vehicle_observation_list: states.map(({ vehicle_id, header, pose }) => ({
          vehicle_id,
          header,
          pose,
        })),
        active_vehicle_ids: states.map(({ vehicle_id }) => vehicle_id),
      }),
    );
    await this.network.idle();
  }

  /** Sends a system trigger; default: the stop symbol. */
  async trigger(nextStartNs = stop): Promise<void> {
    this.#triggers.write(
      topics.systemTrigger.codec.encode({ next_start: { nanoseconds: nextStartNs } }),
    );
    await this.network.idle();
  }

  /** Sends bytes that are no start signal. */
  async garble(): Promise<void> {
    this.#lists.write(new Uint8Array([0, 1, 0, 0, 7]));
    await this.network.idle();
  }

  get startSignalReaders(): number {
    return this.#lists.matchedReaders;
  }

  #listen<T>(topic: Topic<T>, onMessage: (message: T, sample: ReceivedSample) => void): void {
    this.#side.createReader(
      topic,
      { reliability: { kind: 'best-effort' } },
      { onSample: (sample) => onMessage(topic.codec.decode(sample.bytes), sample) },
    );
  }
}
