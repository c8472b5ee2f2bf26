import { HlcError } from '../errors/index.js';

/** A discovery peer: where to look for further participants. */
export interface DiscoveryPeer {
  /** Host name or IPv4 address; not resolved. */
  readonly address: string;
  /** UDP port of its discovery traffic, 1 to 65535; absent: the ports of OMG DDSI-RTPS 9.6.1. */
  readonly port?: number;
  /** Look for the participants 0 to this number on that host, 0 to 119; absent: the default. */
  readonly maxParticipantIndex?: number;
}

const notations =
  'HOST, HOST:PORT, N@HOST, udpv4://HOST, builtin.udpv4://HOST, rtps@udpv4://HOST:PORT';
/** Above this the discovery port would be one of the next domain (OMG DDSI-RTPS 2.5, 9.6.1.4). */
const highestParticipantIndex = 119;

/**
 * Reads peers in the notations of RTI Connext that the CPM Lab's scripts use, with commas between
 * them: `HOST`, `HOST:PORT`, `N@HOST`, `[N@]udpv4://HOST`, `[N@]builtin.udpv4://HOST` and
 * `rtps@udpv4://HOST:PORT`, where `HOST` is a name or an IPv4 address. Looks nothing up.
 * @returns the peers in their order; none for an empty text.
 * @throws HlcError `HLC_CONFIG_PEER`.
 */
export function parsePeers(text: string): readonly DiscoveryPeer[] {
  if (text.trim() === '') return [];
  return text.split(',').map((peer) => parsePeer(peer.trim()));
}

function parsePeer(peer: string): DiscoveryPeer {
  const parts = /^(?:([^@]*)@)?(?:([^:/]*):\/\/)?([^:]*)(?::(.*))?$/s.exec(peer);
  const [prefix, scheme, address = '', portText] = parts?.slice(1) ?? [];
  const refuse = (cause: string, accepted = notations): never => {
    throw new HlcError('HLC_CONFIG_PEER', { peer, cause, accepted });
  };

  if (scheme !== undefined && !/^(builtin\.)?udpv4$/i.test(scheme)) {
    refuse(`there is no transport "${scheme}" here`);
  }
  const fault = addressFault(address);
  if (fault !== undefined) refuse(fault);
  const port = portText === undefined ? undefined : wholeNumber(portText);
  if (port !== undefined && !(port >= 1 && port <= 65535)) {
    refuse(`"${portText ?? ''}" is no port`, 'a port from 1 to 65535');
  }
  if (prefix === 'rtps' && scheme === undefined) refuse('after "rtps@" a transport is missing');
  if (prefix === undefined || prefix === 'rtps') {
    return { address, ...(port !== undefined && { port }) };
  }

  const maxParticipantIndex = wholeNumber(prefix);
  if (!(maxParticipantIndex <= highestParticipantIndex)) {
    const accepted = `a number from 0 to ${highestParticipantIndex}, or rtps`;
    refuse(`"${prefix}" before the @ is no participant limit`, accepted);
  }
  if (port !== undefined) refuse('a participant limit and a port exclude each other');
  return { address, maxParticipantIndex };
}

/** NaN when the text is anything else. */
function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}

function addressFault(address: string): string | undefined {
  if (address === '') return 'it names no host';
  if (/^[\d.]+$/.test(address)) {
    const octets = address.split('.');
    const isAddress =
      octets.length === 4 &&
      octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) <= 255);
    return isAddress ? undefined : `"${address}" is no IPv4 address`;
  }
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
  const isName = address.length <= 253 && address.split('.').every((part) => label.test(part));
  return isName ? undefined : `"${address}" is no host name`;
}
