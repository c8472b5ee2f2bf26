import type { RunConfig } from '../config/index.js';
import {
  RealTimeSession,
  defaultCommandRules,
  defaultJudgeDelay,
  type Effect,
  type EndReason,
  type RealTimeEvent,
} from '../core/index.js';
import { isHlcError } from '../core/errors/index.js';
import type { Transport } from '../core/ports/index.js';
import type { Clocks, Pacer } from '../dds/index.js';
import type { QosProfile } from '../dds/qos/index.js';
import type { VehicleObservation, VehicleState } from '../messages/index.js';
import { readClocks } from './read-clocks.js';
import { commandTopics, type ReceivedCommand } from './command-topics.js';
import { ControllerSide } from './controller-side.js';
import { LabSide } from './lab-side.js';
import type { Logger } from './logger.js';
import type { NodeView } from './node-view.js';
import type { RunStatistics } from './run-statistics.js';
import { SessionLog } from './session-log.js';
import { startSignalMessage } from './start-signal.js';

type NodeEvent = RealTimeEvent<VehicleState, VehicleObservation, ReceivedCommand>;
type NodeEffect = Effect<VehicleState, VehicleObservation, ReceivedCommand>;

/** One side: its transport and its QoS. */
export interface Side {
  readonly transport: Transport;
  readonly profile: QosProfile;
}

export interface RealTimeNodeOptions {
  readonly config: RunConfig;
  readonly lab: Side;
  readonly controllers: Side;
  readonly clocks: Clocks;
  readonly pacer: Pacer;
  readonly statistics: RunStatistics;
  readonly log: Logger;
  /** The session is over; called once. */
  readonly onEnded: (reason: EndReason) => void;
}

const phaseTexts: Record<RealTimeSession<never, never, never>['phase'], string> = {
  waitingForControllers: 'waiting for controllers',
  waitingForStart: 'waiting for the start',
  running: 'running',
  ended: 'ended',
};

/**
 * The middleware in real time: gives the session of `core` the events of both sides and of the
 * pacer, and carries out what it answers.
 */
export class RealTimeNode {
  readonly #options: RealTimeNodeOptions;
  readonly #session: RealTimeSession<VehicleState, VehicleObservation, ReceivedCommand>;
  readonly #lab: LabSide;
  readonly #controllers: ControllerSide;
  readonly #log: SessionLog;
  #armedNs: bigint | null = null;
  #lastLatenessNs = 0n;

