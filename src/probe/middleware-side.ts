import { STOP_SYMBOL, type Command } from '../core/index.js';
import { participantOf, type QosPolicies, type ReaderListener } from '../core/ports/index.js';
import { chooseProfile, findProfile, loadShippedQos } from '../dds/qos/index.js';
import type { Clocks, DdsParticipant, DdsWriter } from '../dds/index.js';
import { topics, type Topic, type VehicleStateList } from '../messages/index.js';
import type { Recording } from './recording.js';

const commandTopics = {
  direct: topics.vehicleCommandDirect,
  speedCurvature: topics.vehicleCommandSpeedCurvature,
  trajectory: topics.vehicleCommandTrajectory,
  pathTracking: topics.vehicleCommandPathTracking,
} satisfies { [K in Command['kind']]: Topic<Extract<Command, { kind: K }>['message']> };

/** Matches every writer, so that a ready signal is seen even when a middleware would not hear it. */
const anyWriterQos: QosPolicies = {
  reliability: { kind: 'best-effort' },
  durability: { kind: 'volatile' },
  history: { kind: 'keep-all' },
};

/** The same for writers that are reliable: nothing of theirs gets lost. */
const anyReliableWriterQos: QosPolicies = { ...anyWriterQos, reliability: { kind: 'reliable' } };

/**
 * What a middleware has on the controller side, with the QoS of `qos/default.xml`, and a second ear
 * for ready signals that a middleware would not hear. Everything that comes is recorded.
 */
export class MiddlewareSide {
  readonly #startSignals: DdsWriter;
  readonly #triggers: DdsWriter;
  readonly #profile = chooseProfile(loadShippedQos(), 'Controller');
  readonly #defaults = findProfile(loadShippedQos(), 'HlcMiddleware::Controller');

  constructor(
    private readonly participant: DdsParticipant,
    private readonly clocks: Clocks,
    private readonly recording: Recording,
    private readonly onCommand: (command: Command) => void,
  ) {
    for (const kind of Object.keys(commandTopics) as Command['kind'][]) this.#readCommands(kind);
    this.#startSignals = this.#writer(topics.vehicleStateList);
    this.#triggers = this.#writer(topics.systemTrigger);
    for (const qos of [anyWriterQos, anyReliableWriterQos]) {
      this.#createReader(topics.readyStatus, qos, this.#readySignals('anyone'));
    }
    for (const { qos, options } of this.#profile.readersFor('readyStatus', this.#defaults)) {
      const listener = {
        ...this.#readySignals('middleware'),
        onIncompatibleQos: ({ policy }: { policy: string }) =>
          recording.add({ kind: 'refusedQos', topic: 'readyStatus', policy }),
      };
      participant.createReader(topics.readyStatus, qos, listener, options);
    }
  }

  /** The participants (GUID prefixes) that read start signals now. */
  listeners(): ReadonlySet<string> {
    return this.#startSignals.matchedParticipants();
  }

  sendStartSignal(list: VehicleStateList): void {
    this.#startSignals.write(topics.vehicleStateList.codec.encode(list));
  }

  sendStop(): void {
    const trigger = { next_start: { nanoseconds: STOP_SYMBOL } };
    this.#triggers.write(topics.systemTrigger.codec.encode(trigger));
  }

  close(): void {
    this.participant.close();
  }

  #writer(topic: Topic<unknown>): DdsWriter {
    return this.participant.createWriter(topic, this.#profile.qosFor('writer', topic.name));
  }

  #createReader<T>(topic: Topic<T>, qos: QosPolicies, listener: ReaderListener): void {
    this.participant.createReader(topic, qos, listener);
  }

  #readySignals(heardBy: 'middleware' | 'anyone'): ReaderListener {
    return {
      onSample: ({ bytes, writer: { guid }, receivedAtNs }) => {
        const { source_id: sourceId } = topics.readyStatus.codec.decode(bytes);
        const participant = participantOf(guid);
        this.recording.add({ kind: 'readySignal', sourceId, participant, heardBy }, receivedAtNs);
      },
      onMalformed: ({ cause }) => this.#malformed('readyStatus', cause),
    };
  }

  #readCommands(kind: Command['kind']): void {
    const topic: Topic<Command['message']> = commandTopics[kind];
    const listener: ReaderListener = {
      onSample: ({ bytes, writer: { guid }, receivedAtNs }) => {
        // Kind and message belong together; the compiler cannot see that through the table.
        const command = { kind, message: topic.codec.decode(bytes) } as Command;
        const participant = participantOf(guid);
        const agoNs = this.clocks.monotonicNs() - receivedAtNs;
        const realtimeNs = this.clocks.realtimeNs() - agoNs;
        this.recording.add({ kind: 'command', command, participant, realtimeNs }, receivedAtNs);
        this.onCommand(command);
      },
      onMalformed: ({ cause }) => this.#malformed(topic.name, cause),
    };
    for (const { qos, options } of this.#profile.readersFor(topic.name, this.#defaults)) {
      this.participant.createReader(topic, qos, listener, options);
    }
  }

  #malformed(topic: string, cause: string): void {
    this.recording.add({ kind: 'malformed', topic, cause });
  }
}
