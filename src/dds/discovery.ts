import {
  participantOf,
  type EndpointKind,
  type HeardDomain,
  type HeardEndpoint,
} from '../ports/index.js';
import { hexOf } from './event-batch.js';
import type { NativeDiscovery } from './native.js';
import { vendorOf } from './vendors.js';

/**
 * What the add-on knows of a domain, by participant.
 * @param ownGuid of the participant that listens, which is left out.
 */
export function heardDomain(
  { participants, writers, readers }: NativeDiscovery,
  domainId: number,
  ownGuid: string,
): HeardDomain {
  const endpoints = [...endpointsOf('writer', writers), ...endpointsOf('reader', readers)];
  const own = participantOf(ownGuid);
  const heard = participants.map(({ guid, pid, ...told }) => {
    const guidPrefix = participantOf(hexOf(guid));
    return {
      guidPrefix,
      vendor: vendorOf(guidPrefix),
      ...told,
      ...(pid !== undefined && /^\d+$/.test(pid) && { pid: Number(pid) }),
      endpoints: endpoints.filter((endpoint) => endpoint.guid.startsWith(guidPrefix)),
    };
  });
  return { domainId, participants: heard.filter(({ guidPrefix }) => guidPrefix !== own) };
}

function endpointsOf(kind: EndpointKind, endpoints: NativeDiscovery['writers']): HeardEndpoint[] {
  return endpoints.map(({ guid, ...told }) => ({ kind, guid: hexOf(guid), ...told }));
}
