/** The variables that decide whom a node meets. */
export type RosEnvironment = Readonly<Record<string, string | undefined>>;

/** As many as rmw_cyclonedds_cpp allows on one machine. */
const mostParticipantIndex = 32;

/**
 * Cyclone DDS configuration of a participant that meets the same nodes as one of rmw_cyclonedds_cpp
 * in ROS 2 Jazzy does, from the same variables (`check_create_domain` in its rmw_node.cpp). Its
 * `CYCLONEDDS_URI` has the last word. Participants of other DDS libraries look for others in the same
 * way: by multicast, or on this machine alone.
 */
export function rosDomainConfig(environment: RosEnvironment): string {
  const range = discoveryRange(environment);
  const users = environment.CYCLONEDDS_URI ?? '';
  if (range === 'SYSTEM_DEFAULT') return users;
  const isLocal = range === 'LOCALHOST';
  const isOff = range === 'OFF';
  const named = (environment.ROS_STATIC_PEERS ?? '').split(';').filter((peer) => peer !== '');
  const peers = isOff ? [] : [...(isLocal ? ['localhost'] : []), ...named];
  const general =
    isLocal || isOff ? '<General><AllowMulticast>false</AllowMulticast></General>' : '';
  const list =
    peers.length === 0
      ? ''
      : `<Peers>${peers.map((peer) => `<Peer address="${attribute(peer)}"/>`).join('')}</Peers>`;
  const ours =
    `<CycloneDDS><Domain>${general}<Discovery><ParticipantIndex>auto</ParticipantIndex>` +
    `<MaxAutoParticipantIndex>${mostParticipantIndex}</MaxAutoParticipantIndex>${list}</Discovery>` +
    `</Domain></CycloneDDS>`;
  return users === '' ? ours : `${ours},${users}`;
}

/** Why controllers cannot be identified over DDS beside a node; undefined when they can. */
export function whyNotIdentified(environment: RosEnvironment): string | undefined {
  const { RMW_IMPLEMENTATION: rmw = '', ROS_SECURITY_ENABLE: security = '' } = environment;
  if (rmw.includes('zenoh')) return `${rmw} is no DDS`;
  if (security === 'true') return 'ROS_SECURITY_ENABLE is true';
  return undefined;
}

function discoveryRange(environment: RosEnvironment): string {
  const { ROS_AUTOMATIC_DISCOVERY_RANGE: range = '', ROS_LOCALHOST_ONLY: local } = environment;
  // The older variable counts before the newer one (rcl, `rcl_get_discovery_automatic_range`).
  if (local !== undefined && local !== '') return local === '1' ? 'LOCALHOST' : 'SUBNET';
  return range === '' ? 'SUBNET' : range;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
