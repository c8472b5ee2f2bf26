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

const SHORTEST_PERIOD_NS = 100_000n;
const LONGEST_PERIOD_NS = 86_400_000_000_000n;
const LONGEST_TIMEOUT_NS = 86_400_000_000_000n;
/** The largest time that fits the signed 64-bit nanoseconds of a DDS implementation. */
const LATEST_TIME_NS = 2n ** 63n - 1n;

const notGiven = '-1: not given';
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
    meaning: 'The same for one vehicle.',
  },
  vehicleAmount: {
    group: 'Controllers',
    value: wholeNumber(1, 255, { note: notGiven }),
    unset: '-1',
    meaning: 'The same for the vehicles 1 to n.',
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
      'An active vehicle that was never heard of is left out of the start signal, or listed with zeros as in the CPM Lab middleware.',
  },
  periodMs: {
    group: 'Time',
    value: milliseconds(SHORTEST_PERIOD_NS, LONGEST_PERIOD_NS),
    otherwise: askedFromLab,
    meaning: 'Time from one start signal to the next.',
  },
  periodNanoseconds: {
    group: 'Time',
    value: nanoseconds(SHORTEST_PERIOD_NS, LONGEST_PERIOD_NS),
    otherwise: askedFromLab,
    meaning: 'The same in nanoseconds.',
  },
  offsetNanoseconds: {
    group: 'Time',
    value: nanoseconds(0n, LATEST_TIME_NS),
    default: '1',
    meaning:
      'Phase of the period on the epoch, in real time less than the period; in simulated time the time of the first step.',
  },
  simulatedTime: {
    group: 'Time',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Time moves on when all controllers have replied.',
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
      'Who lets simulated time step: the lab control, or the middleware by itself, without a lab.',
  },
  realTimeFactor: {
    group: 'Time',
    value: decimalNumber(0.001, 1000),
    otherwise: 'as fast as possible',
    meaning: 'Upper bound of simulated time over real time.',
  },
  stepsUntil: {
    group: 'Time',
    value: nanoseconds(1n, LATEST_TIME_NS),
    otherwise: 'no end',
    meaning: 'Simulated time at which the run ends; the last step is not after it.',
  },
  periods: {
    group: 'Time',
    value: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    otherwise: 'no end',
    meaning: 'End after this many periods, with a summary.',
  },
  realtimePriority: {
    group: 'Time',
    value: wholeNumber(1, 99),
    otherwise: 'usual scheduling',
    meaning:
      'Runs the pacer, the control loop and the reception of samples under SCHED_FIFO with this priority, and keeps the program in memory, so that others do not delay a period; refused where the system does not allow it.',
  },
  ddsDomain: {
    group: 'Network',
    value: wholeNumber(0, 232),
    default: '0',
    meaning:
      'DDS domain of the lab side; with ROS 2 there, ROS_DOMAIN_ID counts before the default.',
  },
  domainNumber: {
    group: 'Network',
    value: wholeNumber(0, 232),
    default: '1',
    meaning:
      'DDS domain of the controller side; with ROS 2 there, ROS_DOMAIN_ID counts before the default.',
  },
  interface: {
    group: 'Network',
    value: interfaceName(),
    default: 'lo',
    meaning: 'Network interface of the sides on plain DDS.',
  },
  ddsInitialPeer: {
    group: 'Network',
    value: peerList(),
    unset: '',
    repeatable: true,
    otherwise: 'none',
    meaning:
      'Further discovery peers of the lab side; may be given several times. One on another machine makes the lab side use the interface that reaches it, unless --interface names one.',
  },
  transport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    default: 'dds',
    meaning:
      'Transport of both sides; ros2 uses the ROS 2 that is sourced, with its network settings.',
  },
  controllerTransport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    otherwise: 'as --transport',
    meaning: 'Transport of the controller side.',
  },
  labTransport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    otherwise: 'as --transport',
    meaning: 'Transport of the lab side.',
  },
  naming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as the transport',
    meaning:
      'Names and types of the topics of both sides: those of the CPM Lab, or those of ROS 2, whose nodes then see this one as a node; needs no ROS 2.',
  },
  controllerNaming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as --naming',
    meaning: 'The same for the controller side.',
  },
  labNaming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as --naming',
    meaning: 'The same for the lab side.',
  },
  qosFile: {
    group: 'Network',
    value: filePath(),
    otherwise: 'qos/default.xml of this program',
    meaning: 'QoS profiles (OMG DDS-XML); "hlc-middleware qos check" shows what a file says.',
  },
  checkPolicy: {
    group: 'Supervision',
    value: oneOf(['reject', 'flag']),
    default: 'reject',
    meaning:
      'A command that fails a check is refused, or forwarded and reported; the file can say so for single checks.',
  },
  compat: {
    group: 'Supervision',
    value: oneOf(['none', 'cpm-lab']),
    default: 'none',
    meaning:
      'Behave as another middleware where it differs; cpm-lab also makes --check-policy=flag, --miss-policy=log and --absent-vehicles=default the defaults, ignores what it does not know on the command line with a warning, and stays after the stop of the lab until it is ended.',
  },
  missPolicy: {
    group: 'Supervision',
    value: perController(oneOf(['log', 'hold', 'stop']), 'stop,3:hold'),
    default: 'stop',
    meaning:
      'What follows when a controller misses its periods or is gone: nothing but log entries; its last command is repeated for some periods and then its vehicle is stopped; or its vehicle is stopped at once.',
  },
  missLimit: {
    group: 'Supervision',
    value: perController(wholeNumber(1, 1_000_000), '3,5:10'),
    default: '3',
    meaning: 'Misses in a row at which the policy acts, in real time.',
  },
  graceMs: {
    group: 'Supervision',
    value: perController(milliseconds(0n, LONGEST_TIMEOUT_NS), '0,5:2000'),
    default: '0',
    meaning:
      'For so long after its first start signal, and after it came back, misses of a controller do not count for the policy.',
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
    value: milliseconds(1n, LONGEST_TIMEOUT_NS),
    otherwise:
      'the time of --miss-limit missed periods, at most --vehicle-timeout-ms, at least two periods',
    meaning:
      'Longest time from the last reply of a controller to the stop of its vehicle, in real time.',
  },
  vehicleTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    default: '1000',
    meaning:
      'Time after which a vehicle stops by itself without a new command, as CPM Lab vehicles do; 0: it never does.',
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
    meaning: 'Highest magnitude of every other number of a command: places (m), curvature (1/m).',
  },
  maxAheadMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    otherwise: '1000, with --compat=cpm-lab no limit',
    meaning: 'Longest time by which the valid_after_stamp of a command may be ahead of now.',
  },
  maxCommandAgeMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    otherwise: 'two periods, at least 50; with --compat=cpm-lab no limit',
    meaning:
      'Longest time from the create_stamp of a command to the moment at which it is forwarded, in real time.',
  },
  clockToleranceUs: {
    group: 'Supervision',
    value: wholeNumber(0, 60_000_000, { placeholder: '<us>' }),
    default: '1000',
    meaning:
      "Difference of a controller's clock and this clock that is tolerated in create stamps, in real time; a stamp may be ahead by 10 ms in any case.",
  },
  zeroSpeedMs: {
    group: 'Supervision',
    value: milliseconds(1n, LONGEST_TIMEOUT_NS),
    default: '1000',
    meaning: 'A stop commands speed 0 for at least this time.',
  },
  endTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(1n, LONGEST_TIMEOUT_NS),
    otherwise: '3000, or longer where --max-speed and --braking-deceleration need it',
    meaning:
      'Longest time for which the end of a run waits until the vehicles stand; exit code 7 after it.',
  },
  hangLimitMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    default: '1000',
    meaning:
      'Vehicles are stopped when the control loop of this program has stood still for this time; 0: they are not.',
  },
  resume: {
    group: 'Supervision',
    value: oneOf(['manual', 'trigger', 'auto']),
    otherwise: 'manual, in simulated time auto, with --compat=cpm-lab trigger',
    meaning:
      'How a stopped controller that is back takes part again: after "hlc-middleware resume"; after that or a start trigger of the lab; or by itself.',
  },
  overrunPolicy: {
    group: 'Supervision',
    value: overrunPolicy(),
    default: 'skip',
    meaning:
      'What follows in real time when this program is late for a period by more than half of it: whole periods are left out; up to n of them are made up for, one every half period; or the run ends with exit 4.',
  },
  admit: {
    group: 'Supervision',
    value: oneOf(['listed', 'any']),
    default: 'listed',
    meaning:
      'Which controllers may take part: those of the vehicle ids, or any that sign in; one that was not waited for is served from the next start signal on, and its vehicle is listed unless the active vehicles are given.',
  },
  readyTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    default: '0',
    meaning:
      'Longest wait for the ready signals, then exit 3 with a diagnosis of what is heard; 0 waits for ever.',
  },
  parameterTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    default: '0',
    meaning:
      "Longest wait for each answer of the lab's parameter server, then exit 3 with a diagnosis; 0 waits for ever.",
  },
  startTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    default: '0',
    meaning:
      'Longest wait for a system trigger of the lab, in simulated time for that of each step, then exit 3 with a diagnosis; 0 waits for ever.',
  },
  replyTimeoutMs: {
    group: 'Supervision',
    value: milliseconds(0n, LONGEST_TIMEOUT_NS),
    default: '0',
    meaning: 'Longest wait for the replies of a step in simulated time; 0 waits for ever.',
  },
  replyTimeoutPolicy: {
    group: 'Supervision',
    value: oneOf(['wait', 'drop', 'halt']),
    default: 'wait',
    meaning:
      'What follows when a reply is missing after that time: go on waiting, go on without the controller, or end with exit 4.',
  },
  summary: {
    group: 'Output',
    value: filePath(),
    otherwise: 'none',
    meaning: 'Write the summary as JSON to this file at the end.',
  },
  table: {
    group: 'Output',
    value: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    meaning: 'Live table of the controllers; auto shows it on a terminal only.',
  },
  logLevel: {
    group: 'Output',
    value: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], '<level>'),
    default: 'info',
    meaning: 'The least severe level that is logged.',
  },
  logFormat: {
    group: 'Output',
    value: oneOf(['auto', 'json', 'pretty'], '<format>'),
    default: 'auto',
    meaning: 'Log lines as JSON or for the eye; auto is pretty on a terminal only.',
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
      'Accepted for start scripts of the CPM Lab, where it named log entries before the node id was known; has no effect.',
  },
  autostart: {
    group: 'General',
    value: trueOrFalse(),
    default: 'true',
    meaning:
      'Configure and activate the ROS 2 node at the start, and end with the session; with false other nodes say when ("ros2 lifecycle set"), and the program stays when a session is over.',
  },
  controlSocket: {
    group: 'General',
    value: socketPath(),
    default: 'auto',
    meaning:
      'Local socket at which "hlc-middleware step", "pause", "resume", "run-until" and "status" reach this middleware; auto: named after the node id in $XDG_RUNTIME_DIR/hlc-middleware, else in /tmp/hlc-middleware-UID.',
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
export const runOption = (key: RunOptionKey): Option<unknown> => runOptions[key];

/**
 * Options that say the same thing in different ways. The most binding source that gives one of a
 * group decides; what less binding sources say about the others of the group is set aside.
 */
export const alternatives: readonly (readonly RunOptionKey[])[] = [
  ['vehicleIds', 'vehicleId', 'vehicleAmount'],
  ['periodMs', 'periodNanoseconds'],
];
