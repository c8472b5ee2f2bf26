import type { RunConfig } from '../../config/index.js';
import type { SessionRequest, ControlStatus } from '../../remote/index.js';
import { type Command, type Ended, type LatchedVehicle } from '../../core/index.js';
import type { Clocks, Pacer } from '../../dds/index.js';
import { openSession, type SampleSession } from '../../tap/index.js';
import { LabLink, type ControllerSide, type LabSide, type Side } from '../../sides/index.js';
import { EffectPerformer } from './effect-performer.js';
import type { NodeView } from './node-view.js';
import { ObserverList, type OnObserverRemoved } from '../observers/observer-list.js';
import type {
  NodeEffect,
  NodeEvent,
  Performed,
  PerformedEffect,
  SessionObserver,
  SessionProbes,
} from '../observers/session-observer.js';
import { SessionView } from '../observers/session-view.js';
import { readClocks } from './read-clocks.js';
import type { RunStatistics } from '../observers/run-statistics.js';
import { rehearse } from './rehearsal.js';
import { sessionSettings, type LabParameters } from './session-factory.js';
import { carryOut } from './session-requests.js';
import { EmergencySamples, refreshEveryNs } from './emergency-samples.js';
import { HangGuard } from './hang-guard.js';
import { HangStops } from './hang-stops.js';
import { GuardTakeOver } from './guard-take-over.js';
import { HeldCommands } from './held-commands.js';
import { HeldUpStops } from './held-up-stops.js';
import { openControllerSide, openLabSide } from './side-events.js';
import { StartWriter } from './start-writer.js';
import { StatusReport } from './status-report.js';
import { TimeHold } from './time-hold.js';
import type { ReadinessReport } from './time-outs.js';
import type { CountedTopicErrors } from './topic-errors.js';
import { createWarmUps } from './warm-up.js';
import { WakeUps } from './wake-ups.js';

export interface MiddlewareNodeOptions {
  readonly config: RunConfig;
  readonly parameters: LabParameters;
  readonly lab: Side;
  readonly controllers: Side;
  readonly clocks: Clocks;
  readonly pacer: Pacer;
  readonly statistics: RunStatistics;
  /** Controllers that an earlier run stopped and no user has resumed. */
  readonly latched: readonly LatchedVehicle[];
  /** They see all that the session takes in and does, in this order. */
  readonly observers: readonly SessionObserver[];
  readonly onObserverRemoved: OnObserverRemoved;
  /** Session or effect threw: the state of the rules is unknown. What it throws is ignored. */
  readonly onFault: (fault: unknown) => void;
  /** For tests of faults. */
  readonly probes?: SessionProbes;
  readonly topicErrors: CountedTopicErrors;
  /** Called with the source id of a controller that is ready and has no reader for start signals. */
  readonly onDeaf: (sourceId: string) => void;
  /** Called in simulated time with that of every start signal, ns, just before it goes out. */
  readonly onTime?: (tNowNs: bigint) => void;
  /** The run is over, and the vehicles are being brought to rest; called once. */
  readonly onEnding?: () => void;
  /** The session is over; called once. */
  readonly onEnded: (end: Ended) => void;
}

const nothingPerformed: readonly PerformedEffect[] = [];

/**
 * One middleware at work: gives the session of `core` the events of both sides and of the pacer,
 * and carries out what it answers.
 */
export class MiddlewareNode {
  readonly #options: MiddlewareNodeOptions;
  readonly #session: SampleSession;
  readonly #lab: LabSide;
  readonly #controllers: ControllerSide;
  readonly #link: LabLink;
  readonly #startWriter: StartWriter | null;
  readonly #hangGuard: HangGuard;
  readonly #emergency: EmergencySamples;
  readonly #heldUpStops: HeldUpStops | null;
  readonly #guardTakeOver: GuardTakeOver;
  readonly #refreshTimer: NodeJS.Timeout;
  readonly #status: StatusReport;
  readonly #performer: EffectPerformer;
  readonly #wakeUps: WakeUps;
  /** Null in real time, where nothing waits. */
  readonly #timeHold: TimeHold | null;
  readonly #view: SessionView;
  readonly #observers: ObserverList;
  readonly #heldCommands: HeldCommands;
  readonly #hangStops: HangStops;
  #isHandling = false;
  /** Events that came while another one was handled. */
  readonly #following: NodeEvent[] = [];

