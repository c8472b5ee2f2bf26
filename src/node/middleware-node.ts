import type { RunConfig } from '../config/index.js';
import type { ControlRequest, ControlStatus } from '../control/index.js';
import { HlcError } from '../core/errors/index.js';
import {
  StaleVehicles,
  type Effect,
  type Ended,
  type SessionEvent,
  type StepControl,
  type WriterId,
} from '../core/index.js';
import { unknownWriter } from '../core/ports/index.js';
import type { Clocks, Pacer } from '../dds/index.js';
import type { NestedSample, VehicleObservation, VehicleState } from '../messages/index.js';
import {
  commandTopics,
  ControllerSide,
  LabLink,
  LabSide,
  type ReceivedCommand,
  type Side,
} from '../sides/index.js';
import type { NodeView } from './node-view.js';
import { readClocks } from './read-clocks.js';
import type { RunStatistics } from './run-statistics.js';
import { createSession, type LabParameters, type NodeSession } from './session-factory.js';
import type { SessionLog } from './session-log.js';
import { StartPreparer } from './start-preparer.js';
import { startSignalSample } from './start-signal.js';
import type { ReadinessReport } from './time-outs.js';
import type { CountedTopicErrors } from './topic-errors.js';
import { WakeUps } from './wake-ups.js';

type NodeEvent = SessionEvent<NestedSample, NestedSample, ReceivedCommand>;
type NodeEffect = Effect<NestedSample, NestedSample, ReceivedCommand>;

type StepRequest = Exclude<ControlRequest, { command: 'status' }>;

export interface MiddlewareNodeOptions {
  readonly config: RunConfig;
  readonly parameters: LabParameters;
  readonly lab: Side;
  readonly controllers: Side;
  readonly clocks: Clocks;
  readonly pacer: Pacer;
  readonly statistics: RunStatistics;
  readonly log: SessionLog;
  readonly trouble: CountedTopicErrors;
  /** Told the time of every start signal, ns, just before it goes out. */
  readonly onTime?: (tNowNs: bigint) => void;
  /** The session is over, and the controllers were told; called once. */
  readonly onEnded: (end: Ended) => void;
}

/**
 * One middleware at work: gives the session of `core` the events of both sides and of the pacer,
 * and carries out what it answers.
 */
export class MiddlewareNode {
  readonly #options: MiddlewareNodeOptions;
  readonly #session: NodeSession;
  readonly #lab: LabSide;
  readonly #controllers: ControllerSide;
  readonly #link: LabLink;
  readonly #wakeUps: WakeUps;
  readonly #stale = new StaleVehicles();
  /** Source ids of ready signals that do not count; each once, and bounded by the session. */
  readonly #otherIds: string[] = [];
  #lastLatenessNs = 0n;
  #lastStartNs: bigint | null = null;

