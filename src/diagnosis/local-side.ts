import type { EndpointKind, QosPolicies } from '../ports/index.js';

/** What the middleware has on one of its sides, or would open there. */
export interface OurSide {
  readonly side: SideName;
  readonly domainId: number;
  /** Two readers of a topic are two endpoints. */
  readonly endpoints: readonly OurEndpoint[];
}

export type SideName = 'lab' | 'controller';

export interface OurEndpoint {
  readonly kind: EndpointKind;
  readonly topic: string;
  readonly typeName: string;
  readonly qos: QosPolicies;
}

/** The flag that gives the domain of a side. */
export const domainFlags: Readonly<Record<SideName, string>> = {
  lab: '--dds-domain',
  controller: '--domain-number',
};
