import type { QosPolicies, Transport } from '../ports/index.js';
import { chooseProfile, findProfile, type QosLibraries, type ReaderQos } from '../dds/qos/index.js';

/** The QoS of the readers and writers that one participant has on a side, by topic. */
export interface EndpointQos {
  /** @throws RangeError when the participant has no writer for the topic. */
  writer(topicName: string): QosPolicies;
  /**
   * One reader, or two of which the second reads what best-effort writers send.
   * @throws RangeError when the participant has no reader for the topic.
   */
  readers(topicName: string): readonly ReaderQos[];
}

/** A side as one participant uses it, such as a middleware or a vehicle: transport and QoS. */
export interface Side {
  readonly transport: Transport;
  readonly qos: EndpointQos;
}

/**
 * A side with the QoS that the middleware has there by a QoS file.
 * @throws HlcError `HLC_QOS_PROFILE`.
 */
export function createSide(
  name: 'Lab' | 'Controller',
  transport: Transport,
  libraries: QosLibraries,
): Side {
  const profile = chooseProfile(libraries, name);
  const shipped = findProfile(libraries, `HlcMiddleware::${name}`);
  return {
    transport,
    qos: {
      writer: (topicName) => profile.qosFor('writer', topicName),
      readers: (topicName) => profile.readersFor(topicName, shipped),
    },
  };
}
