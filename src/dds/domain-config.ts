import { readFileSync } from 'node:fs';
import { settingsForDomain } from './cyclone-uri.js';
import { maxParticipantIndex } from './rtps-ports.js';
import { maxSampleBytes } from './sample-limit.js';

/** What decides how one DDS domain uses the network. */
export interface DomainNetwork {
  /** 0 to 232 (OMG DDSI-RTPS 2.5, section 9.6.2.3). */
  readonly domainId: number;
  /** Name or address of the network interface; `lo` keeps everything on this machine. */
  readonly networkInterface: string;
  /** Hosts to look for participants on, beside this machine: `host` or `host:port`. */
  readonly initialPeers: readonly string[];
  /** Look for participants by multicast, too; default: true, but never on loopback. */
  readonly multicast?: boolean;
}

/**
 * How soon a lost packet is noticed and asked for again. With the library's own 100 ms for each, a
 * lost start signal or reply costs a period of 50 ms and more: at a loss of 20 %, 99 % of the replies
 * came within 1 s; with these they come within 130 ms.
 */
const repair = '<HeartbeatInterval>20 ms</HeartbeatInterval><NackDelay>10 ms</NackDelay>';

/**
 * Cyclone DDS configuration of one domain: a fragment of ours, then `CYCLONEDDS_URI`, which has the
 * last word. A list of interfaces or peers in it for this domain replaces ours, since Cyclone would
 * add the two.
 *
 * @param uri value of `CYCLONEDDS_URI`: XML, a path or `file://…`, or a list of these with commas
 * @param readFile for the files that the value names; a throw means "cannot be read"
 * @returns text for `dds_create_domain` (Cyclone DDS manual, "Configuration")
 */
export function domainConfig(
  network: DomainNetwork,
  uri: string | undefined,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): string {
  const users = uri ?? '';
  const settings = settingsForDomain(users, network.domainId, readFile);
  const names = (element: RegExp) => element.test(settings);
  const loopback = isLoopback(network.networkInterface);

  const general = names(/<\s*(Interfaces|NetworkInterfaceAddress)\b/i)
    ? ''
    : `<General><Interfaces><NetworkInterface ${interfaceAttribute(network.networkInterface)}/></Interfaces>` +
      `<AllowMulticast>${loopback || network.multicast === false ? 'false' : 'default'}</AllowMulticast></General>`;
  const peers = names(/<\s*Peers\b/i)
    ? ''
    : `<Peers>${['127.0.0.1', ...network.initialPeers]
        .map((peer) => `<Peer Address="${attribute(peer)}"/>`)
        .join('')}</Peers>`;
  const ours =
    `<CycloneDDS><Domain Id="${network.domainId}">${general}` +
    `<Discovery><ParticipantIndex>auto</ParticipantIndex>` +
    `<MaxAutoParticipantIndex>${maxParticipantIndex(network.domainId)}</MaxAutoParticipantIndex>` +
    `${peers}</Discovery>` +
    `<Internal>${repair}<MaxSampleSize>${maxSampleBytes} B</MaxSampleSize></Internal>` +
    `</Domain></CycloneDDS>`;
  return users === '' ? ours : `${ours},${users}`;
}

/** Whether this interface keeps everything on this machine. */
export function isLoopback(networkInterface: string): boolean {
  return networkInterface === 'lo' || networkInterface === '127.0.0.1';
}

function interfaceAttribute(nameOrAddress: string): string {
  const isAddress = /^[0-9.]+$/.test(nameOrAddress) || nameOrAddress.includes(':');
  return `${isAddress ? 'address' : 'name'}="${attribute(nameOrAddress)}"`;
}

function attribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
