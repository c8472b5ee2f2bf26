import type { OurSide, SideName } from '../core/diagnosis/index.js';
import type { QosProfile } from '../dds/qos/index.js';
import { topics, topicsBySide } from '../messages/index.js';

/** Where the QoS of a side comes from. */
export interface SideQos {
  readonly profile: QosProfile;
  /** The shipped profile of this side. */
  readonly defaults: QosProfile;
}

/**
 * All that a middleware has on one side, with the QoS of the profile; whether it is open makes no
 * difference.
 */
export function localEndpoints(
  side: SideName,
  domainId: number,
  { profile, defaults }: SideQos,
): OurSide {
  const { writers, readers } = topicsBySide[side];
  return {
    side,
    domainId,
    endpoints: [
      ...writers.map((key) => {
        const { name: topic, typeName } = topics[key];
        return { kind: 'writer', topic, typeName, qos: profile.qosFor('writer', topic) } as const;
      }),
      ...readers.flatMap((key) => {
        const { name: topic, typeName } = topics[key];
        const all = profile.readersFor(topic, defaults);
        return all.map(({ qos }) => ({ kind: 'reader', topic, typeName, qos }) as const);
      }),
    ],
  };
}
