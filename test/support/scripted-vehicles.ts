import type { QosPolicies } from '../../src/ports/index.js';
import type { DdsParticipant, DdsWriter } from '../../src/dds/index.js';
import { topics, type VehicleObservation, type VehicleState } from '../../src/messages/index.js';
import { commandTopics, type CommandKind } from './commands.js';
import { Recorder } from './recorder.js';
import type { SentCommand } from './scripted-controller.js';

const reliable: QosPolicies = { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } };

/** A command as a vehicle had it. */
export interface ForwardedCommand extends SentCommand {
  /** Monotonic clock, ns. */
  readonly receivedAtNs: bigint;
}

/** The vehicles of a lab, in the process of the test: they say what the test says. */
export class ScriptedVehicles {
  /** What was forwarded to them. */
  readonly commands = new Recorder<ForwardedCommand>('forwarded commands');
  readonly #states: DdsWriter;
  readonly #observations: DdsWriter;
  /** The fewest readers that one of the two writers has. */
  readonly #matched = new Recorder<number>('readers of states and observations');

  constructor(side: DdsParticipant) {
    const onMatched = () => {
      const readers = [this.#states, this.#observations].map((writer) => writer.matchedReaders);
      this.#matched.add(Math.min(...readers));
    };
    this.#states = side.createWriter(topics.vehicleState, reliable, { onMatched });
    this.#observations = side.createWriter(topics.vehicleObservation, reliable, { onMatched });
    for (const kind of Object.keys(commandTopics) as CommandKind[]) {
      const topic = commandTopics[kind];
      side.createReader(topic, reliable, {
        onSample: ({ bytes, receivedAtNs }) => {
          const { vehicle_id: vehicleId, header } = topic.codec.decode(bytes);
          const createNs = header.create_stamp.nanoseconds;
          this.commands.add({ kind, vehicleId, createNs, bytes: bytes.slice(), receivedAtNs });
        },
      });
    }
  }

  /** Settles when states and observations are read: what is sent before is lost. */
  async untilRead(): Promise<void> {
    await this.#matched.until((readers) => readers > 0);
  }

  /** Sends the state of a vehicle; what is not given is zero. */
  sendState(state: Pick<VehicleState, 'vehicle_id'> & Partial<VehicleState>): void {
    const { codec } = topics.vehicleState;
    this.#states.write(codec.encode({ ...codec.zero(), ...state }));
  }

  /** Sends where the positioning system sees a vehicle; what is not given is zero. */
  sendObservation(
    observation: Pick<VehicleObservation, 'vehicle_id'> & Partial<VehicleObservation>,
  ): void {
    const { codec } = topics.vehicleObservation;
    this.#observations.write(codec.encode({ ...codec.zero(), ...observation }));
  }
}
