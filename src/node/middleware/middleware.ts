import { once } from 'node:events';
import type { RunConfig } from '../../config/index.js';
import { type Ended, toMs } from '../../core/index.js';
import type { DdsContext, Pacer } from '../../dds/index.js';
import type { QosLibraries } from '../../dds/qos/index.js';
import { answerRoundTrips, localEndpoints } from '../../sides/index.js';
import { Closers } from '../closers.js';
import { LabLog } from './lab-log.js';
import { askLabParameters } from './lab-parameters.js';
import { Latches } from './latches.js';
import type { NodeLog } from '../logger.js';
import { LocalSockets } from './local-sockets.js';
import { ManagedLife } from './managed-life.js';
import { ManagedSession } from './managed-session.js';
import type { NodeView } from './node-view.js';
import { CpmLabLog } from '../observers/cpm-lab-log.js';
import type { SessionProbes } from '../observers/session-observer.js';
import { StalenessObserver } from '../observers/staleness.js';
import { openSides, type Sides } from './open-sides.js';
import { RemoteAgents } from './remote-agents.js';
import { RosFace } from './ros-face.js';
import { RunStatistics } from '../observers/run-statistics.js';
import type { RunSummary } from '../observers/run-summary.js';
import type { LabParameters } from './session-factory.js';
import { printSafetyBudget } from './safety-budget.js';
import { SessionLog } from '../observers/session-log.js';
import { SimulatedClock } from './simulated-clock.js';
import { TimeOuts } from './time-outs.js';
import { countedTopicErrors } from './topic-errors.js';

export interface MiddlewareOptions {
  readonly config: RunConfig;
  readonly libraries: QosLibraries;
  /** Shared by all middlewares of the process. */
  readonly dds: DdsContext;
  /** Of this middleware alone, which closes it. */
  readonly pacer: Pacer;
  readonly nodeLog: NodeLog;
  /** The session waits for this once the tap listens. */
  readonly onTapOpen?: () => Promise<void>;
  /** Called when a session begins: from now on vehicles may be commanded. */
  readonly onBegin?: () => void;
  /** Called when a session ends: the controllers stop, and the vehicles are brought to rest. */
  readonly onEnding?: () => void;
  /** Aborts when the process is to end. */
  readonly stopped: AbortSignal;
  /** A fault in this program: the state of the rules is unknown. */
  readonly onFault: (fault: unknown) => void;
  /** For tests of faults. */
  readonly probes?: SessionProbes;
}

/**
 * One middleware: the two sides of one lab, its sessions, its life cycle, its control socket and
 * its statistics. A process may have several.
 */
export class Middleware {
  readonly #options: MiddlewareOptions;
  readonly #statistics: RunStatistics;
  readonly #session: ManagedSession;
  readonly #managedLife: ManagedLife;
  readonly #closers = new Closers();
  readonly #sockets: LocalSockets;
  readonly #remoteAgents: RemoteAgents;
  readonly #stopping = new AbortController();
  /** The process is to end, or this middleware is. */
  readonly #stopped: AbortSignal;

