import type { QosPolicies, Transport, TransportWriter } from '../../src/ports/index.js';
import { topics, type Topic, type VehicleStateList } from '../../src/messages/index.js';
import { commandTopics, directCommand, type AnyCommand, type CommandKind } from './commands.js';
import { Recorder } from './recorder.js';

const keepAll = { kind: 'keep-all' } as const;

const readyQos: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: keepAll,
  durabilityService: { history: keepAll },
};

/** What a scripted controller is, and what it does. */
export interface ControllerScript {
  /** The vehicles that it drives. */
  readonly ids: readonly number[];
  /** How its command writers deliver; reliable by default. */
  readonly commands?: 'reliable' | 'best-effort';
  /** Called for every start signal, in its own turn. Without it, every vehicle is commanded. */
  readonly onStart?: (list: VehicleStateList, controller: ScriptedController) => void;
}

/** A start signal as a controller had it. */
export interface StartSignal {
  readonly list: VehicleStateList;
  /** Monotonic clock, ns. */
  readonly receivedAtNs: bigint;
}

/** A command as it is on the wire. */
export interface SentCommand {
  readonly kind: CommandKind;
  readonly vehicleId: number;
  /** Its create stamp, ns. */
  readonly createNs: bigint;
  /** CDR with encapsulation header. */
  readonly bytes: Uint8Array;
}

/** A controller in the process of the test, which answers or withholds as the test says. */
export class ScriptedController {
  readonly startSignals = new Recorder<StartSignal>('start signals');
  /** `next_start` of every system trigger. */
  readonly triggers = new Recorder<bigint>('system triggers');
  /** Every command that it sent. */
  readonly sent: SentCommand[] = [];
  readonly ids: readonly number[];
  readonly #commands: Readonly<Record<CommandKind, TransportWriter>>;
  readonly #ready: TransportWriter;

  constructor(side: Transport, script: ControllerScript) {
    this.ids = script.ids;
    const reliable: QosPolicies = { reliability: { kind: 'reliable' }, history: keepAll };
    side.createReader(topics.vehicleStateList, reliable, {
      onSample: ({ bytes, receivedAtNs }) => {
        const list = topics.vehicleStateList.codec.decode(bytes);
        if (script.onStart === undefined) this.answer(list);
        else script.onStart(list, this);
        this.startSignals.add({ list, receivedAtNs });
      },
    });
    side.createReader(topics.systemTrigger, reliable, {
      onSample: ({ bytes }) =>
        this.triggers.add(topics.systemTrigger.codec.decode(bytes).next_start.nanoseconds),
    });
    const qos: QosPolicies = {
      reliability: { kind: script.commands ?? 'reliable' },
      history: keepAll,
    };
    this.#commands = {
      direct: side.createWriter(commandTopics.direct, qos),
      speedCurvature: side.createWriter(commandTopics.speedCurvature, qos),
      trajectory: side.createWriter(commandTopics.trajectory, qos),
      pathTracking: side.createWriter(commandTopics.pathTracking, qos),
    };
    // The last of all: a reader of the ready signal has matched the command writers before.
    this.#ready = side.createWriter(topics.readyStatus, readyQos);
  }

  /** Sends the ready signals of all its vehicles, or of these sources. */
  signIn(...sources: string[]): void {
    const ids = sources.length > 0 ? sources : this.ids.map((id) => `hlc_${id}`);
    for (const source_id of ids) {
      const next_start_stamp = { nanoseconds: 0n };
      this.#ready.write(topics.readyStatus.codec.encode({ source_id, next_start_stamp }));
    }
  }

  /** Sends one command, and keeps what it sent. */
  send({ kind, message }: AnyCommand): void {
    // Kind and message belong together; the compiler cannot see that through the table.
    const { codec } = commandTopics[kind] as unknown as Topic<AnyCommand['message']>;
    const bytes = codec.encode(message);
    this.#commands[kind].write(bytes);
    const createNs = message.header.create_stamp.nanoseconds;
    this.sent.push({ kind, vehicleId: message.vehicle_id, createNs, bytes });
  }

  /** Answers a start signal with a direct command for each of these vehicles. */
  answer(list: VehicleStateList, ids: readonly number[] = this.ids): void {
    for (const id of ids) this.send(directCommand(id, list.t_now));
  }
}
