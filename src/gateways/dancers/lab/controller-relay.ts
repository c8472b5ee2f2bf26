import { stopSymbol } from '../../../core/index.js';
import type { QosLibraries } from '../../../dds/qos/index.js';
import {
  topics,
  type CommonroadDDSGoalState,
  type NeighborList,
  type ReadyStatus,
  type StopRequest,
} from '../../../messages/index.js';
import type { Transport } from '../../../ports/index.js';
import {
  controllerQos,
  ControllerSide,
  createSide,
  neighborListQos,
  readTopic,
  reportedTopicErrors,
  writeCommands,
  writeTopic,
  type CommandWriters,
  type TopicErrors,
  type TopicWriter,
} from '../../../sides/index.js';
import { LimitedLog } from '../../limited-log.js';
import { reachedBy, visibleList } from './visible-list.js';

/** What a {@link ControllerRelay} needs. */
export interface ControllerRelayOptions {
  /** The vehicle of the controller. */
  readonly vehicleId: number;
  /** Joins the domain of the middleware, as one more controller. */
  readonly joinMiddleware: () => Transport;
  /** The domain of the controller. */
  readonly ownDomain: Transport;
  readonly libraries: QosLibraries;
  readonly log: (text: string) => void;
}

/** The end of a controller on the domain of the middleware. */
interface MiddlewareEnd {
  readonly transport: Transport;
  readonly ready: TopicWriter<ReadyStatus>;
  readonly commands: CommandWriters;
  readonly stops: TopicWriter<StopRequest>;
}

/**
 * Stands between a middleware and a controller that has a domain of its own: the start signals of the
 * controller have only the vehicles that its radio reaches. To the middleware each relay is a
 * participant, which leaves when its controller leaves.
 */
export class ControllerRelay {
  readonly #options: ControllerRelayOptions;
  readonly #errors: TopicErrors;
  readonly #controller: ControllerSide;
  readonly #lists: TopicWriter<NeighborList>;
  readonly #goalStates: TopicWriter<CommonroadDDSGoalState>;
  #visible: ReadonlySet<number>;
  #middleware: MiddlewareEnd;
  /** GUID of the writer of the last ready signal; undefined: the controller is not ready. */
  #readyWriter: string | undefined;
  #isStopped = false;

  /** @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`. */
  constructor(options: ControllerRelayOptions) {
    const { vehicleId, ownDomain, libraries, log } = options;
    this.#options = options;
    const faults = new LimitedLog(log, () => performance.now());
    this.#errors = reportedTopicErrors((error) => faults.fault(error));
    this.#visible = new Set([vehicleId]);
    this.#lists = writeTopic(
      { transport: ownDomain, qos: neighborListQos },
      topics.neighborList,
      this.#errors,
    );
    const ownSide = createSide('Controller', ownDomain, libraries);
    this.#goalStates = writeTopic(ownSide, topics.commonroad_dds_goal_states, this.#errors);
    this.#middleware = this.#join();
    this.#controller = new ControllerSide(
      ownSide,
      {
        readySignal: (sourceId, writerGuid) => {
          this.#readyWriter = writerGuid;
          this.#isStopped = false;
          this.#middleware.ready.write({
            source_id: sourceId,
            next_start_stamp: { nanoseconds: 0n },
          });
        },
        command: ({ kind, bytes }) => this.#middleware.commands[kind].writeSample(bytes),
        writerChanged: (role, { joined, writer }) => {
          // The writer of a killed controller ends with its lease, when another one may be ready already.
          if (role === 'ready' && !joined && writer.guid === this.#readyWriter) this.#rejoin();
        },
        deaf: (sourceId) => log(`${sourceId} is ready, and reads no start signals`),
      },
      this.#errors,
    );
    readTopic(
      ownSide,
      topics.stopRequest,
      (_, { bytes }) => this.#middleware.stops.writeSample(bytes),
      this.#errors,
    );
  }

  /** What the network side reports: from the next start signal on, its vehicle sees these. */
  report(list: NeighborList): void {
    if (list.vehicle_id === this.#options.vehicleId) this.#visible = reachedBy(list);
    this.#lists.write(list);
  }

  /** The relay ends: the controller receives the stop trigger, unless the middleware has sent one. */
  close(): void {
    if (this.#readyWriter !== undefined && !this.#isStopped) this.#controller.sendStop();
    this.#controller.close();
  }

  /** The controller has left, and so does its participant: the middleware notices as usual. */
  #rejoin(): void {
    this.#readyWriter = undefined;
    this.#middleware.transport.close();
    this.#middleware = this.#join();
  }

  #join(): MiddlewareEnd {
    const transport = this.#options.joinMiddleware();
    const side = { transport, qos: controllerQos };
    const commands = writeCommands(side, this.#errors);
    readTopic(
      side,
      topics.vehicleStateList,
      (list) => {
        const seen = visibleList(list, this.#visible);
        this.#controller.startSignals.write(topics.vehicleStateList.codec.encode(seen));
      },
      this.#errors,
    );
    readTopic(
      side,
      topics.systemTrigger,
      ({ next_start: next }, { bytes }) => {
        if (next.nanoseconds === stopSymbol) this.#isStopped = true;
        this.#controller.passTrigger(bytes);
      },
      this.#errors,
    );
    readTopic(
      createSide('Lab', transport, this.#options.libraries),
      topics.commonroad_dds_goal_states,
      (_, { bytes }) => this.#goalStates.writeSample(bytes),
      this.#errors,
    );
    const stops = writeTopic(side, topics.stopRequest, this.#errors);
    const ready = writeTopic(side, topics.readyStatus, this.#errors);
    return { transport, commands, stops, ready };
  }
}
