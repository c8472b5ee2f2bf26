import type { Option } from './option.js';
import { perController } from './per-controller.js';
import {
  decimalNumber,
  filePath,
  interfaceName,
  milliseconds,
  nanoseconds,
  oneOf,
  overrunPolicy,
  peerList,
  socketPath,
  trueOrFalse,
  vehicleIdList,
  wholeNumber,
  wireName,
} from './value-types.js';

const shortestPeriodNs = 100_000n;
const longestPeriodNs = 86_400_000_000_000n;
const longestTimeoutNs = 86_400_000_000_000n;
/** The largest time that fits the signed 64-bit nanoseconds of a DDS implementation. */
const latestTimeNs = 2n ** 63n - 1n;

const notGiven = '-1: not given';
const sideKinds = ['dds', 'ros2', 'rclnodejs'] as const;
const controllerSideKinds = ['dds', 'ros2', 'both', 'rclnodejs'] as const;
const transports = ['dds', 'ros2'] as const;
const namings = ['dds', 'ros2'] as const;
const askedFromLab = 'asked from the lab';

/**
 * The options of `hlc-middleware run`. The key in kebab-case is the flag and the key in the
 * configuration file, with underscores it is the flag in the spelling of the CPM Lab middleware, in
 * capitals with `HLC_MIDDLEWARE_` before it the environment variable.
 */
