import type { QosQuestion } from '../dds/qos/index.js';
import { topics } from '../messages/index.js';

/** One of the two sides of the middleware, as the flag names it. */
export type SideName = 'lab' | 'controller';

type TopicName = keyof typeof topics;

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

const topicsBySide: Readonly<Record<SideName, SideTopics>> = {
  lab: {
    writers: [
      'readyStatus',
      'parameterRequest',
      ...commands,
      'stopRequest',
      'round_trip_time',
      'log',
    ],
    readers: [
      'parameter',
      'systemTrigger',
      'vehicleState',
      'vehicleObservation',
      'commonroad_dds_goal_states',
      'round_trip_time',
      'logLevel',
    ],
  },
  controller: {
    writers: ['vehicleStateList', 'systemTrigger', 'commonroad_dds_goal_states'],
    readers: ['readyStatus', ...commands, 'stopRequest'],
  },
};

/** The DDS entities that a middleware has on one side. */
export const entitiesOf = (side: SideName): QosQuestion[] => {
  const { writers, readers } = topicsBySide[side];
  return [
    { kind: 'participant', topic: '' },
    ...writers.map((name) => ({ kind: 'writer', topic: topics[name].name }) as const),
    ...readers.map((name) => ({ kind: 'reader', topic: topics[name].name }) as const),
  ];
};
