import type {
  DiscoveredParticipant,
  EndpointKind,
  QosPolicies,
  UnansweredParticipant,
} from '../ports/index.js';
import type { QosMismatch } from './qos-match.js';

export type SideName = 'lab' | 'controller';

/** The endpoints that the middleware has on one of its sides, open or not. */
export interface LocalSide {
  readonly side: SideName;
  readonly domainId: number;
  /** Two readers of a topic are two endpoints. */
  readonly endpoints: readonly LocalEndpoint[];
}

export interface LocalEndpoint {
  readonly kind: EndpointKind;
  readonly topic: string;
  readonly typeName: string;
  readonly qos: QosPolicies;
}

/** A mismatch between the middleware and the participants of one DDS domain. */
export type Finding = { readonly domainId: number } & (
  | {
      /** No participant was discovered on the domain. */
      readonly kind: 'noParticipants';
      readonly side: SideName;
      /** Other domains with programs of this machine, as far as is known. */
      readonly domainsInUse: readonly number[];
    }
  | {
      /** Participants announced themselves, and no address that this side reaches. */
      readonly kind: 'unanswered';
      readonly unanswered: readonly UnansweredParticipant[];
    }
  | {
      /** Participants were discovered; none of them writes the awaited topic. */
      readonly kind: 'noWriter';
      readonly side: SideName;
      readonly topic: string;
      readonly participants: readonly DiscoveredParticipant[];
    }
  | {
      /** Participants with a matching writer of the awaited topic sent no awaited sample. */
      readonly kind: 'nothingSent';
      readonly topic: string;
      readonly participants: readonly DiscoveredParticipant[];
    }
  | {
      /** Ready signals came from ids that belong to no controller of this middleware. */
      readonly kind: 'otherIds';
      readonly topic: string;
      readonly sourceIds: readonly string[];
    }
  | EndpointFinding
  | {
      /** Participants on the domain of one side have topics of the other side only. */
      readonly kind: 'wrongSide';
      readonly side: SideName;
      readonly other: Pick<LocalSide, 'side' | 'domainId'>;
      readonly participants: readonly DiscoveredParticipant[];
      /** Their endpoints of these topics, each kind of a topic once. */
      readonly endpoints: readonly Pick<LocalEndpoint, 'kind' | 'topic'>[];
    }
  | {
      /** Two participants use one id: of a controller, or of a middleware. */
      readonly kind: 'sameControllerId' | 'sameNodeId';
      readonly participants: readonly DiscoveredParticipant[];
      /** GUID prefixes of all users of the id, also of those that were not discovered. */
      readonly guidPrefixes: readonly string[];
      readonly sourceIds: readonly string[];
    }
);

/** An endpoint that cannot exchange samples with the middleware on one of its topics. */
export type EndpointFinding = {
  readonly domainId: number;
  readonly topic: string;
  readonly endpoint: EndpointKind;
  readonly participants: readonly [DiscoveredParticipant];
} & (
  | {
      readonly kind: 'typeMismatch';
      readonly types: { readonly discovered: string; readonly local: string };
    }
  | { readonly kind: 'qosMismatch'; readonly mismatches: readonly QosMismatch[] }
);