export const runOptions = {
  vehicleIds: {
    group: 'Controllers',
    value: vehicleIdList(),
    default: '1',
    meaning: 'Vehicles whose controllers this middleware waits for and serves.',
  },
  vehicleId: {
    group: 'Controllers',
    value: wholeNumber(0, 255, { placeholder: '<id>', note: notGiven }),
    unset: '-1',
    meaning: 'One vehicle id; short for --vehicle-ids=<id>.',
  },
  vehicleAmount: {
    group: 'Controllers',
    value: wholeNumber(1, 255, { note: notGiven }),
    unset: '-1',
    meaning: 'Number n of vehicles; short for --vehicle-ids=1,2,…,n.',
  },
  activeVehicleIds: {
    group: 'Controllers',
    value: vehicleIdList(),
    otherwise: 'the vehicle ids with a period given, else asked from the lab',
    meaning: 'Vehicles whose states go into the start signal.',
  },
  absentVehicles: {
    group: 'Controllers',
    value: oneOf(['omit', 'default']),
    default: 'omit',
    meaning:
      'An active vehicle without any state is left out of the start signal (omit), or listed with zeros as in the CPM Lab middleware (default).',
  },
  periodMs: {
    group: 'Time',
    value: milliseconds(shortestPeriodNs, longestPeriodNs),
    otherwise: askedFromLab,
    meaning: 'Time from one start signal to the next.',
  },
  periodNanoseconds: {
    group: 'Time',
    value: nanoseconds(shortestPeriodNs, longestPeriodNs),
    otherwise: askedFromLab,
    meaning: 'Time from one start signal to the next, in nanoseconds.',
  },
  offsetNanoseconds: {
    group: 'Time',
    value: nanoseconds(0n, latestTimeNs),
    default: '1',
    meaning:
      'Phase of the period on the epoch, in real time less than the period; in simulated time the time of the first step.',
  },
  simulatedTime: {
    group: 'Time',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Simulated time: time advances when all controllers have replied.',
  },
  waitForStart: {
    group: 'Time',
    value: trueOrFalse(),
    default: 'true',
    meaning: "Wait for the lab's system trigger before the first period; in real time only.",
  },
  timeSource: {
    group: 'Time',
    value: oneOf(['lab', 'self']),
    default: 'lab',
    meaning:
      'Advances simulated time: the lab control (lab), or the middleware without a lab (self).',
  },
  realTimeFactor: {
    group: 'Time',
    value: decimalNumber(0.001, 1000),
    otherwise: 'as fast as possible',
    meaning: 'Maximum ratio of simulated time to real time.',
  },
  stepsUntil: {
    group: 'Time',
    value: nanoseconds(1n, latestTimeNs),
    otherwise: 'no end',
    meaning: 'Simulated time of the end of the run; the last step is at or before it.',
  },
  periods: {
    group: 'Time',
    value: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    otherwise: 'no end',
    meaning: 'End the run after this number of periods.',
  },
  realtimePriority: {
    group: 'Time',
    value: wholeNumber(1, 99),
    otherwise: 'usual scheduling',
    meaning:
      'Run the pacer, the control loop and the reception of samples under SCHED_FIFO with this priority, and lock the memory of the program; ends with exit code 2 without the right to do so.',
  },
  ddsDomain: {
    group: 'Network',
    value: wholeNumber(0, 232),
    default: '0',
    meaning:
      'DDS domain of the lab side; with ROS 2 on that side, ROS_DOMAIN_ID overrides the default.',
  },
  domainNumber: {
    group: 'Network',
    value: wholeNumber(0, 232),
    default: '1',
    meaning:
      'DDS domain of the controller side; with ROS 2 on that side, ROS_DOMAIN_ID overrides the default.',
  },
  interface: {
    group: 'Network',
    value: interfaceName(),
    default: 'lo',
    meaning: 'Network interface of both sides on plain DDS.',
  },
  localAddresses: {
    group: 'Network',
    value: oneOf(['loopback', 'all']),
    otherwise: 'loopback; all with --compat=cpm-lab and on a side of the kind ros2 or both',
    meaning:
      'Addresses of this machine at which sides on loopback look for and answer programs of this machine: loopback only, or also the address of a network card, which RTI Connext and ROS 2 announce. With all, nothing leaves this machine either, except on the lab side when --dds-initial-peer names an address other than loopback.',
  },
  ddsInitialPeer: {
    group: 'Network',
    value: peerList(),
    unset: '',
    repeatable: true,
    otherwise: 'none',
    meaning:
      'Discovery peers of the lab side; can be given several times. With a peer on another machine the lab side uses the interface that routes to it, unless --interface names one.',
  },
  labSide: {
    group: 'Network',
    value: oneOf(sideKinds, '<kind>'),
    otherwise: 'by the older flags',
    meaning:
      'Messages of the lab side: dds for plain DDS with the names of the CPM Lab, ros2 for the names of ROS 2 on plain DDS (needs no ROS 2 installation), rclnodejs for a node of the sourced ROS 2 with its network settings.',
  },
  controllerSide: {
    group: 'Network',
    value: oneOf(controllerSideKinds, '<kind>'),
    otherwise: 'by the older flags',
    meaning:
      'Messages of the controller side: dds, ros2 or rclnodejs, as for --lab-side; or both, the names of dds and of ros2 on one domain, for controllers of both kinds in one run.',
  },
  transport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    default: 'dds',
    meaning:
      'Older flag for both sides: ros2 means --lab-side=rclnodejs and --controller-side=rclnodejs.',
  },
  controllerTransport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    otherwise: 'as --transport',
    meaning: 'Older flag: ros2 means --controller-side=rclnodejs.',
  },
  labTransport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    otherwise: 'as --transport',
    meaning: 'Older flag: ros2 means --lab-side=rclnodejs.',
  },
  rosIdentity: {
    group: 'Network',
    value: oneOf(['dds', 'none']),
    default: 'dds',
    meaning:
      'Identity of controllers with --controller-side=rclnodejs: dds reads their topics with a participant of plain DDS beside the node; with none, the middleware detects neither a lost controller nor a second one with the same id.',
  },
  naming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as the transport',
    meaning: 'Older flag for both sides: ros2 means --lab-side=ros2 and --controller-side=ros2.',
  },
  controllerNaming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as --naming',
    meaning: 'Older flag: ros2 means --controller-side=ros2 on plain DDS.',
  },
  labNaming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as --naming',
    meaning: 'Older flag: ros2 means --lab-side=ros2 on plain DDS.',
  },
  qosFile: {
    group: 'Network',
    value: filePath(),
    otherwise: 'qos/default.xml of this program',
    meaning: 'QoS profiles (OMG DDS-XML); "hlc-middleware qos check" prints the meaning of a file.',
  },
  checkPolicy: {
    group: 'Supervision',
    value: oneOf(['reject', 'flag']),
    default: 'reject',
    meaning:
      'A command that fails a check is refused (reject), or forwarded and reported (flag); the configuration file can set the policy of single checks.',
  },
  compat: {
    group: 'Supervision',
    value: oneOf(['none', 'cpm-lab']),
    default: 'none',
    meaning:
      'Behaviour of another middleware; cpm-lab sets the defaults --check-policy=flag, --miss-policy=log, --absent-vehicles=default and --local-addresses=all, removes the limits of commands, flags only what that middleware flags, logs in its words as well, sends start signals that are late by less than a period, ignores unknown arguments with a warning, and keeps the process after the stop of the lab until a signal ends it.',
  },
  missPolicy: {
    group: 'Supervision',
    value: perController(oneOf(['log', 'hold', 'stop']), 'stop,3:hold'),
    default: 'stop',
    meaning:
      'Reaction to a controller that misses its periods or is gone: log entries only (log); repeat its last command for some periods, then stop its vehicle (hold); stop its vehicle at once (stop).',
  },
  missLimit: {
    group: 'Supervision',
    value: perController(wholeNumber(1, 1_000_000), '3,5:10'),
    default: '3',
    meaning: 'Misses in a row after which --miss-policy acts, in real time.',
  },
  graceMs: {
    group: 'Supervision',
    value: perController(milliseconds(0n, longestTimeoutNs), '0,5:2000'),
    default: '0',
    meaning:
      'Time after the first start signal of a controller, and after its return, in which its misses do not count for --miss-policy, and a silent one is not stopped.',
  },
  holdPeriods: {
    group: 'Supervision',
    value: perController(wholeNumber(1, 1_000_000), '5,2:1'),
    default: '5',
    meaning: 'Periods for which --miss-policy=hold repeats the last command.',
  },
  brakingDeceleration: {
    group: 'Supervision',
    value: decimalNumber(0.01, 100),
    default: '2',
    meaning:
      'Deceleration of a stopped vehicle on its planned trajectory or path, m/s²; other commands stop at once.',
  },
  stopAfterMs: {
    group: 'Supervision',
    value: milliseconds(1n, longestTimeoutNs),
    otherwise:
      'the time of --miss-limit missed periods, at most --vehicle-timeout-ms, at least two periods',
    meaning:
      'Longest time from the last reply of a controller to the stop of its vehicle, in real time and after --grace-ms.',
  },
  vehicleTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    default: '1000',
    meaning:
      'Time without a new command after which a vehicle stops by itself, as CPM Lab vehicles do; 0: it has no time-out.',
  },
  maxSpeed: {
    group: 'Supervision',
    value: decimalNumber(0.01, 1000),
    otherwise: '5, with --compat=cpm-lab no limit',
    meaning: 'Highest speed that a command may ask for, m/s.',
  },
  maxMagnitude: {
    group: 'Supervision',
    value: decimalNumber(1, 999_999_999),
    otherwise: '10000000, with --compat=cpm-lab no limit',
    meaning:
      'Highest magnitude of every other number of a command: positions (m), curvature (1/m).',
  },
  maxAheadMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    otherwise: '1000, with --compat=cpm-lab no limit',
    meaning: 'Longest time by which the valid_after_stamp of a command may be ahead of now.',
  },
  maxCommandAgeMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    otherwise: 'two periods, at least 50; with --compat=cpm-lab no limit',
    meaning: 'Longest time from the create_stamp of a command to its forwarding, in real time.',
  },
  clockToleranceUs: {
    group: 'Supervision',
    value: wholeNumber(0, 60_000_000, { placeholder: '<us>' }),
    default: '1000',
    meaning:
      "Tolerated difference between a controller's clock and this clock in create stamps, in real time; a stamp may be ahead by 10 ms in any case.",
  },
  zeroSpeedMs: {
    group: 'Supervision',
    value: milliseconds(1n, longestTimeoutNs),
    default: '1000',
    meaning: 'A stop commands speed 0 for at least this time.',
  },
  endTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(1n, longestTimeoutNs),
    otherwise: '3000, or longer where --max-speed and --braking-deceleration need it',
    meaning: 'Longest wait at the end of a run until the vehicles stand, then exit code 7.',
  },
  hangLimitMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    default: '1000',
    meaning:
      'Stall of the control loop after which all vehicles are stopped, and a guard acts; 0: only a guard acts, after 1 s.',
  },
  guard: {
    group: 'Supervision',
    value: trueOrFalse(),
    default: 'false',
    meaning:
      'Start a guard ("hlc-middleware guard") as a second process, which stops the vehicles when this one fails.',
  },
  guardAfterMs: {
    group: 'Supervision',
    value: milliseconds(1n, longestTimeoutNs),
    otherwise: 'three periods, at least 300',
    meaning:
      'Silence of a middleware after which its guard stops the vehicles, at least two periods.',
  },
  resume: {
    group: 'Supervision',
    value: oneOf(['manual', 'trigger', 'auto']),
    otherwise: 'manual, in simulated time auto, with --compat=cpm-lab trigger',
    meaning:
      'Return of a stopped controller: after "hlc-middleware resume" (manual), also after a start trigger of the lab (trigger), or by itself (auto).',
  },
  overrunPolicy: {
    group: 'Supervision',
    value: overrunPolicy(),
    default: 'skip',
    meaning:
      'Reaction in real time when this program is late for a period by more than half of it, with --compat=cpm-lab by all of it: skip whole periods (skip); make up for at most N periods, one every half period (catch-up:N); end with exit code 4 (halt).',
  },
  admit: {
    group: 'Supervision',
    value: oneOf(['listed', 'any']),
    default: 'listed',
    meaning:
      'Controllers that may take part: those of --vehicle-ids (listed), or every controller that sends a ready signal (any). An additional controller is served from the next start signal on, and its vehicle is listed unless --active-vehicle-ids is given.',
  },
  readyTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    default: '0',
    meaning: 'Longest wait for the ready signals, then exit code 3 with a diagnosis; 0: no limit.',
  },
  parameterTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    default: '0',
    meaning:
      "Longest wait for each answer of the lab's parameter server, then exit code 3 with a diagnosis; 0: no limit.",
  },
  startTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    default: '0',
    meaning:
      'Longest wait for a system trigger of the lab, in simulated time for the trigger of each step, then exit code 3 with a diagnosis; 0: no limit.',
  },
  replyTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, longestTimeoutNs),
    default: '0',
    meaning: 'Longest wait for the replies of a step in simulated time; 0: no limit.',
  },
  replyTimeoutPolicy: {
    group: 'Supervision',
    value: oneOf(['wait', 'drop', 'halt']),
    default: 'wait',
    meaning:
      'Reaction when a reply is missing after --reply-timeout-ms: continue to wait (wait), continue without the controller (drop), or end with exit code 4 (halt).',
  },
  summary: {
    group: 'Output',
    value: filePath(),
    otherwise: 'none',
    meaning: 'File for the summary as JSON, written at the end of the run.',
  },
  record: {
    group: 'Output',
    value: filePath(),
    otherwise: 'none',
    meaning:
      'File for a recording of the whole run (MCAP), written by a process of its own; it must not exist.',
  },
  table: {
    group: 'Output',
    value: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    meaning: 'Live table of the controllers; auto: in a terminal only.',
  },
  logLevel: {
    group: 'Output',
    value: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], '<level>'),
    default: 'info',
    meaning: 'Least severe level in the log.',
  },
  logFormat: {
    group: 'Output',
    value: oneOf(['auto', 'json', 'pretty'], '<format>'),
    default: 'auto',
    meaning:
      'Format of log lines: JSON (json) or text (pretty); auto: text in a terminal, else JSON.',
  },
  nodeId: {
    group: 'General',
    value: wireName(),
    default: 'middleware',
    meaning: 'Name of this middleware in logs and in the lab control.',
  },
  loggingId: {
    group: 'General',
    value: wireName(),
    otherwise: 'the node id',
    meaning:
      'Accepted for start scripts of the CPM Lab, without effect; the CPM Lab middleware used it in log entries before its node id was known.',
  },
  autostart: {
    group: 'General',
    value: trueOrFalse(),
    default: 'true',
    meaning:
      'Configure and activate the ROS 2 node at the start, and end the program with the session; with false other nodes do so ("ros2 lifecycle set"), and the program stays after a session.',
  },
  interruptExitCode: {
    group: 'General',
    value: oneOf(['130', '0']),
    default: '130',
    meaning:
      'Exit code after SIGINT (Ctrl-C): 130 as a shell expects it, or 0 as "ros2 launch" expects it of a node; with 0 a latched safety stop still is exit 5.',
  },
  controlSocket: {
    group: 'General',
    value: socketPath(),
    default: 'auto',
    meaning:
      'Local socket of "hlc-middleware step", "pause", "resume", "run-until" and "status"; auto: a file with the name of the node id in $XDG_RUNTIME_DIR/hlc-middleware, else in /tmp/hlc-middleware-UID; off: no socket.',
  },
  config: {
    group: 'General',
    value: filePath(),
    otherwise: 'none',
    meaning: 'Configuration file (YAML); its keys are the flags without the leading dashes.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** Key of an option. */
export type RunOptionKey = keyof typeof runOptions;

/** Keys of the options in the order in which help and documents list them. */
export const runOptionKeys = Object.keys(runOptions) as RunOptionKey[];

/** The option of this key, without its own value type. */
export function runOption(key: RunOptionKey): Option<unknown> {
  return runOptions[key];
}

/**
 * Options that say the same thing in different ways. The most binding source that gives one of a
 * group decides; what less binding sources say about the others of the group is set aside.
 */
export const alternatives: readonly (readonly RunOptionKey[])[] = [
  ['vehicleIds', 'vehicleId', 'vehicleAmount'],
  ['periodMs', 'periodNanoseconds'],
];
