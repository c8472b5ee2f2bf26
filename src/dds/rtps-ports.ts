/** Highest domain id whose ports are below 65536 (OMG DDSI-RTPS 2.5, section 9.6.2.3). */
export const highestDomainId = 232;

const firstPort = 7400;
const portsPerDomain = 250;
const firstUnicastPort = 10;
const portsPerParticipant = 2;
const lastPort = 65_535;
/** One more would take the ports of the next domain. */
const mostParticipantIndex = 119;

/** The UDP port at which participant `index` of a domain is discovered; the next one is its other. */
export function discoveryPort(domainId: number, index: number): number {
  return firstPort + portsPerDomain * domainId + firstUnicastPort + portsPerParticipant * index;
}

/**
 * How many participants, less one, a host can have in a domain: each has two ports of its own
 * (OMG DDSI-RTPS 2.5, section 9.6.2.3). Cyclone's default, 9, is too few without multicast.
 */
export function maxParticipantIndex(domainId: number): number {
  const room = lastPort - discoveryPort(domainId, 0) - 1;
  return Math.min(mostParticipantIndex, Math.floor(room / portsPerParticipant));
}
