import type { SessionRequest, ControlStatus } from '../../remote/index.js';
import { HlcError, isHlcError } from '../../errors/index.js';
import type { Ended, LatchedVehicle, LifecycleOutcome, LifecycleWork } from '../../core/index.js';
import { groupEndpoints } from '../../sides/index.js';
import { MiddlewareNode, type MiddlewareNodeOptions } from './middleware-node.js';
import type { NodeView } from './node-view.js';
import type { LabParameters } from './session-factory.js';
import type { SimulatedClock } from './simulated-clock.js';
import type { TimeOuts } from './time-outs.js';

export interface ManagedSessionOptions extends Omit<
  MiddlewareNodeOptions,
  'parameters' | 'onEnded' | 'onTime' | 'latched'
> {
  /** Asks the lab for what is not configured. @throws HlcError `HLC_PARAMETER_TIMEOUT`. */
  readonly askParameters: () => Promise<LabParameters>;
  /** True when the wait for the lab was given up, since the process is to end. */
  readonly givenUp: () => boolean;
  readonly timeOuts: TimeOuts;
  /** Controllers that an earlier run stopped and no user has resumed, when a session begins. */
  readonly latched: () => Promise<readonly LatchedVehicle[]>;
  /** Absent when this middleware is not the source of simulated time. */
  readonly clock?: SimulatedClock;
  /** A session begins. */
  readonly onBegin: (parameters: LabParameters) => void;
  /** The session ended by itself; the stop was sent to the controllers. */
  readonly onOver: () => void;
}

interface RunningSession {
  readonly node: MiddlewareNode;
  readonly close: () => void;
  /** Called when the session is over; undefined while no command waits for that. */
  ended: (() => void) | undefined;
}

/**
 * What the commands of the life cycle do. A node that is inactive has no session, and no reader or
 * writer for one: to activate it once more begins a new session, which waits for all controllers.
 */
export class ManagedSession {
  readonly work: LifecycleWork = {
    configure: () => this.#attempt(() => this.#configure()),
    activate: () => this.#attempt(() => this.#activate()),
    deactivate: () => this.#stop(),
    cleanup: () => this.#forget(),
    shutdown: () => this.#stopForGood(),
    recover: async () => {
      await this.#stop();
      return this.#forget();
    },
  };
  #parameters: LabParameters | undefined;
  #running: RunningSession | undefined;
  #begun = false;
  #lastEnd: Ended | undefined;
  #failure: HlcError | undefined;

  constructor(private readonly options: ManagedSessionOptions) {}

  /** True when there was a session. */
  get begun(): boolean {
    return this.#begun;
  }

  /** How the last session ended; undefined when none did. */
  get lastEnd(): Ended | undefined {
    return this.#lastEnd;
  }

  /** Why the last command was not done or the last session failed; gone with the next session. */
  get failure(): HlcError | undefined {
    return this.#failure;
  }

  /** Undefined when there is no session. */
  view(): NodeView | undefined {
    return this.#running?.node.view();
  }

  get periodNs(): bigint | null {
    return this.#parameters?.periodNs ?? this.options.config.session.periodNs;
  }

  /**
   * Carries out a request of a user.
   * @param state of the life cycle, for the answer where there is no session.
   * @throws HlcError `HLC_CONTROL_INACTIVE`, `HLC_CONTROL_REAL_TIME`, `HLC_CONTROL_PAST`, `HLC_CONTROL_NOT_BACK`.
   */
  control(request: SessionRequest, state: string): ControlStatus {
    if (this.#running !== undefined) return this.#running.node.control(request);
    if (request.command !== 'status') throw new HlcError('HLC_CONTROL_INACTIVE', { state });
    const { config, statistics } = this.options;
    return {
      node_id: config.nodeId,
      pid: process.pid,
      time_mode: config.session.time.mode,
      phase: state,
      time_ns: null,
      period_ns: this.periodNs,
      start_signals: statistics.startSignals,
      controllers: [],
    };
  }

  async #configure(): Promise<void> {
    this.#parameters = await this.options.askParameters();
  }

  async #activate(): Promise<void> {
    const { clock, onBegin, ...parts } = this.options;
    const parameters = this.#parameters;
    if (parameters === undefined) return;
    await clock?.open();
    const latched = await parts.latched();
    onBegin(parameters);
    this.#begun = true;
    const lab = groupEndpoints(parts.lab);
    const controllers = groupEndpoints(parts.controllers);
    const close = () => {
      lab.close();
      controllers.close();
    };
    try {
      const node = new MiddlewareNode({
        ...parts,
        parameters,
        latched,
        lab: lab.side,
        controllers: controllers.side,
        onTime: (timeNs) => clock?.publish(timeNs),
        onEnded: (end) => this.#ended(end),
      });
      this.#running = { node, close, ended: undefined };
    } catch (error) {
      close();
      throw error;
    }
    this.#failure = undefined;
  }

  #ended(end: Ended): void {
    this.#lastEnd = end;
    if (this.#running?.ended !== undefined) {
      this.#running.ended();
      return;
    }
    const readiness = () =>
      this.#running?.node.readiness() ?? {
        absent: this.options.config.session.vehicleIds,
        otherIds: [],
      };
    // Not within the event that ended the session: it is still being carried out.
    setImmediate(() => {
      this.#failure = this.options.timeOuts.errorOf(end.reason, readiness);
      this.options.onOver();
    });
  }

  /** Ends the session, if there is one: the controllers stop, and then the vehicles. */
  async #stop(): Promise<'success'> {
    const running = await this.#end();
    running?.close();
    return 'success';
  }

  /**
   * Ends the session at the end of the process. Its readers and writers close later, with all others: to
   * close one waits for readers that hang, and by then a second signal ends the process at once.
   */
  async #stopForGood(): Promise<'success'> {
    await this.#end();
    return 'success';
  }

  async #end(): Promise<RunningSession | undefined> {
    const running = this.#running;
    if (running === undefined) return undefined;
    if (!running.node.isOver) {
      const ended = new Promise<void>((resolve) => {
        running.ended = resolve;
      });
      running.node.stop();
      await ended;
    }
    running.node.close();
    this.#running = undefined;
    return running;
  }

  #forget(): 'success' {
    this.#parameters = undefined;
    return 'success';
  }

  async #attempt(work: () => Promise<void>): Promise<LifecycleOutcome> {
    try {
      await work();
      return 'success';
    } catch (error) {
      if (this.options.givenUp()) return 'failure';
      if (!isHlcError(error)) throw error;
      this.#failure = error;
      return 'failure';
    }
  }
}
