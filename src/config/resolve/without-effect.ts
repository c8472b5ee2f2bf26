import { HlcError } from '../../errors/index.js';
import { describeAssignment } from '../sources/assignment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import { runOption, type RunOptionKey } from '../options/run-options.js';
import type { RunValues } from '../options/run-schema.js';
import type { SideKinds } from './resolve-sides.js';

interface Condition {
  readonly keys: readonly RunOptionKey[];
  /** Completes the sentence "it has an effect only with …". */
  readonly needs: string;
  readonly holds: (values: RunValues, kinds: SideKinds) => boolean;
}

const conditions: readonly Condition[] = [
  {
    keys: ['ddsInitialPeer'],
    needs: '--lab-side=dds or --lab-side=ros2',
    holds: (_, { lab }) => lab !== 'rclnodejs',
  },
  {
    keys: ['interface', 'localAddresses'],
    needs: 'a side other than rclnodejs',
    holds: (_, { lab, controller }) => lab !== 'rclnodejs' || controller !== 'rclnodejs',
  },
  {
    keys: ['autostart'],
    needs: '--lab-side=rclnodejs or --controller-side=rclnodejs',
    holds: (_, { lab, controller }) => lab === 'rclnodejs' || controller === 'rclnodejs',
  },
  {
    keys: ['rosIdentity'],
    needs: '--controller-side=rclnodejs',
    holds: (_, { controller }) => controller === 'rclnodejs',
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
    keys: ['resume'],
    needs: 'real time (without --simulated-time)',
    holds: ({ resume, simulatedTime }) => resume !== 'trigger' || !simulatedTime,
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
    needs: 'a period from the lab (without --period-ms and --period-nanoseconds)',
    holds: ({ periodMs, periodNanoseconds }) =>
      periodMs === undefined && periodNanoseconds === undefined,
  },
  {
    keys: ['record'],
    needs: 'a control socket (without --control-socket=off)',
    holds: ({ controlSocket }) => controlSocket !== 'off',
  },
  {
    keys: ['replyTimeoutPolicy'],
    needs: 'a --reply-timeout-ms above 0',
    holds: ({ replyTimeoutMs }) => replyTimeoutMs > 0n,
  },
];

/**
 * Refuses given values without an effect. Values that are the default are accepted, and the presets
 * of a command.
 * @throws HlcError `HLC_CONFIG_NEEDS`.
 */
export function refuseWithoutEffect(values: RunValues, given: GivenValues, kinds: SideKinds): void {
  for (const { keys, needs, holds } of conditions) {
    if (holds(values, kinds)) continue;
    for (const key of keys) {
      const assignment = given.get(key);
      if (assignment === undefined || assignment.origin.kind === 'preset') continue;
      if (String(values[key]) === runOption(key).default) continue;
      throw new HlcError('HLC_CONFIG_NEEDS', { what: describeAssignment(assignment), needs });
    }
  }
}
