import { createSocket } from 'node:dgram';
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

const loopbackInterfaces = ['lo', '127.0.0.1'];
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
  const ownAddresses = await Promise.all(peers.map(ownAddressTowards));
  const outward = ownAddresses.find((address) => !address.startsWith('127.'));
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

/** The address that this machine would send from. */
async function ownAddressTowards({ address: host }: DiscoveryPeer): Promise<string> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(discardPort, host, resolve);
    });
    return socket.address().address;
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

function interfaceWith(address: string): string | undefined {
  const found = Object.entries(networkInterfaces()).find(([, addresses]) =>
    addresses?.some((entry) => entry.address === address),
  );
  return found?.[0];
}
