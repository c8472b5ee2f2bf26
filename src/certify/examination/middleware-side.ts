import { stopSymbol, type Command } from '../../core/index.js';
import { participantOf, type QosPolicies, type ReceivedSample } from '../../ports/index.js';
import type { Clocks } from '../../dds/index.js';
import { loadShippedQos } from '../../dds/qos/index.js';
import {
  topics,
  type ReadyStatus,
  type SystemTrigger,
  type VehicleStateList,
} from '../../messages/index.js';
import {
  createSide,
  readCommands,
  readTopic,
  writeTopic,
  type Side,
  type TopicErrors,
  type TopicWriter,
} from '../../sides/index.js';
import {
  listenForOtherMiddleware,
  refuseOtherMiddleware,
  type ExaminedSide,
} from './other-middleware.js';
import type { Recording } from './recording.js';

/** Matches every writer, so that a ready signal is seen even when a middleware would not get it. */
const anyWriterQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: { kind: 'keep-all' },
};

/** The same for writers that are reliable: nothing of theirs gets lost. */
const anyReliableWriterQos: QosPolicies = { ...anyWriterQos, reliability: { kind: 'reliable' } };

/**
 * What a middleware has on the controller side, with the QoS of `qos/default.xml`, and second readers
 * for ready signals that a middleware would not get. Everything that comes is recorded.
 */
export class MiddlewareSide {
  readonly #startSignals: TopicWriter<VehicleStateList>;
  readonly #triggers: TopicWriter<SystemTrigger>;

  constructor(
    private readonly transport: ExaminedSide,
    private readonly clocks: Clocks,
    private readonly recording: Recording,
    private readonly onCommand: (command: Command) => void,
  ) {
    const side = createSide('Controller', transport, loadShippedQos());
    const errors = this.#errors();
    readCommands(side, (command, sample) => this.#record(command, sample), errors);
    this.#startSignals = writeTopic(side, topics.vehicleStateList, errors);
    this.#triggers = writeTopic(side, topics.systemTrigger, errors);
    for (const qos of [anyWriterQos, anyReliableWriterQos]) {
      const anyone = { ...side, qos: { ...side.qos, readers: () => [onlyReader(qos)] } };
      this.#readReadySignals(anyone, 'anyone', { ...errors, incompatibleQos: () => undefined });
    }
    this.#readReadySignals(side, 'middleware', errors);
  }

  /** The participants (GUID prefixes) that read start signals now. */
  listeners(): ReadonlySet<string> {
    return this.#startSignals.endpoint.matchedParticipants();
  }

  /** @throws HlcError `HLC_OTHER_MIDDLEWARE` when a further middleware is discovered. */
  refuseOther(): void {
    refuseOtherMiddleware(this.transport.discovered(), 'a certification');
  }

  /** Before anything is sent. @throws HlcError `HLC_OTHER_MIDDLEWARE` as above. */
  async listenForOther(): Promise<void> {
    await listenForOtherMiddleware(this.transport, 'a certification');
  }

  sendStartSignal(list: VehicleStateList): void {
    this.#startSignals.write(list);
  }

  sendStop(): void {
    this.#triggers.write({ next_start: { nanoseconds: stopSymbol } });
  }

  close(): void {
    this.transport.close();
  }

  #readReadySignals(side: Side, receivedBy: 'middleware' | 'anyone', errors: TopicErrors): void {
    const record = ({ source_id: sourceId }: ReadyStatus, sample: ReceivedSample) => {
      const participant = participantOf(sample.writer.guid);
      const event = { kind: 'readySignal', sourceId, participant, receivedBy } as const;
      this.recording.add(event, sample.receivedAtNs);
    };
    readTopic(side, topics.readyStatus, record, errors);
  }

  #record(command: Command, { writer, receivedAtNs }: ReceivedSample): void {
    const participant = participantOf(writer.guid);
    const agoNs = this.clocks.monotonicNs() - receivedAtNs;
    const realtimeNs = this.clocks.realtimeNs() - agoNs;
    this.recording.add({ kind: 'command', command, participant, realtimeNs }, receivedAtNs);
    this.onCommand(command);
  }

  #errors(): TopicErrors {
    return {
      malformed: (topic, _, cause) => this.recording.add({ kind: 'malformed', topic, cause }),
      incompatibleQos: (topic, end, policy) => {
        if (end === 'reader' && topic === topics.readyStatus.name) {
          this.recording.add({ kind: 'refusedQos', topic, policy });
        }
      },
      writeFailed: (error) => {
        throw error;
      },
      lost: () => undefined,
    };
  }
}

function onlyReader(qos: QosPolicies) {
  return { qos, options: { ignoreReliableWriters: false } };
}
