import {
  checkCodes,
  type ControllersMissing,
  type EndReason,
  explainViolation,
  printable,
  type FlagCommand,
  type RefuseCommand,
  type SafeStop,
  type StalenessChange,
  toMs,
  toS,
  type Violation,
} from '../../core/index.js';
import { namedIds } from '../../errors/index.js';
import type { ReceivedCommand, TopicErrors } from '../../sides/index.js';
import type { SessionSettings } from '../../tap/index.js';
import type { Logger } from '../logger.js';
import type { NodeEffect, NodeEvent, SessionObserver } from './session-observer.js';
import { LateStarts } from './late-starts.js';
import { RateLimiter } from './rate-limiter.js';
import { logMovesAgain, logStillMoving, logVehicleStopped } from './stop-log.js';

const endSentences: Record<EndReason, string> = {
  stopTrigger: 'the lab stopped the run',
  stopped: 'the run was stopped',
  periodsDone: 'the wanted number of periods is over',
  untilReached: 'simulated time reached its end',
  readyTimeout: 'not all controllers became ready in time',
  startTimeout: 'the system trigger of the lab control did not come in time',
  replyTimeout: 'a step was not answered in time',
  overrun: 'the middleware was late for a period, and --overrun-policy=halt ends the run',
};

const stopSentences: Record<SafeStop['cause'], string> = {
  misses: 'its controller missed too many periods in a row',
  silent: 'its controller has not replied for longer than --stop-after-ms',
  gone: "its controller's process is gone",
  dropped: 'its controller did not answer a step in time',
  stalled:
    'this program stood still for longer than --hang-limit-ms, and sent the controllers the stop trigger',
  guard: 'the guard stopped it',
};

/** For example "ready signals of controllers 1, 2". */
function awaitedOf({ awaited, ids }: ControllersMissing): string {
  const [one, several] =
    awaited === 'readySignal' ? ['ready signal', 'ready signals'] : ['reply', 'replies'];
  return `${ids.length === 1 ? one : several} of ${namedIds('controller', ids)}`;
}

/** What a user has to do so that the vehicle drives again. */
function afterStop({ id, cause, latched }: SafeStop): string {
  const resumed = `"hlc-middleware resume ${id}" lets it go on`;
  if (cause !== 'stalled') return latched ? `; when the controller is back, ${resumed}` : '';
  return `; start its controller again${latched ? `, then ${resumed}` : ''}`;
}

/** Commands of a controller that is out are refused until a user resumes it: named this often, ns. */
const outIntervalNs = 10_000_000_000n;

/** Simulated time that waits for a recorder does this many times per second: said this often, ns. */
const holdIntervalNs = 10_000_000_000n;

/** Writes the events of a session and of its topics to the log. */
export class SessionLog implements SessionObserver, TopicErrors {
  readonly name = 'log';
  readonly #repeated = new RateLimiter();
  #inSimulatedTime = false;
  #timeStands = false;
  /** Simulated time is held for an observer. */
  #isHeld = false;
  /** The next step when time was last paused, ns. */
  #pausedAtNs: bigint | undefined;
  readonly #lateStarts = new LateStarts();
  readonly #repeatedOut = new RateLimiter(outIntervalNs);
  readonly #repeatedHold = new RateLimiter(holdIntervalNs);

  constructor(
    private readonly log: Logger,
    private readonly monotonicNs: () => bigint,
    private readonly domains: { readonly lab: number; readonly controllers: number },
    /** False: another observer reports commands that failed a check and were forwarded. */
    private readonly reportsFlagged = true,
  ) {}

  begun({ mode }: SessionSettings): void {
    this.#inSimulatedTime = mode === 'simulated';
    this.#timeStands = false;
  }

  held(isHeld: boolean, isPaused: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) {
      this.#pausedAtNs = undefined;
      const isNews = this.#repeatedHold.pass('held', this.monotonicNs()) !== undefined;
      if (isNews) this.log.info('simulated time waits for a recorder that is slower');
    } else if (isPaused && this.#pausedAtNs !== undefined) this.#paused(this.#pausedAtNs);
  }

