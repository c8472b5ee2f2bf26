import { HlcError } from '../errors/index.js';
import {
  controllerSourceId,
  firstNotFinite,
  stopSymbol,
  type Command as WireCommand,
} from '../core/index.js';
import type { Transport } from '../ports/index.js';
import { DdsContext, type DomainNetwork } from '../dds/index.js';
import { topics, type StopRequest } from '../messages/index.js';
import {
  areVehicleIds,
  commandTopics,
  controllerQos,
  groupEndpoints,
  readTopic,
  reportError,
  reportOrWarn,
  writeCommands,
  writeTopic,
  type CommandWriters,
  type TopicErrors,
  type TopicWriter,
} from '../sides/index.js';
import { withHeader, type Command } from './command.js';
import type { Controller, ControllerOptions } from './controller-options.js';
import { StepRunner } from './step-runner.js';
import type { Step } from './step.js';

const defaultNetwork: DomainNetwork = { domainId: 1, networkInterface: 'lo', initialPeers: [] };

/**
 * Starts a controller: it says that it is ready (ReadyStatus `hlc_<id>` for each vehicle), then
 * calls onStep for every start signal of the middleware and sends the commands that it returns.
 * @throws HlcError `HLC_CONTROLLER_VEHICLE_IDS` for ids that cannot be driven; `HLC_DDS_DOMAIN`,
 *   `HLC_DDS_ENTITY` or `HLC_NATIVE_MISSING` when DDS cannot be opened.
 */
export function createController(options: ControllerOptions): Controller {
  if (!areVehicleIds(options.vehicleIds)) {
    throw new HlcError('HLC_CONTROLLER_VEHICLE_IDS', { ids: options.vehicleIds.join(', ') });
  }
  return new RunningController(options);
}

class RunningController implements Controller {
  readonly closed: Promise<void>;
  readonly #options: ControllerOptions;
  readonly #runner: StepRunner;
  readonly #endpoints: { close(): void }[] = [];
  readonly #commandWriters: CommandWriters;
  readonly #stopWriter: TopicWriter<StopRequest>;
  #settleClosed!: () => void;
  #stopping = false;
  #isClosed = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    this.#runner = new StepRunner(options, {
      send: (commands, step) => this.#send(commands, step),
      report: (error) => this.#report(error),
    });
    const transport = options.transport ?? this.#open(options.network);
    const group = groupEndpoints({ transport, qos: controllerQos });
    this.#endpoints.push(group);
    const { side } = group;
    const errors = this.#topicErrors();
    try {
      readTopic(side, topics.vehicleStateList, (list) => this.#runner.onStartSignal(list), errors);
      readTopic(
        side,
        topics.systemTrigger,
        (trigger) => {
          if (trigger.next_start.nanoseconds === stopSymbol) this.#stop();
        },
        errors,
      );
      this.#commandWriters = writeCommands(side, errors);
      this.#stopWriter = writeTopic(side, topics.stopRequest, errors);
      const { endpoint: readyWriter } = writeTopic(side, topics.readyStatus, errors);
      for (const id of options.vehicleIds) {
        readyWriter.write(
          topics.readyStatus.codec.encode({
            source_id: controllerSourceId(id),
            next_start_stamp: { nanoseconds: 0n },
          }),
        );
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  requestStop(vehicleIds: readonly number[] = this.#options.vehicleIds): void {
    for (const vehicle_id of vehicleIds) {
      this.#stopWriter.endpoint.write(topics.stopRequest.codec.encode({ vehicle_id }));
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#runner.end('closed');
    for (const endpoint of this.#endpoints.reverse()) endpoint.close();
    this.#settleClosed();
  }

  #open(network: Partial<DomainNetwork> = {}): Transport {
    const context = DdsContext.open({ onFault: (fault) => this.#report(fault) });
    this.#endpoints.push(context);
    try {
      return context.join({ ...defaultNetwork, ...network });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The middleware names peers that do not match, in its log. */
  #topicErrors(): TopicErrors {
    return {
      malformed: (topic, writerGuid, cause) =>
        reportOrWarn(
          this.#options,
          new HlcError('HLC_SAMPLE_MALFORMED', { topic, writerGuid, cause }),
        ),
      incompatibleQos: () => undefined,
      writeFailed: (error) => this.#report(error),
      lost: () => undefined,
    };
  }

  #send(commands: readonly Command[], step: Step): void {
    const commanded = new Set<number>();
    for (const command of commands) {
      try {
        const { kind, message } = this.#checked(command, commanded, step.tNowNs);
        this.#commandWriters[kind].write(message);
      } catch (error) {
        this.#report(
          error instanceof RangeError ? refused(command.vehicle_id, error.message, error) : error,
        );
      }
    }
  }

  #checked(command: Command, commanded: Set<number>, createNs: bigint): WireCommand {
    const { vehicle_id } = command;
    if (!this.#options.vehicleIds.includes(vehicle_id)) {
      throw refused(vehicle_id, 'this controller does not drive that vehicle');
    }
    if (commanded.has(vehicle_id)) {
      throw refused(vehicle_id, 'the step gave a command for it before');
    }
    if (!(command.kind in commandTopics)) throw refused(vehicle_id, 'there is no such kind');
    const checked = withHeader(command, createNs);
    const field = firstNotFinite(checked);
    if (field !== null) throw refused(vehicle_id, `${field} is not finite`);
    commanded.add(vehicle_id);
    return checked;
  }

  #stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#runner.end('stop');
    void this.#finish();
  }

  async #finish(): Promise<void> {
    try {
      await this.#options.onStop?.();
    } catch (error) {
      this.#report(error);
    }
    this.close();
  }

  #report(error: unknown): void {
    reportError(this.#options, error);
  }
}

function refused(vehicleId: number, cause: string, error?: Error): HlcError {
  return new HlcError('HLC_CONTROLLER_COMMAND', { vehicleId, cause }, { cause: error });
}
