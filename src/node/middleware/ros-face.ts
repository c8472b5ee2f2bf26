import type { LifeCycle, LifecycleTransition } from '../../core/index.js';
import { checkLogLevel, type RunConfig } from '../../config/index.js';
import { type SessionRequest, stateWords } from '../../remote/index.js';
import { HlcError } from '../../errors/index.js';
import {
  Parameters,
  announceDiagnostics,
  announceParameterEvents,
  fullNameOf,
  guarded,
  namesakesOf,
  nodeTopics,
  offerControl,
  offerLifecycle,
  offerParameters,
  type ParameterEntry,
  type RosNodeHandle,
  type RosTopics,
} from '../../ros2/index.js';
import type { NodeLog } from '../logger.js';
import type { ManagedSession } from './managed-session.js';
import { diagnosticsKey, nodeDiagnostics } from './node-diagnostics.js';
import { publishLog } from './ros-log.js';
import type { SimulatedClock } from './simulated-clock.js';

/** Interval of `/diagnostics` and of the look at the graph, ms. */
const repeatMs = 1000;
/** A change is noticed within this time, ms. */
const lookMs = 100;
const latestTimeNs = 2n ** 63n - 1n;

export interface RosFaceOptions {
  readonly config: RunConfig;
  readonly life: LifeCycle;
  readonly session: ManagedSession;
  readonly clock: SimulatedClock | undefined;
  readonly nodeLog: NodeLog;
}

/**
 * What users of ROS 2 see of the node beside the topics of its sessions: `/diagnostics` and `/rosout`
 * on each side with the names of ROS 2, and with rclnodejs its life cycle, parameters and services.
 */
export class RosFace {
  readonly #transitionListeners: ((transition: LifecycleTransition) => void)[] = [];
  readonly #diagnostics: (() => void)[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #namesakes = new Set<RosNodeHandle>();
  #skippedBefore = 0;
  #skippedLately = 0;
  #lastKey = '';

  /** @throws HlcError `HLC_ROS_MESSAGES`. */
  constructor(
    private readonly handles: readonly RosNodeHandle[],
    private readonly topics: readonly RosTopics[],
    private readonly options: RosFaceOptions,
  ) {
    if (topics.length === 0) return;
    const parameters = new Parameters(this.#parameterEntries());
    for (const handle of handles) {
      this.#transitionListeners.push(offerLifecycle(handle, options.life));
      offerParameters(handle, parameters);
      announceParameterEvents(nodeTopics(handle), parameters);
      offerControl(handle, {
        pause: () => this.#control({ command: 'pause' }),
        resume: () => this.#control({ command: 'resume' }),
        step: (count) => this.#control({ command: 'step', count: positive(count) }),
        runUntil: (time_ns) => this.#control({ command: 'runUntil', time_ns: possible(time_ns) }),
      });
    }
    for (const side of topics) {
      const publish = announceDiagnostics(side);
      this.#diagnostics.push(() => publish(this.#statuses(side)));
    }
    publishLog(topics, options.nodeLog);
    const { log } = options.nodeLog;
    const onFault = (fault: unknown) =>
      log.error({ err: fault }, 'a fault in this program; the run goes on');
    const every = (ms: number, act: () => void) =>
      this.#timers.push(setInterval(guarded(act, onFault), ms));
    every(repeatMs, () => this.#everySecond());
    every(lookMs, () => this.#publishChange());
  }

  /** Publishes a transition of the life cycle. */
  transition(transition: LifecycleTransition): void {
    for (const notify of this.#transitionListeners) notify(transition);
    this.#publishChange();
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #everySecond(): void {
    const { clock, session } = this.options;
    clock?.tend();
    const skipped = session.view()?.skippedPeriods ?? this.#skippedBefore;
    this.#skippedLately = skipped - this.#skippedBefore;
    this.#skippedBefore = skipped;
    this.#publishDiagnostics();
    for (const handle of this.handles) this.#warnOfNamesakes(handle);
  }

  #publishChange(): void {
    const [side] = this.topics;
    if (side === undefined) return;
    if (diagnosticsKey(this.#statuses(side)) !== this.#lastKey) this.#publishDiagnostics();
  }

  #publishDiagnostics(): void {
    const [side] = this.topics;
    if (side !== undefined) this.#lastKey = diagnosticsKey(this.#statuses(side));
    for (const publish of this.#diagnostics) publish();
  }

  #statuses({ nodeName }: RosTopics) {
    const { config, life, session } = this.options;
    return nodeDiagnostics({
      name: nodeName,
      state: life.state,
      failure: session.failure?.message,
      view: session.view(),
      periodNs: config.session.time.mode === 'simulated' ? null : session.periodNs,
      skippedLately: this.#skippedLately,
    });
  }

  #warnOfNamesakes(handle: RosNodeHandle): void {
    if (this.#namesakes.has(handle) || namesakesOf(handle) === 0) return;
    this.#namesakes.add(handle);
    const { code, message } = new HlcError('HLC_ROS_NODE_TWICE', { node: fullNameOf(handle) });
    this.options.nodeLog.log.warn({ code }, message);
  }

  #control(request: SessionRequest): string {
    const { life, session } = this.options;
    const { phase, start_signals: count, time_ns } = session.control(request, life.state);
    const last = time_ns === null ? '' : `, the last one for ${time_ns} ns`;
    return `${stateWords(phase)}; start signals: ${count}${last}`;
  }

  #parameterEntries(): readonly ParameterEntry[] {
    const { ros } = this.options.config.sides;
    const options = ros.parameters.map((entry): ParameterEntry => {
      if (entry.name !== 'log_level') return entry;
      return { ...entry, set: (value) => this.options.nodeLog.setLevel(checkLogLevel(value)) };
    });
    const ofRos: readonly ParameterEntry[] = [
      {
        name: 'use_sim_time',
        type: 'bool',
        value: ros.useSimTime,
        description: 'Stamps of this node have the time of /clock; in simulated time only.',
        constraints: 'true or false',
      },
      {
        name: 'start_type_description_service',
        type: 'bool',
        value: ros.startTypeDescription,
        description: 'This node serves ~/get_type_description.',
        constraints: 'true or false',
      },
    ];
    return [...options, ...ofRos];
  }
}

/** @throws HlcError `HLC_ROS_REQUEST`. */
function positive(count: number): number {
  if (count === 0) throw new HlcError('HLC_ROS_REQUEST', { cause: 'count must be 1 or more' });
  return count;
}

/** @throws HlcError `HLC_ROS_REQUEST`. */
function possible(timeNs: bigint): bigint {
  if (timeNs <= latestTimeNs) return timeNs;
  throw new HlcError('HLC_ROS_REQUEST', { cause: `time_ns must be at most ${latestTimeNs}` });
}
