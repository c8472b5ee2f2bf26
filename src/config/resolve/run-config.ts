import type {
  CheckName,
  CheckPolicy,
  LockStepConfig,
  MissPolicy,
  RealTimeConfig,
  ResumePolicy,
  SessionConfig,
} from '../../core/index.js';
import type { PerController } from '../options/per-controller.js';
import type { NodeName, RosParameterEntry, TopicRemap } from '../sources/ros/index.js';

/** Severity of log entries, most severe first; `silent` logs nothing. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * The messages of one side: plain DDS with the names of the wire contract, plain DDS with the names
 * of ROS 2 or with both, or a ROS 2 node through rclnodejs. Only a controller side is `both`.
 */
export type SideKind = 'dds' | 'ros2' | 'both' | 'rclnodejs';

/**
 * The validated configuration of one middleware process; frozen, with all defaults filled in.
 * The fields have the meaning, range and default of the flags (docs/reference/flags.md).
 */
export interface RunConfig {
  /** Source id of ready signals and log entries, 1 to 255 bytes. */
  readonly nodeId: string;
  /** Another middleware whose behaviour is wanted where it differs. */
  readonly compat: 'none' | 'cpm-lab';
  /**
   * Configure and activate the node at the start, and end with the session; false: other nodes
   * command it, and the process stays when a session is over.
   */
  readonly autostart: boolean;
  /** Exit code after SIGINT; 0: that of an end without a signal. */
  readonly interruptExitCode: 0 | 130;
  /** Priority under SCHED_FIFO, 1 to 99; absent: usual scheduling. */
  readonly realtimePriority?: number;
  /**
   * Arguments of the command line without a meaning here; with `compat: 'cpm-lab'` only, since the
   * lab's control centre passes on parameters that are not for the middleware.
   */
  readonly ignoredArguments: readonly string[];
  readonly session: SessionSettings;
  readonly safety: SafetySettings;
  readonly sides: SidesSettings;
  readonly output: OutputSettings;
}

/** A session, as far as it is known before the lab's parameter server answers. */
export interface SessionSettings extends Pick<
  SessionConfig,
  | 'vehicleIds'
  | 'offsetNs'
  | 'periods'
  | 'readyTimeoutNs'
  | 'endTimeoutNs'
  | 'admit'
  | 'listAdmitted'
> {
  /** Null: asked from the lab's parameter server (`middleware_period_ms`). */
  readonly periodNs: bigint | null;
  /** Null: asked from the lab's parameter server (`active_vehicle_ids`). */
  readonly activeVehicleIds: readonly number[] | null;
  /** Maximum wait for each answer of the lab's parameter server, ns; 0: no limit. */
  readonly parameterTimeoutNs: bigint;
  /** Maximum wait for a system trigger of the lab, ns, above 0; null: no limit. */
  readonly startTimeoutNs: bigint | null;
  /** The start signal omits active vehicles without a state, or lists them with default values. */
  readonly absentVehicles: 'omit' | 'default';
  readonly time:
    | ({ readonly mode: 'real' } & Pick<RealTimeConfig, 'waitForStart' | 'overrun'>)
    | ({ readonly mode: 'simulated' } & Pick<LockStepConfig, 'timeSource' | 'replyTimeout'>);
}

