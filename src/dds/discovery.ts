import {
  participantOf,
  type EndpointKind,
  type DiscoveredDomain,
  type DiscoveredEndpoint,
} from '../ports/index.js';
import { hexOf } from './event-batch.js';
import type { NativeDiscovery } from './native.js';

/**
 * The discovered participants of a domain with their endpoints.
 * @param ownGuid of the listening participant, which is left out.
 */
export function discoveredDomain(
  { participants, writers, readers }: NativeDiscovery,
  domainId: number,
  ownGuid: string,
): DiscoveredDomain {
  const endpoints = [...endpointsOf('writer', writers), ...endpointsOf('reader', readers)];
  const own = participantOf(ownGuid);
  const all = participants.map(({ guid, pid, ...rest }) => {
    const guidPrefix = participantOf(hexOf(guid));
    return {
      guidPrefix,
      vendor: vendorOf(guidPrefix),
      ...rest,
      ...(pid !== undefined && /^\d+$/.test(pid) && { pid: Number(pid) }),
      endpoints: endpoints.filter((endpoint) => endpoint.guid.startsWith(guidPrefix)),
    };
  });
  return { domainId, participants: all.filter(({ guidPrefix }) => guidPrefix !== own) };
}

function endpointsOf(
  kind: EndpointKind,
  endpoints: NativeDiscovery['writers'],
): DiscoveredEndpoint[] {
  return endpoints.map(({ guid, ...rest }) => ({ kind, guid: hexOf(guid), ...rest }));
}

/**
 * Makers of DDS libraries by their vendor id (OMG DDSI-RTPS 2.5, section 8.3.5.5), with which the
 * GUID prefix of a participant begins (section 8.2.4.1).
 */
const vendors: Readonly<Record<string, string>> = {
  '0101': 'RTI Connext',
  '0102': 'OpenSplice',
  '0103': 'OpenDDS',
  '0106': 'CoreDX',
  '010a': 'RTI Connext Micro',
  '010f': 'Fast DDS',
  '0110': 'Cyclone DDS',
};

/** Who made the DDS library of a participant, as far as its GUID prefix (hex digits) shows. */
export function vendorOf(guidPrefix: string): string {
  const id = guidPrefix.slice(0, 4);
  return vendors[id] ?? `vendor 0x${id}`;
}
