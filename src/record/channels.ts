import type { McapTypes } from '@mcap/core';
import { sampleChannels, type SampleChannel } from '../tap/index.js';

/** The topic with the frames of the tap, from which the rules are replayed. */
export const tapTopic = '/hlc_middleware/tap';

/** The topic with the texts of `hlc-middleware mark`. */
export const markTopic = '/hlc_middleware/marks';

/** Each message has some frames: bytes that every reader of `ros2msg` can take. */
const frameSchema = {
  name: 'hlc_middleware_msgs/msg/TapFrames',
  text: '# Frames of the tap of hlc-middleware, one after the other.\nuint8[] data\n',
};

const markSchema = {
  name: 'std_msgs/msg/String',
  text: 'string data\n',
};

const utf8 = new TextEncoder();

const declared: readonly SampleChannel[] = [
  { topic: tapTopic, schema: frameSchema },
  { topic: markTopic, schema: markSchema },
  ...sampleChannels,
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
