import type {
  CheckName,
  CheckPolicy,
  MissPolicy,
  OverrunPolicy,
  ResumePolicy,
} from '../../core/index.js';
import type { PerController } from '../options/per-controller.js';
import type { SafetyConfig } from './safety.js';
import type { NodeName, RosParameterEntry, TopicRemap } from '../sources/ros/index.js';

/** Severity of log entries, most severe first; `silent` logs nothing. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** What carries the messages of one side. */
type TransportKind = 'dds' | 'ros2';

/** Whose names the topics and types of one side have on DDS. */
type NamingKind = 'dds' | 'ros2';

/**
 * The validated configuration of one middleware process; frozen, with all defaults filled in.
 * The fields have the meaning, range and default of the flags (docs/reference/flags.md).
 */
export interface RunConfig {
  /** Source id of ready signals and log entries, 1 to 255 bytes. */
  readonly nodeId: string;
  /** Vehicles whose controllers are waited for: 0 to 255, at least one, each once, rising. */
  readonly vehicleIds: readonly number[];
  /**
   * Vehicles that go into the start signal: 0 to 255, at least one, each once, rising; null: asked
   * from the lab's parameter server (`active_vehicle_ids`).
   */
  readonly activeVehicleIds: readonly number[] | null;
  /** What the start signal says of an active vehicle that was never heard of. */
  readonly absentVehicles: 'omit' | 'default';

  /**
   * Period, ns, 100 000 (0.1 ms) to 86 400 000 000 000 (a day); null: asked from the lab's parameter
   * server (`middleware_period_ms`).
   */
  readonly periodNs: bigint | null;
  /**
   * Offset of the grid, ns, at least 0; in real time less than `periodNs` when that is given here,
   * and not yet compared with it when it is asked.
   */
  readonly offsetNs: bigint;
  readonly simulatedTime: boolean;
  /** Wait for the lab's system trigger before the first period; has a meaning in real time only. */
  readonly waitForStart: boolean;
  /** Who lets simulated time step; `lab` in real time. With `self`, `periodNs` is given here. */
  readonly timeSource: 'lab' | 'self';
  /** Upper bound of simulated over real time; absent: no bound. */
  readonly realTimeFactor?: number;
  /** Simulated time at which the run ends, ns; absent: no end. */
  readonly stepsUntilNs?: bigint;
  /** End after this many periods, at least 1; absent: no end. */
  readonly periods?: number;
  /** Priority under SCHED_FIFO, 1 to 99; absent: usual scheduling. */
  readonly realtimePriority?: number;

  /** DDS domain of the lab side, 0 to 232. */
  readonly ddsDomain: number;
  /** DDS domain of the controller side, 0 to 232; differs from `ddsDomain`. */
  readonly domainNumber: number;
  /** Name or address of the network interface. */
  readonly networkInterface: string;
  /** Addresses of this machine that sides on loopback use. */
  readonly localAddresses: 'loopback' | 'all';
  /** Further discovery peers of the lab side, as written; not yet read as peers. */
  readonly initialPeers: readonly string[];
  readonly controllerTransport: TransportKind;
  readonly labTransport: TransportKind;
  /** How controllers are told apart where the controller side has the transport `ros2`. */
  readonly rosIdentity: 'dds' | 'none';
  /** Names and keys of topics and types; `ros2` on a side whose transport is `ros2`. */
  readonly controllerNaming: NamingKind;
  readonly labNaming: NamingKind;
  /** What ROS 2 is told; has a meaning for a side with the names of ROS 2. */
  readonly ros: {
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
  };
  /** Path of a QoS file as written; absent: the built-in QoS. */
  readonly qosFile?: string;

  /** What follows for a command that fails a check. */
  readonly checkPolicy: CheckPolicy;
  /** The same for single checks, where it differs from `checkPolicy`. */
  readonly checks: Readonly<Partial<Record<CheckName, CheckPolicy>>>;
  /** Another middleware whose behaviour is wanted where it differs. */
  readonly compat: 'none' | 'cpm-lab';
  /** What follows when a controller misses its periods or is gone. */
  readonly missPolicy: PerController<MissPolicy>;
  /** Misses in a row at which the policy acts, 1 or more. */
  readonly missLimit: PerController<number>;
  /** Time after its first start signal in which misses of a controller do not count, ns. */
  readonly graceNs: PerController<bigint>;
  /** Periods for which the last command is held, 1 or more. */
  readonly holdPeriods: PerController<number>;
  /** Deceleration on planned trajectories and paths, m/s², above 0. */
  readonly brakingDeceleration: number;
  readonly safety: SafetyConfig;
  /** How a stopped controller comes to take part again. */
  readonly resume: ResumePolicy;
  /** What follows when this program is late for a period; in real time only. */
  readonly overrun: OverrunPolicy;
  /** Which controllers may take part. */
  readonly admit: 'listed' | 'any';
  /** True: the vehicle of an admitted controller is active, too. */
  readonly listAdmitted: boolean;
  /** Longest wait for the ready signals, ns; 0 waits for ever. */
  readonly readyTimeoutNs: bigint;
  /** Longest wait for each answer of the lab's parameter server, ns; 0 waits for ever. */
  readonly parameterTimeoutNs: bigint;
  /** Longest wait for a system trigger of the lab, ns; 0 waits for ever. */
  readonly startTimeoutNs: bigint;
  /** Longest wait for the replies of a step in simulated time, ns; 0 waits for ever. */
  readonly replyTimeoutNs: bigint;
  readonly replyTimeoutPolicy: 'wait' | 'drop' | 'halt';

  /**
   * Configure and activate the node at the start, and end with the session; false: other nodes say
   * when, and the process stays when a session is over.
   */
  readonly autostart: boolean;
  /** Exit code after SIGINT; 0: that of an end without a signal. */
  readonly interruptExitCode: 0 | 130;
  /** Path of the local control socket, at most 107 bytes; null: none. */
  readonly controlSocket: string | null;
  /**
   * True: the user named the control socket, so a run that cannot open it has failed. False: it is
   * the default one, and the run goes on without it.
   */
  readonly controlSocketRequired: boolean;

  /**
   * Arguments of the command line that mean nothing here; with `compat: 'cpm-lab'` only, since the
   * lab's control centre passes on parameters that are not for the middleware.
   */
  readonly ignoredArguments: readonly string[];

  /** Path of the file that takes the summary as JSON, as written; absent: none. */
  readonly summary?: string;
  /** Live table of the controllers; `auto`: on a terminal only. */
  readonly table: 'auto' | 'on' | 'off';
  readonly logLevel: LogLevel;
  /** `auto`: `pretty` on a terminal, otherwise `json`. */
  readonly logFormat: 'auto' | 'json' | 'pretty';
}
