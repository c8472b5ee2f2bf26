import { readFileSync } from 'node:fs';

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

/** Which participants of DDS domains this machine has, by the UDP ports that are taken. */
export interface DomainInUse {
  readonly domainId: number;
  /** Participant indexes both of whose ports are taken, ascending; at least one. */
  readonly participantIndexes: readonly number[];
}

/**
 * The domains in which programs of this machine take part, of this one too; within a network
 * namespace, those of that namespace. Other programs that have two such ports look the same.
 * @param readFile gives the text of a file of /proc, or throws.
 * @returns none where the system does not list them.
 */
export function domainsInUse(
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): readonly DomainInUse[] {
  const taken = new Set(['/proc/net/udp', '/proc/net/udp6'].flatMap((path) => portsOf(path)));
  return Array.from({ length: highestDomainId + 1 }, (_, domainId) => {
    const all = Array.from(
      { length: maxParticipantIndex(domainId) + 1 },
      (_unused, index) => index,
    );
    const participantIndexes = all.filter((index) => {
      const port = discoveryPort(domainId, index);
      return taken.has(port) && taken.has(port + 1);
    });
    return { domainId, participantIndexes };
  }).filter(({ participantIndexes }) => participantIndexes.length > 0);

  function portsOf(path: string): number[] {
    let text: string;
    try {
      text = readFile(path);
    } catch {
      return [];
    }
    // "  sl  local_address …", then "  12: 0100007F:1CF2 …" (man 5 proc).
    return Array.from(text.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) /gm), ([, port = '']) =>
      Number.parseInt(port, 16),
    );
  }
}