  constructor(options: RealTimeNodeOptions) {
    this.#options = options;
    const { config, clocks, pacer, statistics } = options;
    this.#log = new SessionLog(options.log, () => clocks.monotonicNs());
    this.#session = new RealTimeSession(
      {
        vehicleIds: config.vehicleIds,
        activeVehicleIds: config.activeVehicleIds,
        periodNs: config.periodNs,
        offsetNs: config.offsetNs,
        waitForStart: config.waitForStart,
        periods: config.periods ?? null,
        overrun: { kind: 'skip' },
        rules: defaultCommandRules,
        judgeDelayNs: defaultJudgeDelay(config.periodNs),
      },
      readClocks(clocks),
    );
    const trouble = {
      malformed: (topic: string, writerGuid: string, cause: string) => {
        statistics.samplesMalformed.add(topic);
        this.#log.malformed(topic, writerGuid, cause);
      },
      incompatibleQos: this.#log.incompatibleQos.bind(this.#log),
      lost: this.#log.lost.bind(this.#log),
    };
    this.#lab = new LabSide(options.lab.transport, options.lab.profile, {
      ...trouble,
      vehicleState: (message, receivedAtNs) => {
        statistics.vehicleSeen(message.vehicle_id, message.odometer_distance);
        this.#handle({ kind: 'vehicleState', sample: sampleOf(message), receivedAtNs });
      },
      vehicleObservation: (message, receivedAtNs) =>
        this.#handle({ kind: 'vehicleObservation', sample: sampleOf(message), receivedAtNs }),
    });
    this.#controllers = new ControllerSide(
      options.controllers.transport,
      options.controllers.profile,
      {
        ...trouble,
        readySignal: (sourceId) =>
          this.#handle({ kind: 'readySignal', sourceId, receivedAtNs: clocks.monotonicNs() }),
        command: (command, receivedAtNs) =>
          this.#handle({ kind: 'command', command, receivedAtNs }),
        deaf: (sourceId) => this.#log.deaf(sourceId),
      },
    );
    pacer.onTick(() => {
      this.#armedNs = null;
      this.#handle({ kind: 'wake', now: readClocks(clocks) });
    });
    this.#arm();
  }

  /** Ends the session; `onEnded` follows. */
  stop(): void {
    this.#handle({ kind: 'stop' });
  }

  /** What the live table shows. */
  view(): NodeView {
    const nowNs = this.#options.clocks.monotonicNs();
    const { statistics } = this.#options;
    return {
      phase: phaseTexts[this.#session.phase],
      startSignals: statistics.startSignals,
      skippedPeriods: statistics.skippedPeriods,
      lateness: statistics.lateness.quantiles(),
      lastLatenessUs: Number(this.#lastLatenessNs) / 1000,
      controllers: this.#session.controllers().map((controller) => ({
        id: controller.id,
        state: controller.state,
        lastReplyAgeMs:
          controller.lastReplyAtNs === null
            ? undefined
            : Number(nowNs - controller.lastReplyAtNs) / 1e6,
        replies: controller.replies,
        misses: controller.misses,
      })),
    };
  }

  close(): void {
    this.#options.pacer.disarm();
    this.#lab.close();
    this.#controllers.close();
  }

  #handle(event: NodeEvent): void {
    for (const effect of this.#session.handle(event)) this.#perform(effect);
    this.#arm();
  }

  #arm(): void {
    const wakeAtNs = this.#session.wakeAtNs;
    if (wakeAtNs === null || wakeAtNs === this.#armedNs) return;
    this.#armedNs = wakeAtNs;
    this.#options.pacer.arm(wakeAtNs);
  }

  #perform(effect: NodeEffect): void {
    const { statistics } = this.#options;
    switch (effect.kind) {
      case 'sendStartSignal':
        this.#sendStartSignal(effect);
        break;
      case 'forwardCommand':
        this.#write(() => {
          this.#lab.forward(effect.command);
          statistics.commandsForwarded.add(commandTopics[effect.command.kind].name);
        });
        break;
      case 'refuseCommand':
        statistics.commandsRefused.add(effect.code);
        break;
      case 'flagCommand':
        for (const { code } of effect.violations) statistics.commandsFlagged.add(code);
        break;
      case 'replied':
        statistics.replied(effect.id, effect.replyTimeNs);
        break;
      case 'lateReply':
        statistics.repliedLate(effect.id);
        break;
      case 'missed':
        for (const { id } of effect.misses) statistics.missed(id);
        break;
      case 'periodsSkipped':
        statistics.skippedPeriods += effect.count;
        break;
      case 'ended':
        this.#write(() => this.#controllers.sendStop());
        this.#options.onEnded(effect.reason);
        break;
      default:
        break;
    }
    this.#log.effect(effect);
  }

  #sendStartSignal(effect: Extract<NodeEffect, { kind: 'sendStartSignal' }>): void {
    const { statistics, clocks, config } = this.#options;
    const wokeAtNs = clocks.monotonicNs();
    this.#write(() => {
      this.#controllers.sendStartSignal(
        startSignalMessage(effect, config.activeVehicleIds, config.absentVehicles),
      );
    });
    this.#lastLatenessNs = effect.latenessNs + clocks.monotonicNs() - wokeAtNs;
    statistics.startSignals++;
    statistics.lateness.record(this.#lastLatenessNs);
  }

  /** A reader that holds up a write is told of; it must not end the session. */
  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isHlcError(error)) throw error;
      this.#options.statistics.writesFailed.add(error.code);
      this.#log.writeFailed(error);
    }
  }
}

function sampleOf<T extends VehicleState | VehicleObservation>(message: T) {
  return {
    vehicleId: message.vehicle_id,
    createStampNs: message.header.create_stamp.nanoseconds,
    validAfterNs: message.header.valid_after_stamp.nanoseconds,
    payload: message,
  };
}
