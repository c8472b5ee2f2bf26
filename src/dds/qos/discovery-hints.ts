import { HlcError } from '../../errors/index.js';
import { parsePeers } from '../peers.js';
import { refuseValue } from './refusals.js';
import { warningAt, withoutEffect, type QosWarning } from './rti-extensions.js';
import type { XmlElement } from './xml-element.js';

/**
 * What a participant profile says of discovery, as far as it has a counterpart here. RTI Connext
 * keeps these settings in the QoS file; here they belong to the configuration of the domain.
 */
export interface DiscoveryHints {
  /** Peers in RTI's notation, each of which `parsePeers` accepts; undefined when none are named. */
  readonly initialPeers?: readonly string[];
  /** Network interfaces to use, by name or address; undefined when none are named. */
  readonly interfaces?: readonly string[];
}

/** Participant policies of RTI Connext that `readDiscoveryHints` understands. */
export const discoveryPolicies: readonly string[] = ['discovery', 'property', 'transport_builtin'];

const udpProperty = 'dds.transport.UDPv4.builtin.';

/**
 * Reads one of the `discoveryPolicies`; what has no counterpart is a warning.
 * @throws HlcError `HLC_QOS_VALUE` for a template whose placeholder is still there.
 */
export function readDiscoveryHints(
  element: XmlElement,
  warn: (warning: QosWarning) => void,
): DiscoveryHints {
  if (element.name === 'discovery') return readDiscovery(element, warn);
  if (element.name === 'property') return readProperties(element, warn);
  for (const child of element.children) {
    const onlyUdp = child.name === 'mask' && /^(TRANSPORTBUILTIN_)?UDPv4$/i.test(child.text);
    if (!onlyUdp)
      warn(warningAt(child, 'The transport here is UDPv4, and no other can be chosen.'));
  }
  return {};
}

function readDiscovery(element: XmlElement, warn: (warning: QosWarning) => void): DiscoveryHints {
  let hints: DiscoveryHints = {};
  for (const child of element.children) {
    if (child.name === 'initial_peers') {
      hints = { ...hints, initialPeers: child.children.flatMap((peer) => readPeer(peer, warn)) };
    } else if (child.name === 'accept_unknown_peers') {
      const message =
        'Every discovered participant is accepted; limit the network with --interface.';
      if (child.text !== 'true' && child.text !== '1') warn(warningAt(child, message));
    } else if (child.name === 'multicast_receive_addresses') {
      const message = 'Discovery goes to the named peers only, without multicast.';
      if (child.children.length > 0) warn(warningAt(child, message));
    } else warn(withoutEffect(child));
  }
  return hints;
}

/** What the templates of the CPM Lab have in the place of the own address. */
const placeholder = 'TEMPLATE_IP';

function readPeer(element: XmlElement, warn: (warning: QosWarning) => void): readonly string[] {
  if (element.text.includes(placeholder)) {
    refuseValue(element, `a peer with the address of this computer in place of ${placeholder}`);
  }
  try {
    parsePeers(element.text);
    return element.text === '' ? [] : [element.text];
  } catch (error) {
    if (!(error instanceof HlcError)) throw error;
    warn(warningAt(element, `This peer is left out: ${error.message}`));
    return [];
  }
}

function readProperties(element: XmlElement, warn: (warning: QosWarning) => void): DiscoveryHints {
  let interfaces: readonly string[] | undefined;
  const properties = element.children.flatMap((value) => value.children);
  for (const property of properties) {
    const name = property.children.find((child) => child.name === 'name')?.text ?? '';
    const value = property.children.find((child) => child.name === 'value')?.text ?? '';
    if (/^(parent\.)?allow_interfaces(_list)?$/.test(withoutPrefix(name))) {
      interfaces = value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    } else if (!(withoutPrefix(name) === 'multicast_enabled' && /^(0|false)$/.test(value))) {
      warn(warningAt(property, `The property "${name}" of RTI Connext has no effect here.`));
    }
  }
  return interfaces ? { interfaces } : {};
}

function withoutPrefix(name: string): string {
  return name.startsWith(udpProperty) ? name.slice(udpProperty.length) : '';
}
