import type { TopicName } from './topics.js';

/** The topics that a middleware writes and reads on one side. */
interface SideTopics {
  readonly writers: readonly TopicName[];
  readonly readers: readonly TopicName[];
}

const commands = [
  'vehicleCommandDirect',
  'vehicleCommandSpeedCurvature',
  'vehicleCommandTrajectory',
  'vehicleCommandPathTracking',
] as const satisfies readonly TopicName[];

/** What a middleware has on each of its sides. */
export const topicsBySide: Readonly<Record<'lab' | 'controller', SideTopics>> = {
  lab: {
    writers: [
      'readyStatus',
      'parameterRequest',
      ...commands,
      'stopRequest',
      'round_trip_time',
      'log',
      'middlewareStatus',
    ],
    readers: [
      'parameter',
      'systemTrigger',
      'vehicleState',
      'vehicleObservation',
      'commonroad_dds_goal_states',
      'round_trip_time',
      'logLevel',
      'guardStatus',
      'remoteAgentList',
    ],
  },
  controller: {
    writers: ['vehicleStateList', 'systemTrigger', 'commonroad_dds_goal_states'],
    readers: ['readyStatus', ...commands, 'stopRequest'],
  },
};
