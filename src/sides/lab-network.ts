import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { HlcError } from '../core/errors/index.js';
import { parsePeers, type DiscoveryPeer, type DomainNetwork } from '../dds/index.js';

/** What the user said about the network of the lab side. */
export interface LabNetworkRequest {
  readonly domainId: number;
  readonly networkInterface: string;
  /** As written. */
  readonly initialPeers: readonly string[];
}

/** Keeps everything on this machine. */
export const defaultInterface = 'lo';
const loopbackInterfaces = [defaultInterface, '127.0.0.1'];
/** Any port: connecting a UDP socket sends nothing, it only looks up the route. */
const discardPort = 9;

/**
 * How the lab side uses the network. A peer on another machine makes it use the interface that
 * reaches this peer, unless the user named an interface.
 * @throws HlcError `HLC_CONFIG_PEER`, or `HLC_PEER_UNREACHABLE` when there is no route to a peer.
 */
export async function labNetwork(request: LabNetworkRequest): Promise<DomainNetwork> {
  const { domainId, networkInterface } = request;
  const peers = request.initialPeers.flatMap(parsePeers);
  const initialPeers = peers.map(cyclonePeer);
  if (!loopbackInterfaces.includes(networkInterface)) {
    return { domainId, networkInterface, initialPeers };
  }
  const ways = await Promise.all(peers.map(wayTo));
  const outward = ways.find((way) => !isOfThisMachine(way.to))?.from;
  if (outward === undefined) return { domainId, networkInterface, initialPeers };
  return {
    domainId,
    networkInterface: interfaceWith(outward) ?? outward,
    // Participants of this machine are reached on the same interface.
    initialPeers: [...initialPeers, outward],
    multicast: false,
  };
}

/** As `Discovery/Peers/Peer` of Cyclone DDS takes it. */
function cyclonePeer({ address, port }: DiscoveryPeer): string {
  return port === undefined ? address : `${address}:${port}`;
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

function isOfThisMachine(address: string): boolean {
  return address.startsWith('127.') || interfaceWith(address) !== undefined;
}

function interfaceWith(address: string): string | undefined {
  const found = Object.entries(networkInterfaces()).find(([, addresses]) =>
    addresses?.some((entry) => entry.address === address),
  );
  return found?.[0];
}
