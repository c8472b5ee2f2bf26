import type { Option } from '../option.js';
import {
  decimalNumber,
  milliseconds,
  nanoseconds,
  oneOf,
  trueOrFalse,
  wholeNumber,
} from '../value-types.js';

const shortestPeriodNs = 100_000n;
const longestPeriodNs = 86_400_000_000_000n;
/** The largest time that fits the signed 64-bit nanoseconds of a DDS implementation. */
const latestTimeNs = 2n ** 63n - 1n;
const askedFromLab = 'asked from the lab';

/** Options of `hlc-middleware run`: periods and the source of time. */
export const timeOptions = {
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
} as const satisfies Record<string, Option<unknown>>;