/** The checks of commands, and the reactions to a controller that misses or is gone. */
export interface SafetySettings {
  /** The reaction to a command that fails a check. */
  readonly policies: Readonly<Record<CheckName, CheckPolicy>>;
  /** Maximum speed of a command, m/s; infinity: no limit. */
  readonly maxSpeedMps: number;
  /** Maximum magnitude of every number of a command; infinity: no limit. */
  readonly maxMagnitude: number;
  /** Maximum time of `valid_after_stamp` ahead of now, ns; null: no limit. */
  readonly maxAheadNs: bigint | null;
  /** Maximum age of a command when it is forwarded, ns; null: no limit. */
  readonly maxCommandAgeNs: bigint | null | 'byPeriod';
  /** Tolerated difference of two clocks in create stamps, ns. */
  readonly clockToleranceNs: bigint;
  /** The reaction to missed periods, and to a controller that is gone. */
  readonly missPolicy: PerController<MissPolicy>;
  /** Consecutive misses at which the policy acts, 1 or more. */
  readonly missLimit: PerController<number>;
  /** Time after its first start signal in which misses of a controller do not count, ns. */
  readonly graceNs: PerController<bigint>;
  /** Periods for which the last command is held, 1 or more. */
  readonly holdPeriods: PerController<number>;
  /** How a stopped controller takes part again. */
  readonly resume: ResumePolicy;
  /** How long a vehicle obeys a command, ns; null: until the next one. */
  readonly vehicleTimeoutNs: bigint | null;
  /** Maximum time from the last reply of a controller to the stop, ns; null: derived. */
  readonly stopAfterNs: bigint | null;
  /** Deceleration on planned trajectories and paths, m/s², above 0. */
  readonly brakingMps2: number;
  /** A stop commands speed 0 for this time, ns. */
  readonly zeroForNs: bigint;
  /** Vehicles are stopped when the control loop stands still for this time, ns; null: they are not. */
  readonly hangLimitNs: bigint | null;
  /** Start a guard as a second process. */
  readonly guard: boolean;
  /** A guard stops the vehicles after this silence of their middleware, ns; null: by the period. */
  readonly guardAfterNs: bigint | null;
}

/** Both sides of the middleware. */
export interface SidesSettings {
  readonly lab: SideSettings;
  /** Its domain differs from that of the lab side. */
  readonly controller: SideSettings;
  /** How controllers are distinguished where the controller side is `rclnodejs`. */
  readonly rosIdentity: 'dds' | 'none';
  /** Path of a QoS file as written; absent: the built-in QoS. */
  readonly qosFile?: string;
  /** For sides with the names of ROS 2. */
  readonly ros: RosSettings;
}

/** One side and its network. */
export interface SideSettings {
  readonly kind: SideKind;
  /** DDS domain, 0 to 232. */
  readonly domainId: number;
  /** Name or address of the network interface. */
  readonly networkInterface: string;
  /** Addresses of this machine that a side on loopback uses. */
  readonly localAddresses: 'loopback' | 'all';
  /** Further discovery peers, as written; not yet read as peers. */
  readonly initialPeers: readonly string[];
}

export interface RosSettings {
  /** The arguments for rcl, from `--ros-args` on, without parameters; empty when there are none. */
  readonly arguments: readonly string[];
  /** After the remaps of these arguments. */
  readonly node: NodeName;
  /** Topics of the node that have other names by these arguments. */
  readonly topicRemaps: readonly TopicRemap[];
  /** The parameter `use_sim_time`; with it, time is simulated. */
  readonly useSimTime: boolean;
  /** The parameter `start_type_description_service`. */
  readonly startTypeDescription: boolean;
  /** The options as parameters of the node. */
  readonly parameters: readonly RosParameterEntry[];
}

/** Log, display, summary and control socket. */
export interface OutputSettings {
  /** Path of the file that takes the summary as JSON, as written; absent: none. */
  readonly summary?: string;
  /** Path of the recording, as written; absent: none. Only with a control socket. */
  readonly record?: string;
  /** Live table of the controllers; `auto`: on a terminal only. */
  readonly table: 'auto' | 'on' | 'off';
  readonly logLevel: LogLevel;
  /** `auto`: `pretty` on a terminal, otherwise `json`. */
  readonly logFormat: 'auto' | 'json' | 'pretty';
  /** Null: none. */
  readonly controlSocket: ControlSocketSettings | null;
}

export interface ControlSocketSettings {
  /** At most 107 bytes. */
  readonly path: string;
  /** True: the user named the socket, so a run that cannot open it fails. */
  readonly isRequired: boolean;
}