  /** @throws HlcError `HLC_TIME_OFFSET`, `HLC_DDS_ENTITY`. */
  constructor(options: MiddlewareNodeOptions) {
    this.#options = options;
    const { config, parameters, clocks } = options;
    this.#session = createSession(config, parameters, readClocks(clocks));
    this.#lab = this.#createLabSide();
    this.#controllers = this.#createControllerSide();
    this.#link = new LabLink(
      options.lab,
      options.controllers,
      this.#controllers,
      (nextStartNs, receivedAtNs) =>
        this.#handle({ kind: 'systemTrigger', nextStartNs, receivedAtNs }),
      this.#options.trouble,
    );
    this.#wakeUps = this.#createWakeUps();
    this.#wakeUps.arm();
  }

  /** Ends the session; `onEnded` follows. */
  stop(): void {
    this.#handle({ kind: 'stop', atNs: this.#options.clocks.monotonicNs() });
  }

  /**
   * Does what a user asks for on the control socket, and tells how things stand after it.
   * @throws HlcError `HLC_CONTROL_REAL_TIME`, `HLC_CONTROL_NOT_BACK`.
   */
  control(request: ControlRequest): ControlStatus {
    const named = request.command === 'resume' ? request.ids : undefined;
    if (request.command !== 'status' && named === undefined) this.#stepControl(request);
    if (request.command === 'resume') this.#resume(named ?? 'all');
    const { config, parameters } = this.#options;
    const { phase, startSignals, controllers } = this.view();
    return {
      node_id: config.nodeId,
      time_mode: this.#session.mode,
      phase,
      time_ns: this.#lastStartNs,
      period_ns: parameters.periodNs,
      start_signals: startSignals,
      controllers: controllers.map(({ id, state, latched, stopping, replies, misses }) => ({
        id,
        state,
        latched,
        stopping,
        replies,
        misses,
      })),
    };
  }

  /** What the live table shows. */
  view(): NodeView {
    const nowNs = this.#options.clocks.monotonicNs();
    const { statistics } = this.#options;
    const { session } = this.#session;
    return {
      phase: session.phase,
      startSignals: statistics.startSignals,
      skippedPeriods: statistics.skippedPeriods,
      lateness: statistics.lateness.quantiles(),
      lastLatenessUs: Number(this.#lastLatenessNs) / 1000,
      controllers: session.controllers().map((controller) => ({
        id: controller.id,
        state: controller.state,
        latched: controller.latched,
        stopping: controller.stopping,
        lastReplyAgeMs:
          controller.lastReplyAtNs === null
            ? undefined
            : Number(nowNs - controller.lastReplyAtNs) / 1e6,
        replies: controller.replies,
        misses: controller.misses,
      })),
    };
  }

  readiness(): ReadinessReport {
    const reports = this.#session.session.controllers();
    return {
      absent: reports.flatMap(({ id, state }) => (state === 'absent' ? [id] : [])),
      otherIds: this.#otherIds,
    };
  }

  /** The transports of both sides stay open. */
  close(): void {
    this.#wakeUps.close();
    this.#controllers.close();
  }

  #resume(ids: readonly number[] | 'all'): void {
    const atNs = this.#options.clocks.monotonicNs();
    const effects = this.#session.session.handle({ kind: 'resume', ids, atNs });
    this.#performAll(effects);
    const refused = effects.find((effect) => effect.kind === 'resumeRefused');
    if (refused !== undefined) throw new HlcError('HLC_CONTROL_NOT_BACK', { ids: refused.ids });
  }

  #stepControl(request: StepRequest): void {
    if (this.#session.mode === 'simulated') {
      const atNs = this.#options.clocks.monotonicNs();
      const control = stepControlOf(request);
      this.#performAll(this.#session.session.handle({ kind: 'stepControl', control, atNs }));
    } else if (request.command !== 'resume') {
      throw new HlcError('HLC_CONTROL_REAL_TIME', {});
    }
  }

  #handle(event: NodeEvent): void {
    this.#performAll(this.#session.session.handle(event));
  }

  #performAll(effects: readonly NodeEffect[]): void {
    for (const effect of effects) this.#perform(effect);
    this.#wakeUps.arm();
  }

  #perform(effect: NodeEffect): void {
    const { statistics, config } = this.#options;
    switch (effect.kind) {
      case 'sendStartSignal':
        this.#sendStartSignal(effect);
        break;
      case 'forwardCommand':
        this.#options.trouble.attempt(() => {
          this.#lab.forward(effect.command);
          statistics.commandsForwarded.add(commandTopics[effect.command.kind].name);
        });
        break;
      case 'commandVehicle':
        this.#options.trouble.attempt(() => this.#lab.command(effect.command));
        break;
      case 'signIn':
        this.#lab.signIn(config.nodeId, effect.nextStartNs);
        break;
      case 'unknownController':
        this.#otherIds.push(effect.sourceId);
        break;
      case 'allReady':
        this.#link.allReady();
        break;
      case 'ended':
        this.#wakeUps.cancelStart();
        // The lab's own stop was passed on already.
        if (effect.reason !== 'stopTrigger') this.#controllers.sendStop();
        this.#options.onEnded(effect);
        break;
      default:
        break;
    }
    statistics.count(effect);
    this.#options.log.effect(effect);
  }

  #sendStartSignal(effect: Extract<NodeEffect, { kind: 'sendStartSignal' }>): void {
    const { statistics, clocks, config } = this.#options;
    const wokeAtNs = clocks.monotonicNs();
    this.#lastStartNs = effect.tNowNs;
    this.#options.onTime?.(effect.tNowNs);
    this.#lastLatenessNs = effect.latenessNs;
    const sent = this.#wakeUps.sentByPacer(effect.tNowNs);
    if (sent === null) {
      this.#options.trouble.attempt(() => {
        this.#controllers.startSignals.write(startSignalSample(effect, config.absentVehicles));
      });
      this.#lastLatenessNs += clocks.monotonicNs() - wokeAtNs;
    } else if (sent.repeated) {
      statistics.startSignalsRepeated++;
    }
    statistics.lateness.record(this.#lastLatenessNs);
    this.#noticeStaleVehicles(effect);
  }

  #noticeStaleVehicles(effect: Extract<NodeEffect, { kind: 'sendStartSignal' }>): void {
    for (const change of this.#stale.look(effect.states, effect.periodNs)) {
      this.#options.log.staleness(change);
    }
    for (const id of this.#stale.ids) this.#options.statistics.staleVehicle(id);
  }

  #createWakeUps(): WakeUps {
    const { pacer, clocks, statistics, log } = this.#options;
    return new WakeUps({
      session: this.#session.session,
      pacer,
      clocks,
      preparer: this.#createPreparer(),
      wake: (now) => this.#handle({ kind: 'wake', now }),
      onStall: (stallNs) => {
        statistics.stalled(stallNs);
        log.stalled(stallNs);
      },
    });
  }

  #createPreparer(): StartPreparer | null {
    if (this.#session.mode === 'simulated') return null;
    const { pacer, parameters, config } = this.#options;
    return new StartPreparer({
      session: this.#session.session,
      pacer,
      writer: this.#controllers.startSignals,
      periodNs: parameters.periodNs,
      absentVehicles: config.absentVehicles,
    });
  }

  #createLabSide(): LabSide {
    const { statistics, lab } = this.#options;
    return new LabSide(
      lab,
      {
        vehicleState: (message, kept, receivedAtNs) => {
          statistics.vehicleSeen(message.vehicle_id, message.odometer_distance);
          this.#handle({
            kind: 'vehicleState',
            sample: sampleOf(message, kept),
            speedMps: message.speed,
            receivedAtNs,
          });
        },
        vehicleObservation: (message, kept, receivedAtNs) =>
          this.#handle({
            kind: 'vehicleObservation',
            sample: sampleOf(message, kept),
            receivedAtNs,
          }),
      },
      this.#options.trouble,
    );
  }

  #createControllerSide(): ControllerSide {
    const { controllers, clocks } = this.#options;
    return new ControllerSide(
      controllers,
      {
        readySignal: (sourceId, writerGuid) => {
          const writer = writerId(writerGuid);
          const receivedAtNs = clocks.monotonicNs();
          this.#handle({ kind: 'readySignal', sourceId, writer, receivedAtNs });
        },
        command: (command, receivedAtNs) => {
          const writer = writerId(command.writerGuid);
          this.#handle({ kind: 'command', command, writer, receivedAtNs });
        },
        writerChanged: (role, { writer, joined }) =>
          this.#handle({
            kind: 'writerChanged',
            writer: writer.guid,
            role,
            joined,
            atNs: clocks.monotonicNs(),
          }),
        deaf: (sourceId) => this.#options.log.deaf(sourceId),
      },
      this.#options.trouble,
    );
  }
}

/** Null where the transport does not tell who wrote a sample. */
function writerId(guid: string): WriterId {
  return guid === unknownWriter.guid ? null : guid;
}

function sampleOf(message: VehicleState | VehicleObservation, payload: NestedSample) {
  return {
    vehicleId: message.vehicle_id,
    createStampNs: message.header.create_stamp.nanoseconds,
    validAfterNs: message.header.valid_after_stamp.nanoseconds,
    payload,
  };
}

function stepControlOf(request: StepRequest): StepControl {
  switch (request.command) {
    case 'pause':
    case 'resume':
      return { kind: request.command };
    case 'step':
      return { kind: 'step', count: request.count };
    case 'runUntil':
      return { kind: 'runUntil', tNs: request.time_ns };
  }
}
