import type { EntityKind } from './policy-table.js';
import type { XmlElement } from './xml-element.js';

/** A part of a QoS file that is understood but has no effect, or not the whole one. */
export interface QosWarning {
  readonly file: string;
  readonly line: number;
  /** Path of the element, `dds/qos_library[Lab]/…`. */
  readonly element: string;
  /** One sentence: what is not done, and why or what to do. */
  readonly message: string;
}

/** The warning that belongs to an element. */
export function warningAt(element: XmlElement, message: string): QosWarning {
  return { file: element.file, line: element.line, element: element.path, message };
}

/** The warning for an element that only RTI Connext knows. */
export function withoutEffect(element: XmlElement): QosWarning {
  return warningAt(
    element,
    `<${element.name}> is an extension of RTI Connext and has no effect here.`,
  );
}

const publisherSubscriber = ['asynchronous_publisher', 'exclusive_area', 'property'];
const endpointExtensions = [
  'availability',
  'data_tag',
  'protocol',
  'property',
  'service',
  'transport_selection',
  'type_support',
  'unicast',
];

/** Policies that RTI Connext adds to those of the standard, by entity (RTI QoS reference). */
export const rtiPolicies: Readonly<Record<EntityKind, readonly string[]>> = {
  participant: [
    'database',
    'default_unicast',
    'discovery_config',
    'event',
    'exclusive_area',
    'multicast_mapping',
    'participant_name',
    'partition',
    'receiver_pool',
    'resource_limits',
    'service',
    'transport_multicast_mapping',
    'transport_unicast',
    'type_support',
    'wire_protocol',
  ],
  publisher: [...publisherSubscriber, 'publisher_name'],
  subscriber: [...publisherSubscriber, 'subscriber_name'],
  topic: ['protocol'],
  writer: [
    ...endpointExtensions,
    'batch',
    'multi_channel',
    'publication_name',
    'publish_mode',
    'topic_query_dispatch',
    'transfer_mode',
    'writer_resource_limits',
  ],
  reader: [
    ...endpointExtensions,
    'encapsulation',
    'multicast',
    'reader_resource_limits',
    'subscription_name',
    'transfer_mode',
    'transport_priority',
  ],
};

/** Elements inside a `qos_profile` that configure RTI's factory. */
export const rtiProfileParts: readonly string[] = [
  'domain_participant_factory_qos',
  'participant_factory_qos',
];

/** Elements of a `dds` file that describe other things than QoS (OMG DDS-XML 1.0, RTI Connext). */
export const otherSections: readonly string[] = [
  'application_library',
  'deployment_library',
  'domain_library',
  'domain_participant_library',
  'external_type_ref',
  'node_library',
  'participant_library',
  'types',
];
