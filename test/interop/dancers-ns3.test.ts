import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { topics, type NeighborList, type Pose2D } from '../../src/messages/index.js';
import { cmakeBuild } from '../../tools/build-native.mjs';
import { root } from '../../tools/paths.mjs';
import { ChildProgram } from '../support/child-program.js';
import { openDancersLab } from '../support/dancers-lab.js';
import { startCommand } from '../support/gateway-program.js';
import { skipWithout } from '../support/skip-without.js';
import { TopicRecorder } from '../support/topic-recorder.js';

const folder = 'build/examples/ns3';
const buildMs = 300_000;
const needed = {
  'libns3-dev': '/usr/include/ns3/wifi-helper.h',
  'libyaml-cpp-dev': '/usr/include/yaml-cpp/yaml.h',
  'libprotobuf-dev': '/usr/include/google/protobuf/message.h',
  'protobuf-compiler': '/usr/bin/protoc',
};
const missing = Object.entries(needed).find(([, file]) => !existsSync(file))?.[0];

/** Between the middle of the circle and its edge, on one side. */
const wall = { x: 2.95, y: 2, size_x: 0.8, size_y: 0.2, height: 1 };
const timeoutNs = 200_000_000n;

/** True when the straight line between two cars goes through the wall, looked at every centimetre. */
function isBlocked(a: Pose2D, b: Pose2D): boolean {
  const parts = Math.ceil(Math.hypot(a.x - b.x, a.y - b.y) * 100);
  return Array.from({ length: parts }, (_, i) => i / parts).some(
    (t) =>
      Math.abs(a.x + t * (b.x - a.x) - wall.x) < wall.size_x / 2 &&
      Math.abs(a.y + t * (b.y - a.y) - wall.y) < wall.size_y / 2,
  );
}

describe('ns-3 as the network side of a lab', () => {
  skipWithout(missing === undefined ? undefined : `${missing} is not installed`);

  beforeAll(() => {
    if (missing === undefined) cmakeBuild('examples/ns3', folder);
  }, buildMs);

  it.each([
    ['uds', true],
    ['tcp', false],
  ])('over %s: a building between two cars makes the link fail', async (_, useUds) => {
    const { config, lab, startGateway } = await openDancersLab({
      phy_step_size: 20_000,
      net_step_size: 100_000,
      simulation_length: 12,
      net_use_uds: useUds,
      buildings: [{ name: 'wall', ...wall }],
    });
    const lists = new TopicRecorder(lab.join('controllers'), topics.neighborList);
    const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
    const gateway = startGateway('--lab', '--ids=1,2');
    const flags = ['--physics-input=track', '--track=circle', '--vehicle-ids=1,2'];
    startCommand(lab.uri, 'fleet', `--physics=${config}`, ...flags);
    const network = new ChildProgram('ns-3', path.join(root, folder, 'network-side'), [config], '');
    await gateway.stderr.until((line) => line.includes('sign in with the lab'));
    await Promise.all([lists.untilMatched(), states.untilMatched()]);
    startCommand(lab.uri, 'lab', '--simulated-time', '--period-ms=100');
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(await network.ended).toEqual({ code: 0, signal: null });

    const blockedAt = new Map<bigint, boolean>();
    const poses = new Map<string, Pose2D>();
    for (const { vehicle_id: id, pose, header } of states.samples) {
      const atNs = header.create_stamp.nanoseconds;
      poses.set(`${id} ${atNs}`, pose);
      const other = poses.get(`${3 - id} ${atNs}`);
      if (other !== undefined) blockedAt.set(atNs, isBlocked(pose, other));
    }
    const neighborsOf = ({ neighbors }: NeighborList) => neighbors.map((one) => one.vehicle_id);
    const counts = { linked: 0, failed: 0 };
    for (const list of lists.samples) {
      // The network side receives the poses of a window with the next one; a list looks back by the
      // time-out of a neighbour.
      const seen = [1n, 2n, 3n, 4n].map((back) =>
        blockedAt.get(list.t_now - back * (timeoutNs / 2n)),
      );
      if (seen.every((blocked) => blocked === true)) {
        expect(neighborsOf(list)).toEqual([]);
        counts.failed++;
      } else if (seen.every((blocked) => blocked === false)) {
        expect(neighborsOf(list)).toEqual([3 - list.vehicle_id]);
        expect(list.neighbors[0]?.link_quality).toBeGreaterThan(0.8);
        counts.linked++;
      }
    }
    expect(counts.linked).toBeGreaterThan(100);
    expect(counts.failed).toBeGreaterThan(10);
  });
});
