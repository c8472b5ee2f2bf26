import { HlcError } from '../../errors/index.js';
import { describeAssignment } from '../sources/assignment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import { runOption, type RunOptionKey } from '../options/run-options.js';
import type { RunValues } from '../options/run-schema.js';

interface Condition {
  readonly keys: readonly RunOptionKey[];
  /** Completes the sentence "it has an effect only with …". */
  readonly needs: string;
  readonly holds: (values: RunValues) => boolean;
}

const labTransport = ({ transport, labTransport: own }: RunValues) => own ?? transport;
const controllerTransport = ({ transport, controllerTransport: own }: RunValues) =>
  own ?? transport;

const conditions: readonly Condition[] = [
  {
    keys: ['ddsInitialPeer'],
    needs: 'the transport dds on the lab side',
    holds: (values) => labTransport(values) === 'dds',
  },
  {
    keys: ['interface', 'localAddresses'],
    needs: 'the transport dds on one side',
    holds: (values) => [labTransport(values), controllerTransport(values)].includes('dds'),
  },
  {
    keys: ['autostart'],
    needs: 'the transport ros2 on one side',
    holds: (values) => [labTransport(values), controllerTransport(values)].includes('ros2'),
  },
  {
    keys: ['rosIdentity'],
    needs: 'the transport ros2 on the controller side',
    holds: (values) => controllerTransport(values) === 'ros2',
  },
  {
    keys: ['timeSource', 'replyTimeoutMs', 'replyTimeoutPolicy'],
    needs: '--simulated-time',
    holds: ({ simulatedTime }) => simulatedTime,
  },
  {
    keys: [
      'missLimit',
      'graceMs',
      'holdPeriods',
      'overrunPolicy',
      'stopAfterMs',
      'maxCommandAgeMs',
      'clockToleranceUs',
    ],
    needs: 'real time (without --simulated-time)',
    holds: ({ simulatedTime }) => !simulatedTime,
  },
  {
    keys: ['realTimeFactor', 'stepsUntil'],
    needs: '--simulated-time and --time-source=self',
    holds: ({ simulatedTime, timeSource }) => simulatedTime && timeSource === 'self',
  },
  {
    keys: ['startTimeoutMs'],
    needs: '--wait-for-start in real time, or --time-source=lab in simulated time',
    holds: ({ simulatedTime, timeSource, waitForStart }) =>
      simulatedTime ? timeSource === 'lab' : waitForStart,
  },
  {
    keys: ['parameterTimeoutMs'],
    needs: 'a period that is asked from the lab',
    holds: ({ periodMs, periodNanoseconds }) =>
      periodMs === undefined && periodNanoseconds === undefined,
  },
  {
    keys: ['replyTimeoutPolicy'],
    needs: 'a --reply-timeout-ms above 0',
    holds: ({ replyTimeoutMs }) => replyTimeoutMs > 0n,
  },
];

/**
 * Refuses what the user gave and what would change nothing. A value that is the default anyway may
 * stay, and so may the presets of a command.
 * @throws HlcError `HLC_CONFIG_NEEDS`.
 */
export const refuseWithoutEffect = (values: RunValues, given: GivenValues): void => {
  for (const { keys, needs, holds } of conditions) {
    if (holds(values)) continue;
    for (const key of keys) {
      const assignment = given.get(key);
      if (assignment === undefined || assignment.origin.kind === 'preset') continue;
      if (String(values[key]) === runOption(key).default) continue;
      throw new HlcError('HLC_CONFIG_NEEDS', { what: describeAssignment(assignment), needs });
    }
  }
};
