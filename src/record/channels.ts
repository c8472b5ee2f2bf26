import type { McapTypes } from '@mcap/core';
import { rosSchemas, rosTypes, topics, topicsBySide, type TopicName } from '../messages/index.js';
import { sampleTopics, type SampleTopic } from '../tap/index.js';

/** The side of the middleware on which a sample was received or sent. */
export type RecordedSide = 'lab' | 'controllers';

/** The topic with the frames of the tap, from which the rules are replayed. */
export const tapTopic = '/hlc_middleware/tap';

/** The topic with the texts of `hlc-middleware mark`. */
export const markTopic = '/hlc_middleware/marks';

/** Each message is one frame: bytes that every reader of `ros2msg` can take. */
const frameSchema = {
  name: 'hlc_middleware_msgs/msg/TapFrame',
  text: '# One frame of the tap of hlc-middleware (docs/reference/tap.md).\nuint8[] data\n',
};

const markSchema = {
  name: 'std_msgs/msg/String',
  text: 'string data\n',
};

const utf8 = new TextEncoder();

/** `vehicleState` on the lab side is `/lab/vehicleState`. */
export function recordedTopic(side: RecordedSide, topic: SampleTopic): string {
  return `/${side}/${topic}`;
}

interface Declared {
  readonly topic: string;
  readonly schema: { readonly name: string; readonly text: string };
}

function ofSample(side: RecordedSide, name: SampleTopic): Declared {
  const { typeName } = topics[name as TopicName];
  const schema = { name: rosTypes[typeName]?.name ?? '', text: rosSchemas[typeName] ?? '' };
  return { topic: recordedTopic(side, name), schema };
}

function samplesOf(side: RecordedSide): Declared[] {
  const { readers, writers } = topicsBySide[side === 'lab' ? 'lab' : 'controller'];
  const onSide = new Set<string>([...readers, ...writers]);
  return sampleTopics
    .filter((name): name is SampleTopic => onSide.has(name))
    .map((name) => ofSample(side, name));
}

const declared: readonly Declared[] = [
  { topic: tapTopic, schema: frameSchema },
  { topic: markTopic, schema: markSchema },
  ...samplesOf('lab'),
  ...samplesOf('controllers'),
];

const schemaTexts = new Map(declared.map(({ schema }) => [schema.name, schema.text]));
const schemaIds = new Map([...schemaTexts.keys()].map((name, i) => [name, i + 1]));

/** The schemas of a recording. */
export const recordedSchemas: readonly McapTypes.Schema[] = [...schemaTexts].map(
  ([name, text], i) => ({ id: i + 1, name, encoding: 'ros2msg', data: utf8.encode(text) }),
);

/** The channels of a recording; the place of each is its id. */
export const recordedChannels: readonly McapTypes.Channel[] = declared.map(
  ({ topic, schema }, id) => ({
    id,
    schemaId: schemaIds.get(schema.name) ?? 0,
    topic,
    messageEncoding: 'cdr',
    metadata: new Map([['offered_qos_profiles', '']]),
  }),
);
