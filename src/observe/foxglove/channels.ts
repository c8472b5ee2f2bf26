import { sampleChannels } from '../../tap/index.js';
import type { Channel } from './protocol.js';

const number = { type: 'number' };
const integer = { type: 'integer' };
const text = { type: 'string' };
const time = object({ sec: integer, nsec: integer });
const vector = object({ x: number, y: number, z: number });
const colour = object({ r: number, g: number, b: number, a: number });
const pose = object({
  position: vector,
  orientation: object({ x: number, y: number, z: number, w: number }),
});

function object(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties };
}

function list(items: object): object {
  return { type: 'array', items };
}

/** The part of `foxglove.SceneUpdate` that this server fills. */
const scene = object({
  deletions: list(object({ timestamp: time, type: integer, id: text })),
  entities: list(
    object({
      timestamp: time,
      frame_id: text,
      id: text,
      lifetime: time,
      frame_locked: { type: 'boolean' },
      metadata: list(object({ key: text, value: text })),
      arrows: list(
        object({
          pose,
          shaft_length: number,
          shaft_diameter: number,
          head_length: number,
          head_diameter: number,
          color: colour,
        }),
      ),
      lines: list(
        object({
          type: integer,
          pose,
          thickness: number,
          scale_invariant: { type: 'boolean' },
          points: list(vector),
          color: colour,
        }),
      ),
      texts: list(
        object({
          pose,
          billboard: { type: 'boolean' },
          font_size: number,
          scale_invariant: { type: 'boolean' },
          color: colour,
          text,
        }),
      ),
      cubes: list(object({})),
      spheres: list(object({})),
      cylinders: list(object({})),
      triangles: list(object({})),
      models: list(object({})),
    }),
  ),
});

const log = object({ timestamp: time, level: integer, message: text, name: text });
const event = object({ timestamp: time, kind: text, vehicle_id: integer });

/** Topics that this server makes of the page's data. */
export const madeTopics = { scene: '/scene', log: '/log', events: '/events' } as const;

const jsonChannels = [
  { topic: madeTopics.scene, schemaName: 'foxglove.SceneUpdate', schema: scene },
  { topic: madeTopics.log, schemaName: 'foxglove.Log', schema: log },
  { topic: madeTopics.events, schemaName: 'hlc_middleware.Event', schema: event },
];

const undeclared: readonly Omit<Channel, 'id'>[] = [
  ...jsonChannels.map(({ topic, schemaName, schema }) => ({
    topic,
    encoding: 'json' as const,
    schemaName,
    schemaEncoding: 'jsonschema' as const,
    schema: JSON.stringify({ title: schemaName, ...schema }),
  })),
  ...sampleChannels.map(({ topic, schema }) => ({
    topic,
    encoding: 'cdr' as const,
    schemaName: schema.name,
    schemaEncoding: 'ros2msg' as const,
    schema: schema.text,
  })),
];

/** All channels; they are there with and without a middleware. */
export const channels: readonly Channel[] = undeclared.map((channel, i) => ({
  id: i + 1,
  ...channel,
}));

/** Their ids. */
export const channelIds: ReadonlyMap<string, number> = new Map(
  channels.map(({ topic, id }) => [topic, id]),
);
