import { readFileSync } from 'node:fs';
import { allSettings, settingsForDomain } from './cyclone-uri.js';
import { isLoopback } from './network-interfaces.js';
import { maxParticipantIndex } from './rtps-ports.js';

type ReadFile = (path: string) => string;
const readText: ReadFile = (path) => readFileSync(path, 'utf8');

/** What decides how one DDS domain uses the network. */
export interface DomainNetwork {
  /** 0 to 232 (OMG DDSI-RTPS 2.5, section 9.6.2.3). */
  readonly domainId: number;
  /** Name or address of the network interface; `lo` keeps everything on this machine. */
  readonly networkInterface: string;
  /**
   * Use loopback beside `networkInterface`, and let the kernel keep the traffic of both on this
   * machine. Without effect where `CYCLONEDDS_URI` names interfaces. Default: false.
   */
  readonly thisMachineOnly?: boolean;
  /** Hosts to look for participants on, beside this machine: `host` or `host:port`. */
  readonly initialPeers: readonly string[];
  /** Look for participants by multicast, too; default: true, but never on this machine only. */
  readonly multicast?: boolean;
}

/**
 * How soon a lost packet is noticed and asked for again. With the library's own 100 ms for each, a
 * lost start signal or reply costs a period of 50 ms and more: at a loss of 20 %, 99 % of the replies
 * came within 1 s; with these they come within 130 ms.
 */
const repair = '<HeartbeatInterval>20 ms</HeartbeatInterval><NackDelay>10 ms</NackDelay>';

/** The trace of discovery, for the add-on alone (see `NativeBinding.open`). */
const discoveryTrace =
  '<Tracing><Category>discovery</Category><OutputFile>/dev/null</OutputFile></Tracing>';

/** How a domain is opened. */
export interface DomainConfig {
  /** Text for `dds_create_domain` (Cyclone DDS manual, "Configuration"). */
  readonly xml: string;
  /** The kernel is to keep the traffic on this machine. */
  readonly thisMachineOnly: boolean;
}

/** Whether a value of `CYCLONEDDS_URI` makes traces, in whatever domain. */
export function namesTracing(uri: string | undefined, readFile = readText): boolean {
  return /<\s*Tracing\b/i.test(allSettings(uri ?? '', readFile));
}

/**
 * Cyclone DDS configuration of one domain: a fragment of ours, then `CYCLONEDDS_URI`, which has the
 * last word. A list of interfaces or peers in it for this domain replaces ours, since Cyclone would
 * add the two.
 *
 * @param uri value of `CYCLONEDDS_URI`: XML, a path or `file://…`, or a list of these with commas
 * @param readFile for the files that the value names; a throw means "cannot be read"
 */
export function domainConfig(
  network: DomainNetwork,
  uri: string | undefined,
  readFile: ReadFile = readText,
): DomainConfig {
  const users = uri ?? '';
  const settings = settingsForDomain(users, network.domainId, readFile);
  const names = (element: RegExp) => element.test(settings);
  const { networkInterface, thisMachineOnly = false, multicast = true } = network;
  const withMulticast = multicast && !thisMachineOnly && !isLoopback(networkInterface);

  const ourInterfaces = !names(/<\s*(Interfaces|NetworkInterfaceAddress)\b/i);
  const general = ourInterfaces
    ? `<General><Interfaces>${thisMachineOnly ? interfaceElement('lo') : ''}` +
      `${interfaceElement(networkInterface)}</Interfaces>` +
      `<AllowMulticast>${withMulticast ? 'default' : 'false'}</AllowMulticast></General>`
    : '';
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
    `${namesTracing(users, readFile) ? '' : discoveryTrace}</Domain></CycloneDDS>`;
  return {
    xml: users === '' ? ours : `${ours},${users}`,
    thisMachineOnly: ourInterfaces && thisMachineOnly,
  };
}

function interfaceElement(nameOrAddress: string): string {
  const isAddress = /^[0-9.]+$/.test(nameOrAddress) || nameOrAddress.includes(':');
  return `<NetworkInterface ${isAddress ? 'address' : 'name'}="${attribute(nameOrAddress)}"/>`;
}

function attribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/**
 * A sample with more bytes than this is dropped: no message of the wire contract comes near. What
 * comes in fragments is dropped by the first of them.
 */
export const maxSampleBytes = 4 * 1024 * 1024;
