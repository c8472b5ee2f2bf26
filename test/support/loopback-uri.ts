/** Network settings without multicast: participants find each other by index on these addresses. */
export function networkUri(networkInterface: string, addresses: readonly string[]): string {
  const peers = addresses.map((address) => `<Peer Address="${address}"/>`).join('');
  return (
    '<CycloneDDS><Domain Id="any">' +
    '<General><AllowMulticast>false</AllowMulticast>' +
    `<Interfaces><NetworkInterface name="${networkInterface}"/></Interfaces></General>` +
    `<Discovery><Peers>${peers}</Peers>` +
    '<ParticipantIndex>auto</ParticipantIndex>' +
    '<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex></Discovery>' +
    '</Domain></CycloneDDS>'
  );
}

/**
 * A `CYCLONEDDS_URI` for programs that have no network settings of their own: what `uri` says, on
 * loopback.
 */
export function loopbackUri(uri: string): string {
  return `${networkUri('lo', ['127.0.0.1'])},${uri}`;
}
