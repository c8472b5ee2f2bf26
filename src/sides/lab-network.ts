import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { HlcError } from '../errors/index.js';
import {
  discoveryPort,
  firstCardAddress,
  interfaceWith,
  isLoopback,
  maxParticipantIndex,
  parsePeers,
  type DiscoveryPeer,
  type DomainNetwork,
} from '../dds/index.js';

/** What the user said about the network of one side. */
export interface SideNetworkRequest {
  readonly domainId: number;
  readonly networkInterface: string;
  /** At which addresses of this machine its programs are looked for and answered. */
  readonly localAddresses: 'loopback' | 'all';
  /** As written; the controller side has none. */
  readonly initialPeers?: readonly string[];
}

/** Keeps everything on this machine. */
export const defaultInterface = 'lo';
/** Any port: connecting a UDP socket sends nothing, it only looks up the route. */
const discardPort = 9;
/** An address of no machine (RFC 5737): the route to it is the default route. */
const anyOtherMachine = '192.0.2.1';

/**
 * How one side uses the network. A peer on another machine makes it use the interface that reaches
 * this peer, unless the user named an interface.
 *
 * RTI Connext announces only the addresses of network cards. With `localAddresses: 'all'` a side on
 * loopback therefore has the address of a card as well, and its traffic stays on this machine. A
 * peer at the address of a card then counts as one on another machine: it is the service there that
 * announces participants of other machines to each other.
 * @throws HlcError `HLC_CONFIG_PEER`, or `HLC_PEER_UNREACHABLE` when there is no route to a peer.
 */
export async function sideNetwork(request: SideNetworkRequest): Promise<DomainNetwork> {
  const { domainId, networkInterface, localAddresses } = request;
  const peers = (request.initialPeers ?? []).flatMap(parsePeers);
  const initialPeers = peers.flatMap((peer) => cyclonePeers(peer, domainId));
  const asNamed = { domainId, networkInterface, initialPeers };
  if (!isLoopback(networkInterface)) return asNamed;
  const isLocal = localAddresses === 'all' ? isLoopbackAddress : isOfThisMachine;
  const ways = await Promise.all(peers.map(wayTo));
  const outward = ways.find(({ to }) => !isLocal(to))?.from;
  if (outward !== undefined) {
    return {
      domainId,
      networkInterface: interfaceWith(outward) ?? outward,
      // Participants of this machine are reached on the same interface.
      initialPeers: [...initialPeers, outward],
      multicast: false,
    };
  }
  const card = localAddresses === 'all' ? await cardAddress() : undefined;
  if (card === undefined) return asNamed;
  return {
    domainId,
    networkInterface: card,
    initialPeers: [...initialPeers, card],
    thisMachineOnly: true,
  };
}

/** As `Discovery/Peers/Peer` of Cyclone DDS takes it; it asks at all ports of a host without port. */
function cyclonePeers(peer: DiscoveryPeer, domainId: number): string[] {
  const { address, port, maxParticipantIndex: limit } = peer;
  if (port !== undefined) return [`${address}:${port}`];
  if (limit === undefined) return [address];
  const count = Math.min(limit, maxParticipantIndex(domainId)) + 1;
  return Array.from(
    { length: count },
    (_, index) => `${address}:${discoveryPort(domainId, index)}`,
  );
}

/** The address of a peer, and the one that this machine would send to it from. */
async function wayTo({ address: host }: DiscoveryPeer): Promise<{ to: string; from: string }> {
  const socket = createSocket('udp4');
  try {
    const connected = once(socket, 'connect');
    socket.connect(discardPort, host);
    await connected;
    return { to: socket.remoteAddress().address, from: socket.address().address };
  } catch (cause) {
    throw new HlcError(
      'HLC_PEER_UNREACHABLE',
      { peer: host, cause: (cause as Error).message },
      { cause },
    );
  } finally {
    socket.close();
  }
}

/** The address of the card with the default route, else of the first one that is up. */
async function cardAddress(): Promise<string | undefined> {
  try {
    const { from } = await wayTo({ address: anyOtherMachine });
    return from;
  } catch {
    return firstCardAddress();
  }
}

function isOfThisMachine(address: string): boolean {
  return isLoopbackAddress(address) || interfaceWith(address) !== undefined;
}

function isLoopbackAddress(address: string): boolean {
  return address.startsWith('127.');
}