  /** @throws HlcError `HLC_TIME_OFFSET`, `HLC_DDS_ENTITY`. */
  constructor(options: MiddlewareNodeOptions) {
    this.#options = options;
    const { config, parameters, clocks, statistics, observers } = options;
    const settings = sessionSettings(config, parameters, options.latched);
    rehearse(settings);
    const now = readClocks(clocks);
    const session = openSession(settings, now);
    this.#session = session;
    const { nodeId } = config;
    this.#view = new SessionView({ nodeId, ...parameters, session, statistics, clocks });
    const warmUps = createWarmUps(settings, () => clocks.monotonicNs());
    const all = [this.#view, ...observers, ...warmUps];
    this.#observers = new ObserverList(all, options.onObserverRemoved);
    this.#observers.begun(settings, now);
    this.#timeHold = session.mode === 'simulated' ? this.#createTimeHold() : null;
    const { lab, controllers, topicErrors, onDeaf } = options;
    const handle = (event: NodeEvent) => this.#handle(event);
    this.#guardTakeOver = this.#createGuardTakeOver();
    this.#lab = openLabSide(lab, topicErrors, handle, (guardEpoch, stops) =>
      this.#guardTakeOver.guardStops(guardEpoch, stops),
    );
    this.#heldCommands = new HeldCommands({
      isBehind: (nowNs) => this.#wakeUps.isCatchingUp(nowNs) && this.#isGuarded,
      holdsAll: () => this.#hangStops.isWaiting,
      nowNs: () => clocks.monotonicNs(),
      handle,
    });
    this.#hangStops = new HangStops({
      isGuarded: () => this.#isGuarded,
      holdSession: (ms) => this.#wakeUps.hold(BigInt(ms) * 1_000_000n),
      stopAll: (cause) => {
        this.#guardTakeOver.release();
        const atNs = clocks.monotonicNs();
        const sent = this.#emergency.sentAhead();
        handle({ kind: 'vehiclesStopped', cause, ids: 'all', sent, atNs });
      },
    });
    const receive = (event: NodeEvent) => {
      this.#seeHang();
      this.#heldCommands.receive(event);
    };
    this.#controllers = openControllerSide(controllers, topicErrors, clocks, receive, onDeaf);
    this.#link = new LabLink(
      lab,
      controllers,
      this.#controllers,
      (nextStartNs, receivedAtNs) => handle({ kind: 'systemTrigger', nextStartNs, receivedAtNs }),
      topicErrors,
    );
    this.#startWriter = session.mode === 'real' ? this.#createStartWriter() : null;
    this.#hangGuard = new HangGuard(
      options.pacer.emergencyStop,
      config.safety.hangLimitNs,
      clocks.monotonicNs(),
    );
    this.#emergency = this.#createEmergency();
    this.#heldUpStops = this.#session.mode === 'simulated' ? null : this.#createHeldUpStops();
    this.#status = this.#createStatus();
    this.#performer = this.#createPerformer();
    this.#wakeUps = this.#createWakeUps();
    this.#wakeUps.arm();
    // Between the wake-ups of a long period, too.
    this.#refreshTimer = setInterval(
      () => {
        if (this.#session.mode !== 'simulated') this.#refreshEmergency(clocks.monotonicNs());
      },
      Number(refreshEveryNs) / 1e6,
    );
  }

  /** True when the session is over. */
  get isOver(): boolean {
    return this.#session.session.phase === 'ended';
  }

  /** Ends the session: the vehicles are brought to rest, then `onEnded` follows. */
  stop(): void {
    this.#seeHang();
    this.#handle({ kind: 'stop', atNs: this.#options.clocks.monotonicNs() });
  }

  /**
   * Carries out a request of the control socket.
   * @throws HlcError `HLC_CONTROL_REAL_TIME`, `HLC_CONTROL_PAST`, `HLC_CONTROL_NOT_BACK`.
   */
  control(request: SessionRequest): ControlStatus {
    carryOut(request, {
      mode: this.#session.mode,
      handle: (event) => this.#handle(event),
      stepControl: (control) => this.#timeHold?.byUser(control),
      timeNs: () => this.#view.status().time_ns,
      nowNs: () => this.#options.clocks.monotonicNs(),
    });
    return this.#view.status();
  }

  /** What the live table shows. */
  view(): NodeView {
    return this.#view.view();
  }

  readiness(): ReadinessReport {
    return this.#view.readiness();
  }

  /** The transports of both sides stay open. */
  close(): void {
    this.#options.pacer.emergencyStop.onSending(() => true);
    this.#hangGuard.close();
    this.#hangStops.close();
    this.#heldUpStops?.close();
    clearInterval(this.#refreshTimer);
    this.#startWriter?.cancel();
    this.#timeHold?.close();
    this.#status.close();
    this.#wakeUps.close();
    this.#controllers.close();
  }

  /** What is decided from now on knows of the stop that the pacer made in a hang. */
  #seeHang(): void {
    const { config, pacer } = this.#options;
    // As in simulated time by default: no hang stops a vehicle, and commands come often.
    if (config.safety.hangLimitNs !== null) pacer.emergencyStop.seeHang();
  }

  /** A guard stops no vehicle in simulated time. */
  get #isGuarded(): boolean {
    return this.#session.mode === 'real' && this.#lab.hasGuard;
  }

  /**
   * The only way to the session: gives it an event, performs its effects, then calls the observers.
   * An event that comes from performing an effect follows after that.
   * @returns the effects; none yet of an event that follows.
   */
  #handle(event: NodeEvent): readonly NodeEffect[] {
    if (this.#isHandling) {
      this.#following.push(event);
      return [];
    }
    this.#isHandling = true;
    try {
      const effects = this.#handleNow(event);
      for (let next = this.#following.shift(); next; next = this.#following.shift()) {
        this.#handleNow(next);
      }
      return effects;
    } finally {
      this.#isHandling = false;
    }
  }

  #handleNow(event: NodeEvent): readonly NodeEffect[] {
    const { clocks, probes, onFault } = this.#options;
    try {
      probes?.event?.(event);
      const effects = this.#decide(event);
      const records =
        effects.length === 0
          ? nothingPerformed
          : effects.map((effect) => ({ effect, performed: this.#perform(effect) }));
      if (event.kind === 'vehiclesStopped') this.#emergency.stoppedElsewhere(event.ids);
      this.#wakeUps.arm();
      const at = { monotonicNs: clocks.monotonicNs(), realtimeNs: clocks.realtimeNs() };
      this.#observers.handled(event, records, at);
      this.#timeHold?.handled(effects);
      return effects;
    } catch (fault) {
      onFault(fault);
      throw fault;
    }
  }

  #decide(event: NodeEvent): readonly NodeEffect[] {
    const { mode, session } = this.#session;
    if (mode === 'simulated') return session.handle(event);
    return event.kind === 'stepControl' ? [] : session.handle(event);
  }

  #perform(effect: NodeEffect): Performed {
    this.#options.probes?.effect?.(effect);
    return this.#performer.perform(effect);
  }

  #createPerformer(): EffectPerformer {
    const { config, clocks, topicErrors, onTime, onEnding, onEnded } = this.#options;
    return new EffectPerformer({
      config,
      clocks,
      topicErrors,
      lab: this.#lab,
      controllers: this.#controllers,
      link: this.#link,
      startWriter: this.#startWriter,
      emergency: this.#emergency,
      heldUpStops: this.#heldUpStops,
      status: this.#status,
      wantSamples: () => this.#observers.wantSamples,
      onTime,
      onEnding,
      onEnded,
    });
  }

  #createStartWriter(): StartWriter {
    const { pacer, clocks, config, topicErrors } = this.#options;
    return new StartWriter({
      timedWriter: pacer.timedWriter,
      writer: this.#controllers.startSignals,
      clocks,
      absentVehicles: config.session.absentVehicles,
      attempt: (write) => topicErrors.attempt(write),
      onSent: ({ plan, index, value: tNowNs, monotonicNs, realtimeNs }, bytes) => {
        const now = { monotonicNs, realtimeNs };
        const atNs = clocks.monotonicNs();
        this.#heldCommands.receive({ kind: 'startSent', plan, index, tNowNs, now, atNs, bytes });
      },
    });
  }

  #createTimeHold(): TimeHold {
    return new TimeHold({
      wanted: () => this.#observers.timeHold(),
      onHold: (isHeld, isPaused) => this.#observers.held(isHeld, isPaused),
      control: (control) => {
        const atNs = this.#options.clocks.monotonicNs();
        this.#handle({ kind: 'stepControl', control, atNs });
      },
    });
  }

  #createEmergency(): EmergencySamples {
    const { pacer, clocks } = this.#options;
    const { emergencyStop } = pacer;
    emergencyStop.onSentByHang((stop) => {
      this.#observers.stalled(stop.silentNs);
      this.#hangStops.sent(stop);
    });
    const samples = new EmergencySamples({
      emergencyStop,
      standStill: (atNs, ids, prepared) =>
        this.#session.session.standStill(atNs, ids, {
          hangAfterNs: this.#hangGuard.leftNs(atNs),
          ...prepared,
        }),
      writerOf: (kind: Command['kind']) => this.#lab.writerOf(kind),
      triggers: this.#controllers.triggers,
      nowNs: () => clocks.monotonicNs(),
      simulatedTime: this.#session.mode === 'simulated',
    });
    emergencyStop.onSending((stall) => {
      // A guard goes on when this program has ended. Without a stop the vehicles have followed their plans.
      const isForGuard = stall === 'suspended' && this.#isGuarded;
      const stopsElsewhere = stall === 'stopped' || isForGuard || this.#hangStops.isWaiting;
      if (stopsElsewhere) samples.cover();
      else samples.coverAll();
      return !stopsElsewhere;
    });
    return samples;
  }

  /** Not before what came during a stall is known: another program may have stopped the vehicles meanwhile. */
  #refreshEmergency(nowNs: bigint, silentNs?: bigint): void {
    if (!this.#wakeUps.isCatchingUp(nowNs)) this.#emergency.refresh(nowNs, silentNs);
  }

  #createHeldUpStops(): HeldUpStops {
    const { pacer, config, clocks } = this.#options;
    return new HeldUpStops({
      ramps: pacer.stopRamps,
      writer: this.#lab.writerOf('pathTracking'),
      brakingMps2: config.safety.brakingMps2,
      clocks,
    });
  }

  #createStatus(): StatusReport {
    const { config, parameters, pacer, clocks, topicErrors } = this.#options;
    return new StatusReport({
      nodeId: config.nodeId,
      epoch: clocks.realtimeNs(),
      periodNs: parameters.periodNs,
      session: this.#session,
      takenOver: this.#guardTakeOver.stops,
      beacon: pacer.statusBeacon,
      writer: this.#lab.statusWriter,
      realtimeNs: () => clocks.realtimeNs(),
      attempt: (write) => topicErrors.attempt(write),
    });
  }

  #createGuardTakeOver(): GuardTakeOver {
    const nowNs = () => this.#options.clocks.monotonicNs();
    return new GuardTakeOver({
      // The stop of a hang waits for that of the guard.
      isBehind: () => this.#wakeUps.isCatchingUp(nowNs()) && !this.#hangStops.isWaiting,
      commandedIds: () => this.#session.session.sentCommands().map(({ id }) => id),
      stop: (sent) => {
        const ids = sent.map(({ id }) => id);
        this.#handle({ kind: 'vehiclesStopped', cause: 'guard', ids, sent, atNs: nowNs() });
      },
      onTaken: () => this.#status.takenOver(),
    });
  }

  #createWakeUps(): WakeUps {
    const { pacer, clocks, config } = this.#options;
    return new WakeUps({
      session: this.#session.session,
      pacer,
      clocks,
      startWriter: this.#startWriter,
      wake: (now) => this.#handle({ kind: 'wake', now }),
      onTick: () => this.#seeHang(),
      beforeWake: () => {
        this.#guardTakeOver.release();
        if (!this.#hangStops.isWaiting) this.#heldCommands.release();
      },
      onAwake: (nowNs, isServed) => {
        const refresh = (silentNs?: bigint) => this.#refreshEmergency(nowNs, silentNs);
        if (isServed) this.#hangGuard.beat(this.#isGuarded, nowNs, refresh);
        else refresh();
        this.#status.refresh(nowNs);
      },
      onStall: (stallNs) => this.#observers.stalled(stallNs),
      hangLimitNs: config.safety.hangLimitNs,
      onIdle: () => this.#observers.idle(),
    });
  }
}
