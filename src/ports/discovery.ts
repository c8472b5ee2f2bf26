import type { QosPolicies } from './qos.js';

/** The participants of one DDS domain at one moment, as they announce themselves. */
export interface DiscoveredDomain {
  readonly domainId: number;
  /** Without those of this process. */
  readonly participants: readonly DiscoveredParticipant[];
  /**
   * Participants that announced themselves and cannot be answered: none of their addresses can be
   * reached on the network interfaces of this side. Left out: none.
   */
  readonly unanswered?: readonly UnansweredParticipant[];
}

/** A participant whose announcement came, and that does not receive anything from this side. */
export interface UnansweredParticipant {
  /** GUID prefix, 24 hex digits. */
  readonly guidPrefix: string;
  /** Vendor of its DDS library. */
  readonly vendor: string;
}

/** A DDS participant, usually one process. Fields that it does not announce are left out. */
export interface DiscoveredParticipant {
  /** GUID prefix, 24 hex digits; unique on the network. */
  readonly guidPrefix: string;
  /** Vendor of its DDS library (OMG DDSI-RTPS 2.5, section 8.3.5.5). */
  readonly vendor: string;
  /** Its own name for itself. */
  readonly name?: string;
  readonly processName?: string;
  readonly pid?: number;
  readonly hostName?: string;
  readonly endpoints: readonly DiscoveredEndpoint[];
}

/** A reader or writer that a participant announced. */
export interface DiscoveredEndpoint {
  readonly kind: EndpointKind;
  /** 32 hex digits. */
  readonly guid: string;
  readonly topic: string;
  readonly typeName: string;
  readonly qos: DiscoveredQos;
}

export type EndpointKind = 'writer' | 'reader';

/** The policies that decide whether a reader and a writer fit each other. */
export interface DiscoveredQos extends Pick<
  QosPolicies,
  | 'reliability'
  | 'durability'
  | 'presentation'
  | 'deadline'
  | 'latencyBudget'
  | 'ownership'
  | 'liveliness'
  | 'destinationOrder'
  | 'partition'
> {
  /** 0: XCDR1, 1: XML, 2: XCDR2 (OMG DDS-XTypes 1.3, section 7.6.3.1.1); a writer's first counts. */
  readonly dataRepresentation?: readonly number[];
}

/** Hex digits of a GUID that name the participant (OMG DDSI-RTPS 2.5, section 8.2.4.1). */
const participantDigits = 24;

/**
 * The participant of an endpoint: its GUID prefix.
 * @param guid of a reader, a writer or the participant itself, 32 hex digits.
 * @returns 24 hex digits.
 */
export function participantOf(guid: string): string {
  return guid.slice(0, participantDigits);
}
