import { rosSchemas, rosTypes, topics, topicsBySide, type TopicName } from '../messages/index.js';
import { sampleTopics, type SampleTopic } from './frame-layout.js';

type Side = 'lab' | 'controllers';

/** The samples of one topic on one side of the middleware, as other programs see them. */
export interface SampleChannel {
  /** For example `/lab/vehicleState`. */
  readonly topic: string;
  /** In the encoding `ros2msg`; the samples are CDR. */
  readonly schema: { readonly name: string; readonly text: string };
}

function channelsOf(side: Side): SampleChannel[] {
  const { readers, writers } = topicsBySide[side === 'lab' ? 'lab' : 'controller'];
  const onSide = new Set<string>([...readers, ...writers]);
  return sampleTopics
    .filter((name): name is SampleTopic => onSide.has(name))
    .map((name) => {
      const { typeName } = topics[name as TopicName];
      const schema = { name: rosTypes[typeName]?.name ?? '', text: rosSchemas[typeName] ?? '' };
      return { topic: `/${side}/${name}`, schema };
    });
}

/** All channels of samples. */
export const sampleChannels: readonly SampleChannel[] = [
  ...channelsOf('lab'),
  ...channelsOf('controllers'),
];

const namesOf = (side: Side) => new Map(sampleTopics.map((topic) => [topic, `/${side}/${topic}`]));

/** Made once: a recorder needs one for each sample. */
const channelNames = { lab: namesOf('lab'), controllers: namesOf('controllers') };

/**
 * The topic of the channel of a sample, by the record that has it: vehicles are on the lab side;
 * commands come from the controllers and go to the lab.
 */
export function channelTopic(type: 'event' | 'effect', topic: SampleTopic): string {
  return channelNames[sideOf(type, topic)].get(topic) ?? '';
}

function sideOf(type: 'event' | 'effect', topic: SampleTopic): Side {
  switch (topic) {
    case 'vehicleState':
    case 'vehicleObservation':
      return 'lab';
    case 'vehicleStateList':
      return 'controllers';
    default:
      return type === 'event' ? 'controllers' : 'lab';
  }
}
