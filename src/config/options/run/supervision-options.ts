import type { Option } from '../option.js';
import { perController } from '../per-controller.js';
import {
  decimalNumber,
  milliseconds,
  oneOf,
  overrunPolicy,
  trueOrFalse,
  wholeNumber,
} from '../value-types.js';

const longestTimeoutNs = 86_400_000_000_000n;

/** Options of `hlc-middleware run`: checks of commands, and stops of vehicles. */
export const supervisionOptions = {
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
      'Defaults, checks and log texts of another middleware; cpm-lab reports misses and failed checks, and neither stops a vehicle nor refuses a command for them. See docs/reference/compatibility.md.',
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
      'the time of --miss-limit missed periods and one more, with the policy hold also of --hold-periods; at most --vehicle-timeout-ms, at least two periods',
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
    otherwise: '1000, in simulated time 0',
    meaning:
      'Longest hang of the control loop; then the program stops all vehicles, and the silence time of a guard begins. 0: only a guard stops them, and its silence time begins after 1 s of the hang.',
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
} as const satisfies Record<string, Option<unknown>>;
