/** Loopback without multicast: participants find each other by index on 127.0.0.1. */
const loopback =
  '<CycloneDDS><Domain Id="any">' +
  '<General><AllowMulticast>false</AllowMulticast>' +
  '<Interfaces><NetworkInterface name="lo"/></Interfaces></General>' +
  '<Discovery><Peers><Peer Address="127.0.0.1"/></Peers>' +
  '<ParticipantIndex>auto</ParticipantIndex>' +
  '<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex></Discovery>' +
  '</Domain></CycloneDDS>';

/**
 * A `CYCLONEDDS_URI` for programs that have no network settings of their own: what `uri` says, on
 * loopback.
 */
export function loopbackUri(uri: string): string {
  return `${loopback},${uri}`;
}
