import { describe, expect, it } from 'vitest';
import { rosDomainConfig } from '../../../src/ros2/index.js';

const around = (inside: string) =>
  `<CycloneDDS><Domain>${inside}</Discovery></Domain></CycloneDDS>`;
const discovery =
  '<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>';
const silent = '<General><AllowMulticast>false</AllowMulticast></General>';
const localhost = '<Peers><Peer address="localhost"/></Peers>';

describe('the network of a participant beside a node', () => {
  // As rmw_cyclonedds_cpp of Jazzy has it.
  it.each<[Record<string, string>, string]>([
    [{}, around(discovery)],
    [{ ROS_AUTOMATIC_DISCOVERY_RANGE: 'SUBNET' }, around(discovery)],
    [{ ROS_AUTOMATIC_DISCOVERY_RANGE: 'SYSTEM_DEFAULT' }, ''],
    [{ ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST' }, around(silent + discovery + localhost)],
    [{ ROS_LOCALHOST_ONLY: '1' }, around(silent + discovery + localhost)],
    [{ ROS_LOCALHOST_ONLY: '0', ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST' }, around(discovery)],
    [
      { ROS_STATIC_PEERS: '10.0.0.1;car' },
      around(`${discovery}<Peers><Peer address="10.0.0.1"/><Peer address="car"/></Peers>`),
    ],
    [{ ROS_AUTOMATIC_DISCOVERY_RANGE: 'OFF', ROS_STATIC_PEERS: 'x' }, around(silent + discovery)],
  ])('with %j is that of the node', (environment, expected) => {
    expect(rosDomainConfig(environment)).toBe(expected);
  });

  it('has CYCLONEDDS_URI after it, which has the last word', () => {
    const uri = '<CycloneDDS><Domain/></CycloneDDS>';
    expect(rosDomainConfig({ CYCLONEDDS_URI: uri })).toBe(`${around(discovery)},${uri}`);
  });
});
