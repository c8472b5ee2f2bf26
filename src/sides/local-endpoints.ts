import type { LocalSide, SideName } from '../diagnosis/index.js';
import { topics, topicsBySide } from '../messages/index.js';
import type { Side } from './side.js';

/**
 * All endpoints of a middleware on one side, open or not, with the QoS of the side.
 */
export function localEndpoints(
  side: SideName,
  domainId: number,
  { qos }: Pick<Side, 'qos'>,
): LocalSide {
  const { writers, readers } = topicsBySide[side];
  return {
    side,
    domainId,
    endpoints: [
      ...writers.map((key) => {
        const { name: topic, typeName } = topics[key];
        return { kind: 'writer', topic, typeName, qos: qos.writer(topic) } as const;
      }),
      ...readers.flatMap((key) => {
        const { name: topic, typeName } = topics[key];
        return qos
          .readers(topic)
          .map((reader) => ({ kind: 'reader', topic, typeName, qos: reader.qos }) as const);
      }),
    ],
  };
}