  event(event: NodeEvent): void {
    // Also where no stop of a vehicle follows, as with --miss-policy=log: the trigger was sent all the same.
    if (event.kind === 'vehiclesStopped' && event.cause !== 'guard') {
      this.log.error(
        'this program stood still for longer than --hang-limit-ms: it sent the stop trigger to the controllers, which ends them, and stop commands to the vehicles; start the controllers again',
      );
    }
  }

  effect(effect: NodeEffect): void {
    switch (effect.kind) {
      case 'controllerReady':
        this.log.info(
          { controller: effect.id },
          effect.admitted ? 'controller is admitted' : 'controller is ready',
        );
        break;
      case 'allReady':
        this.log.info('all controllers are ready');
        break;
      case 'controllersMissing':
        this.log.info(
          { controllers: effect.ids, waited_s: toS(effect.waitedNs) },
          `waiting for the ${awaitedOf(effect)} on DDS domain ${this.domains.controllers}`,
        );
        break;
      case 'triggerMissing':
        this.log.info(
          { waited_s: toS(effect.waitedNs) },
          `waiting for the system trigger of the lab control${effect.wantedNs === null ? '' : ` for ${effect.wantedNs} ns`} on DDS domain ${this.domains.lab}`,
        );
        break;
      case 'unknownController':
        this.log.warn(
          { source_id: printable(effect.sourceId) },
          'a ready signal came from a source that is no controller of this middleware; check --vehicle-ids',
        );
        break;
      case 'controllerChanged':
        this.log.info(
          { controller: effect.id, from: effect.from, to: effect.to },
          `controller ${effect.id} is ${effect.to}${effect.to === 'rejoining' && effect.latched ? `, and waits for "hlc-middleware resume ${effect.id}"` : ''}`,
        );
        break;
      case 'secondController':
        this.log.error(
          { controller: effect.id, writer: effect.writer, owner: effect.owner },
          `a second process signs in or commands as controller ${effect.id}; it is not served, and its commands do not count: end the process with the wrong id. A controller that was killed and started again is served when the lease of its first process ends`,
        );
        break;
      case 'safeStop':
        this.log.error(
          { controller: effect.id, cause: effect.cause, latched: effect.latched },
          `vehicle ${effect.id} is being stopped: ${stopSentences[effect.cause]}${effect.cause === 'misses' ? this.#lateStarts.lastMissOf(effect.id) : ''}${afterStop(effect)}`,
        );
        break;
      case 'vehicleStopped':
        logVehicleStopped(this.log, effect, this.#timeStands);
        break;
      case 'vehicleMovesAgain':
        logMovesAgain(this.log, effect.id);
        break;
      case 'commandVehicle':
        if (effect.cause === 'hold') {
          this.log.warn(
            { vehicle: effect.id },
            `the last command of controller ${effect.id} is repeated`,
          );
        }
        break;
      case 'resumed':
        this.log.warn({ controller: effect.id }, `controller ${effect.id} may take part again`);
        break;
      case 'resumeRefused':
        this.log.warn(
          { controllers: effect.ids },
          `not resumed: ${namedIds('controller', effect.ids)}, because not back yet`,
        );
        break;
      case 'refuseCommand':
        this.#command(effect, 'refused', effect.code, effect.code);
        break;
      case 'flagCommand':
        if (this.reportsFlagged) {
          const [first] = effect.violations;
          this.#command(effect, 'forwarded in spite of a failed check', 'flagged', first?.code);
        }
        break;
      case 'lateReply':
        this.log.debug({ controller: effect.id }, 'late reply');
        break;
      case 'missed':
        this.log.warn(
          { misses: effect.misses, t_now_ns: effect.tNowNs.toString() },
          `period missed by controller ${effect.misses.map(({ id }) => id).join(', ')}${this.#lateStarts.missed(effect)}`,
        );
        break;
      case 'replyTimeout':
        this.log.warn({ controllers: effect.ids }, 'reply time-out');
        break;
      case 'periodsSkipped':
        this.log.warn({ count: effect.count }, 'the middleware was late: periods skipped');
        break;
      case 'clockStepped':
        this.log.warn({ step_s: toS(effect.stepNs) }, 'the wall clock was set');
        break;
      case 'paused':
        this.#paused(effect.nextNs);
        break;
      case 'ending':
        this.#timeStands = this.#inSimulatedTime;
        this.log.info({ reason: effect.reason }, endSentences[effect.reason]);
        break;
      case 'ended':
        logStillMoving(this.log, effect.moving);
        break;
      case 'stateRefused':
        this.#limited(
          `state ${effect.id}`,
          { vehicle: effect.id, ahead_s: toS(effect.aheadNs) },
          `a state or an observation of vehicle ${effect.id} is stamped ${toS(effect.aheadNs).toFixed(3)} s ahead of now and does not count; set the clock of the program that sends it`,
        );
        break;
      case 'startSignalSent':
        this.#lateStarts.sent(effect);
        if (effect.standIn) {
          this.#limited(
            'stand-in',
            { t_now_ns: effect.tNowNs.toString() },
            'a start signal carries the states of an earlier period: the newer ones were not ready in time; give this program more processor time, or see --realtime-priority',
          );
        }
        break;
      case 'sendStartSignal':
      case 'prepareStart':
      case 'cancelStart':
      case 'forwardCommand':
      case 'signIn':
      case 'replied':
        break;
    }
  }

  malformed(topic: string, writer: string, cause: string): void {
    this.#limited(`malformed ${writer}`, { topic, writer, cause }, 'malformed sample dropped');
  }

  incompatibleQos(topic: string, end: 'reader' | 'writer', policy: string): void {
    this.#limited(
      `qos ${topic} ${end} ${policy}`,
      { topic, policy },
      end === 'reader'
        ? `a writer of topic ${topic} does not match: its ${policy} does not fit`
        : `a reader of topic ${topic} cannot be reached: its ${policy} does not fit`,
    );
  }

  lost(topic: string, reason: 'network' | 'overflow', total: number): void {
    this.#limited(`lost ${topic} ${reason}`, { topic, reason, total }, 'samples lost');
  }

  /** Logs each change; the staleness of a vehicle changes at most once a second. */
  staleness({ vehicleId, stale, ageNs }: StalenessChange): void {
    const details = { vehicle: vehicleId, age_s: toS(ageNs) };
    if (stale) {
      this.log.warn(details, `vehicle ${vehicleId} is stale: nothing new came from it`);
    } else {
      this.log.info(details, `states of vehicle ${vehicleId} arrive again`);
    }
  }

  stalled(stallNs: bigint): void {
    this.#limited(
      'stall',
      { stall_ms: toMs(stallNs) },
      'the event loop stood still: this program was busy with something else, or had no processor',
    );
  }

  observerRemoved(name: string, fault: unknown): void {
    this.log.error(
      { err: fault },
      `a fault in this program: the observer "${name}" is switched off; the run goes on without it`,
    );
  }

  deaf(sourceId: string): void {
    const name = printable(sourceId);
    this.#limited(
      `deaf ${name}`,
      { source_id: name },
      `${name} is ready, but its process has no reader for start signals (topic vehicleStateList) that fits`,
    );
  }

  writeFailed(error: Error): void {
    this.#limited(`write ${error.message}`, {}, error.message);
  }

  #command(
    effect: RefuseCommand<ReceivedCommand> | FlagCommand<ReceivedCommand>,
    verdict: string,
    key: string,
    code: Violation['code'] | undefined,
  ): void {
    const { id, command, violations } = effect;
    // The first one may be of a check that refuses nothing.
    const named = violations.find((violation) => violation.code === code);
    const reasons = violations.map(explainViolation);
    this.#limited(
      `command ${id} ${key}`,
      { vehicle: id, writer: command.writerGuid, code, reasons },
      `command ${verdict}: ${named === undefined ? key : explainViolation(named)}`,
      key === checkCodes.notTakingPart ? this.#repeatedOut : this.#repeated,
    );
  }

  /** A hold for a recorder, many times per second, is no pause of the user, but may become one. */
  #paused(nextNs: bigint): void {
    this.#pausedAtNs = nextNs;
    if (!this.#isHeld) this.log.info({ next_ns: nextNs.toString() }, 'paused');
  }

  /** A warning that the network can cause at any rate: once per interval of the limiter and key. */
  #limited(key: string, details: object, text: string, limiter = this.#repeated): void {
    limiter.warn(this.log, key, this.monotonicNs(), details, text);
  }
}
