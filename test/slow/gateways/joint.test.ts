import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { root } from '../../../tools/paths.mjs';
import { certificationReportSchema } from '../../../src/certify/judging/index.js';
import { topics, type Topic } from '../../../src/messages/index.js';
import { openCarlaLab, type CarlaLab } from '../../support/carla-lab.js';
import { freePorts } from '../../support/free-ports.js';
import { startClient, startCommand, type GatewayClient } from '../../support/gateway-program.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

const toTheRight = { steer: 0.5, throttle: 0.3 };
const drivesOn = { frames: 100_000, control: toTheRight };
const periodMs = 50;
const periods = 100;
/** Vehicle 1 has a controller in C, 2 one with the names of ROS 2, 3 the CARLA client; the CAVE client has 100. */
const allIds = '--active-vehicle-ids=1,2,3,100';

/** Starts the controllers of vehicles 1 and 2. */
function startControllers({ lab }: CarlaLab): void {
  const inC = path.join(root, 'build/examples/c/controller');
  lab.startProgram(inC, '--vehicle-id', '1');
  startCommand(lab.uri, 'drive', '--vehicle-ids=2', '--controller-side=ros2');
}

/** A gateway for CAVE clients in the same lab, and its clients. */
async function openCave({ lab }: CarlaLab, ...flags: string[]) {
  const port = await freePorts(1);
  const gateway = startCommand(lab.uri, 'gateway', 'cave', '--ids=100', `--port=${port}`, ...flags);
  await gateway.stderr.until((line) => line.startsWith('CAVE clients are served'));
  return (options: object) =>
    startClient<SeenByCave>('scripted_cave_client.py', { port, ids: [4], ...options });
}

/** A line of test/peers/gateways/scripted_cave_client.py, as far as it is looked at here. */
interface SeenByCave {
  readonly world?: readonly (readonly [connection: number, id: number, ...rest: number[]])[];
}

const isAnswer = ({ world }: SeenByCave) => world !== undefined;

/** The answers of the gateway to a CAVE client so far, and the states of its vehicle in the lab. */
function answeredTo({ seen }: GatewayClient<SeenByCave>, { statesOf }: CarlaLab) {
  return { answers: seen.items.filter(isAnswer).length, states: statesOf(100).length };
}

