/** Severity of log entries, most severe first; `silent` logs nothing. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** What carries the messages of one side. */
type TransportKind = 'dds' | 'ros2';

/**
 * The validated configuration of one middleware process; frozen, with all defaults filled in.
 * The fields have the meaning, range and default of the flags (docs/flags.md).
 */
export interface RunConfig {
  /** Source id of ready signals and log entries, 1 to 255 bytes. */
  readonly nodeId: string;
  /** Vehicles whose controllers are waited for: 0 to 255, at least one, each once, rising. */
  readonly vehicleIds: readonly number[];
  /** Vehicles that go into the start signal: 0 to 255, at least one, each once, rising. */
  readonly activeVehicleIds: readonly number[];
  /** What the start signal says of an active vehicle that was never heard of. */
  readonly absentVehicles: 'omit' | 'default';

  /** Period, ns, 100 000 (0.1 ms) to 86 400 000 000 000 (a day). */
  readonly periodNs: bigint;
  /** Offset of the grid, ns, at least 0; less than `periodNs` in real time. */
  readonly offsetNs: bigint;
  readonly simulatedTime: boolean;
  /** Wait for the lab's system trigger before the first period. */
  readonly waitForStart: boolean;
  /** Who lets simulated time step. */
  readonly timeSource: 'lab' | 'self';
  /** Upper bound of simulated over real time; absent: no bound. */
  readonly realTimeFactor?: number;
  /** Simulated time at which the run ends, ns; absent: no end. */
  readonly stepsUntilNs?: bigint;
  /** End after this many periods, at least 1; absent: no end. */
  readonly periods?: number;

  /** DDS domain of the lab side, 0 to 232. */
  readonly ddsDomain: number;
  /** DDS domain of the controller side, 0 to 232; differs from `ddsDomain` on the same transport. */
  readonly domainNumber: number;
  /** Name or address of the network interface. */
  readonly networkInterface: string;
  /** Further discovery peers of the lab side, as written. */
  readonly initialPeers: readonly string[];
  readonly controllerTransport: TransportKind;
  readonly labTransport: TransportKind;
  /** Path of a QoS file as written; absent: the built-in QoS. */
  readonly qosFile?: string;

  /** What follows for a command that fails a check. */
  readonly checkPolicy: 'reject' | 'flag';
  /** Another middleware whose behaviour is wanted where it differs. */
  readonly compat: 'none' | 'cpm-lab';
  /** Which controllers may take part. */
  readonly admit: 'listed' | 'any';
  /** Longest wait for the ready signals, ns; 0 waits for ever. */
  readonly readyTimeoutNs: bigint;
  /** Longest wait for the replies of a step in simulated time, ns; 0 waits for ever. */
  readonly replyTimeoutNs: bigint;
  readonly replyTimeoutPolicy: 'wait' | 'drop' | 'halt';

  /** Path of the file that takes the summary as JSON, as written; absent: none. */
  readonly summary?: string;
  /** Live table of the controllers; `auto`: on a terminal only. */
  readonly table: 'auto' | 'on' | 'off';
  readonly logLevel: LogLevel;
  /** `auto`: `pretty` on a terminal, otherwise `json`. */
  readonly logFormat: 'auto' | 'json' | 'pretty';
}