  private constructor(options: MiddlewareOptions, sides: Sides) {
    const { config, dds, nodeLog, pacer, onFault, probes } = options;
    const { lab, controllers, rosNodes, rosTopics } = sides;
    const { clocks } = dds;
    const { log } = nodeLog;
    this.#options = options;
    this.#stopped = AbortSignal.any([options.stopped, this.#stopping.signal]);
    const stopped = this.#stopped;
    this.#statistics = new RunStatistics(config.session.vehicleIds);
    const statistics = this.#statistics;
    const { time } = config.session;
    const isCompatible = config.compat === 'cpm-lab';
    const domains = {
      lab: config.sides.lab.domainId,
      controllers: config.sides.controller.domainId,
    };
    const sessionLog = new SessionLog(log, () => clocks.monotonicNs(), domains, !isCompatible);
    const cpmLabLog = isCompatible ? [new CpmLabLog(log, time.mode === 'simulated')] : [];
    const topicErrors = countedTopicErrors(statistics, sessionLog);
    new LabLog(lab, nodeLog, config.nodeId, () => clocks.realtimeNs(), topicErrors);
    answerRoundTrips(lab, config.nodeId, topicErrors);
    const timeOuts = timeOutsOf(options, sides);
    const staleness = new StalenessObserver(
      (change) => sessionLog.staleness(change),
      (id) => statistics.staleVehicle(id),
    );
    const source = time.mode === 'real' ? undefined : time.timeSource.kind;
    // With use_sim_time and the time of the lab, another node publishes /clock.
    const hasClock = source === 'self' || !config.sides.ros.useSimTime;
    const clock =
      source !== undefined && hasClock
        ? new SimulatedClock({ topics: rosTopics, source, log, stopped })
        : undefined;
    const latches = new Latches(config, log);
    const onObserverRemoved = (name: string, fault: unknown) => {
      statistics.observersRemoved++;
      sessionLog.observerRemoved(name, fault);
    };
    this.#sockets = new LocalSockets({
      config,
      dds,
      nodeLog,
      remoteAgents: () => this.#remoteAgents,
      control: (request) => this.#session.control(request, this.#managedLife.life.state),
      summary: () => this.summary(0),
      onStop: () => this.stop(),
      onTapFault: (fault) => onObserverRemoved('tap', fault),
    });
    const { tap } = this.#sockets;
    const nowNs = () => clocks.monotonicNs();
    this.#remoteAgents = new RemoteAgents(lab, nowNs, topicErrors, () =>
      tap?.remoteAgentsChanged(),
    );
    this.#session = new ManagedSession({
      config,
      lab,
      controllers,
      clocks,
      pacer,
      statistics,
      observers: [
        statistics,
        sessionLog,
        ...cpmLabLog,
        staleness,
        ...latches.observers,
        ...(tap === undefined ? [] : [tap]),
      ],
      onObserverRemoved,
      onFault,
      ...(probes === undefined ? {} : { probes }),
      onDeaf: (sourceId) => sessionLog.deaf(sourceId),
      topicErrors,
      timeOuts,
      askParameters: () => askLabParameters(config, lab, timeOuts, topicErrors, log, stopped),
      latched: () => latches.read(),
      givenUp: () => stopped.aborted,
      ...(clock === undefined ? {} : { clock }),
      onBegin: (parameters) => {
        options.onBegin?.();
        this.#logBegin(parameters);
        printSafetyBudget(config, parameters.periodNs, log);
      },
      onEnding: () => options.onEnding?.(),
      onOver: () => this.#managedLife.sessionOver(),
    });
    const session = this.#session;
    this.#managedLife = new ManagedLife(config, session, log, onFault);
    const { life } = this.#managedLife;
    const face = new RosFace(rosNodes, rosTopics, { config, life, session, clock, nodeLog });
    this.#managedLife.onTransition((transition) => face.transition(transition));
    this.#closers.push(() => latches.close());
    this.#closers.push(() => pacer.close());
    this.#closers.push(() => sides.close());
    this.#closers.push(() => face.close());
    this.#closers.push(() => tap?.close());
    this.#closers.push(() => life.end());
  }

  /**
   * Opens both sides; nothing begins before `start`.
   * @throws HlcError as `openSides`, or `HLC_DDS_ENTITY`, `HLC_ROS_MESSAGES`.
   */
  static async open(options: MiddlewareOptions): Promise<Middleware> {
    const { config, dds, libraries, nodeLog, onFault } = options;
    const { log } = nodeLog;
    let closing = false;
    const opened = await openSides(config, dds, libraries, log, (fault) => {
      // By then every session is over, and a callback may meet what is being destroyed.
      if (closing) log.error({ err: fault }, 'a fault in this program while a side is closed');
      else onFault(fault);
    });
    const close = () => {
      closing = true;
      return opened.close();
    };
    try {
      return new Middleware(options, { ...opened, close });
    } catch (error) {
      await close();
      throw error;
    }
  }

  /**
   * Begins: configures and activates the node where its configuration says so, and opens the control
   * socket.
   * @returns false when the process was to end before that.
   * @throws HlcError why it cannot begin.
   */
  async start(): Promise<boolean> {
    const { config, stopped, nodeLog } = this.#options;
    const stop = () => this.stop();
    const isStopped = () => this.#stopped.aborted;
    // With ROS 2 the sides take up to a second to open; a signal within that time ends the run.
    if (isStopped()) return false;
    stopped.addEventListener('abort', stop);
    this.#closers.push(() => stopped.removeEventListener('abort', stop));
    // Before the session, so that a reader can have all of it.
    await this.#sockets.openTap();
    await this.#options.onTapOpen?.();
    if (isStopped()) return false;
    // A lab may let it wait for its parameters for long.
    const controlSocket = await this.#sockets.openControlSocket();
    this.#closers.push(() => controlSocket?.close());
    if (isStopped()) return false;
    if (config.autostart && !(await this.#managedLife.start())) {
      if (isStopped()) return false;
      throw this.#managedLife.failure as Error;
    }
    if (!config.autostart) {
      nodeLog.log.info('unconfigured; other nodes say when to configure and activate');
    }
    return true;
  }

  /** Ends the session and the life of the node; `over` settles then. */
  stop(): void {
    this.#stopping.abort();
    void this.#managedLife.life.end();
  }

  /**
   * Settles when there is nothing left to do.
   * @throws HlcError why the session, or its beginning, failed.
   */
  async over(): Promise<void> {
    await this.#managedLife.over;
    if (this.#managedLife.failure !== undefined) throw this.#managedLife.failure as Error;
  }

  /** Settles when this middleware, or the process, is to end. */
  async stopped(): Promise<void> {
    if (!this.#stopped.aborted) await once(this.#stopped, 'abort');
  }

  /** How the last session ended; undefined when none did. */
  get lastEnd(): Ended | undefined {
    return this.#session.lastEnd;
  }

  /** Undefined when there is no session. */
  view(): NodeView | undefined {
    return this.#session.view();
  }

  /**
   * The figures of all sessions; undefined when there was none.
   * @param outputLinesLost of the log and the display of the process.
   */
  summary(outputLinesLost: number): RunSummary | undefined {
    return this.#session.begun ? this.#statistics.summary(outputLinesLost) : undefined;
  }

  /** Ends what runs and closes both sides; those on plain DDS close with their context. */
  close(): Promise<void> {
    return this.#closers.close();
  }

  #logBegin({ activeVehicleIds, periodNs }: LabParameters): void {
    const { config, dds, nodeLog } = this.#options;
    const { sides } = config;
    const { vehicleIds, time } = config.session;
    nodeLog.log.info(
      {
        vehicle_ids: vehicleIds,
        active_vehicle_ids: activeVehicleIds,
        period_ms: toMs(periodNs),
        simulated_time: time.mode === 'simulated',
        lab_domain: sides.lab.domainId,
        controller_domain: sides.controller.domainId,
        lab_interfaces: dds.interfacesOf(sides.lab.domainId),
        controller_interfaces: dds.interfacesOf(sides.controller.domainId),
        cyclone: dds.cycloneVersion,
      },
      `waiting for controllers: ${vehicleIds.join(', ')}`,
    );
  }
}

function timeOutsOf({ config, nodeLog }: MiddlewareOptions, sides: Sides): TimeOuts {
  const lab = localEndpoints('lab', config.sides.lab.domainId, sides.lab);
  const controllers = localEndpoints(
    'controller',
    config.sides.controller.domainId,
    sides.controllers,
  );
  return new TimeOuts(
    config,
    { local: lab, other: controllers, discovered: sides.discoveredOnLab },
    { local: controllers, other: lab, discovered: sides.discoveredByControllers },
    nodeLog.log,
  );
}