describe('controllers in C, with the names of ROS 2 and of a CARLA client', () => {
  it('are certified in one run, each by itself, while a CAVE client is served', async () => {
    const carla = await openCarlaLab('3');
    const startCaveClient = await openCave(carla);
    startControllers(carla);
    carla.startClient([drivesOn], true);
    // It drives on until the test ends.
    const cave = startCaveClient({ count: 100_000 });
    await cave.seen.until(isAnswer);
    const before = answeredTo(cave, carla);
    const certification = startCommand(
      carla.lab.uri,
      'certify',
      '--vehicle-ids=1,2,3',
      '--controller-side=both',
      '--separately',
      // Three controllers and their lab share the machine with other tests.
      '--period-ms=150',
      '--json',
    );
    const { code } = await certification.ended;
    const text = certification.stdout.items.join('\n');
    const { controllers } = z
      .object({ controllers: z.array(certificationReportSchema) })
      .parse(JSON.parse(text));
    expect(controllers.map(({ vehicle_ids: ids }) => ids)).toEqual([[1], [2], [3]]);
    for (const { rules } of controllers) {
      expect(rules.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
      // Nothing restarts them.
      const untested = rules.filter(({ outcome }) => outcome === 'not-tested');
      expect(untested.map(({ id }) => id)).toEqual(['restart']);
    }
    expect(code).toBe(0);
    // At 50 Hz; the run takes more than 10 s. Its last answer has the vehicle of the lab.
    const after = answeredTo(cave, carla);
    expect(cave.program.gone).toBe(false);
    expect(after.answers - before.answers).toBeGreaterThan(100);
    expect(after.states - before.states).toBeGreaterThan(100);
    expect(cave.seen.items.at(-1)?.world?.some(([of, id]) => of === -1 && id === 3)).toBe(true);
  });
});

describe('clients of CARLA and CAVE beside controllers in C and with the names of ROS 2', () => {
  it('take part in the same periods in real time', async () => {
    // Beside a client with the names of the CPM Lab in the other runs.
    const carla = await openCarlaLab('1,2,3', { gateway: ['--controller-side=ros2'] });
    const startCaveClient = await openCave(carla);
    startControllers(carla);
    startCaveClient({ count: 1000 });
    carla.startClient([{ ...drivesOn, spot: 2 }], true);
    const middleware = carla.lab.startMiddleware(
      '--vehicle-ids=1,2,3',
      allIds,
      '--controller-side=both',
      `--period-ms=${periodMs}`,
      '--periods=60',
    );
    expect((await middleware.ended).code).toBe(0);
    const { start_signals: signals, controllers, vehicles } = middleware.summary();
    expect(signals).toBe(60);
    for (const id of [1, 2, 3]) expect(controllers[id]?.replies).toBeGreaterThan(50);
    for (const id of [1, 2, 3, 100]) expect(vehicles[id]?.distance_m).toBeGreaterThan(0.5);
  });

  const runs: unknown[] = [];

  it.each(['first', 'second'])(
    'repeat all start signals and commands byte by byte in simulated time: %s run',
    async () => {
      const simulated = '--simulated-time';
      const carla = await openCarlaLab('1,2,3', {
        fleet: [simulated, '--participants=2'],
      });
      const { lab } = carla;
      const startCaveClient = await openCave(carla, simulated, '--clients=1');
      const recorders = recordAll(carla);
      startControllers(carla);
      carla.startClient([{ ...drivesOn, spot: 2 }], true);
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1,2,3',
        allIds,
        '--controller-side=both',
        simulated,
        '--wait-for-start=true',
        `--period-ms=${periodMs}`,
        `--periods=${periods}`,
      );
      // Its way depends on vehicle 1 in the answers that it gets; it leaves after the last period.
      startCaveClient({ count: 260, paced: true });
      expect((await middleware.ended).code).toBe(0);
      const { controllers, vehicles } = middleware.summary();
      for (const id of [1, 2, 3])
        expect(controllers[id]).toMatchObject({ replies: periods, misses: 0 });
      for (const id of [1, 2, 3, 100]) expect(vehicles[id]?.distance_m).toBeGreaterThan(0.5);
      const run = {
        startSignals: recorders.startSignals(),
        commands: recorders.commands.map((bytes) => bytes()),
      };
      expect(run.startSignals).toHaveLength(periods);
      expect(run.commands.flat()).toHaveLength(3 * (periods - 1));
      runs.push(run);
      expect(runs.at(-1)).toEqual(runs[0]);
    },
  );
});

interface Commanded {
  readonly vehicle_id: number;
  readonly header: { readonly create_stamp: { readonly nanoseconds: bigint } };
}

/** What is compared: start signals, and the commands for each vehicle as the lab gets them. */
function recordAll({ lab }: CarlaLab) {
  const [onLab, ofControllers] = [lab.join('lab'), lab.join('controllers')];
  const record = <T>(side: typeof onLab, topic: Topic<T>, counts: (message: T) => boolean) => {
    const recorder = new TopicRecorder(side, topic);
    // Cyclone fills up a sample with any octets; the codec with zeros.
    return () =>
      recorder.samples
        .filter(counts)
        .map((message) => Buffer.from(topic.codec.encode(message)).toString('hex'));
  };
  // After the last period the middleware stops the vehicles, and that is not in simulated time.
  const untilNs = BigInt((periods - 1) * periodMs) * 1_000_000n;
  // Controllers reply in any order within a step.
  const commands = <T extends Commanded>(topic: Topic<T>) =>
    [1, 2, 3].map((id) =>
      record(
        onLab,
        topic,
        ({ vehicle_id, header }) => vehicle_id === id && header.create_stamp.nanoseconds < untilNs,
      ),
    );
  return {
    startSignals: record(ofControllers, topics.vehicleStateList, () => true),
    commands: [
      ...commands(topics.vehicleCommandDirect),
      ...commands(topics.vehicleCommandTrajectory),
      ...commands(topics.vehicleCommandPathTracking),
      ...commands(topics.vehicleCommandSpeedCurvature),
    ],
  };
}
