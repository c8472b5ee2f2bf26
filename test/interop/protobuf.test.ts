import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/paths.mjs';
import { topics } from '../../src/messages/index.js';
import { openCarlaLab } from '../support/carla-lab.js';
import { ChildProgram } from '../support/child-program.js';
import { freePorts } from '../support/free-ports.js';
import { startCommand } from '../support/gateway-program.js';
import { openTestLab } from '../support/test-lab.js';
import { TopicRecorder } from '../support/topic-recorder.js';
import { languages } from './languages.js';
import { skipWithout } from '../support/skip-without.js';

const venv = path.join(root, 'build/peers/protobuf');
const python = path.join(venv, 'bin/python');

/** What a client of protobuf_clients.py prints. */
async function printed(client: 'carla' | 'cave', port: number): Promise<unknown> {
  const script = path.join(root, 'test/interop/python/protobuf_clients.py');
  const program = new ChildProgram(
    `the ${client} client`,
    python,
    [script, client, `${port}`],
    '',
    {
      variables: { PYTHONPATH: path.join(root, 'examples/mixed') },
    },
  );
  const end = await program.ended;
  expect(program.stderr.items).toEqual([]);
  expect(end).toEqual({ code: 0, signal: null });
  return JSON.parse(program.stdout.items.join(''));
}

describe('A client whose messages are those of the protobuf library', () => {
  skipWithout(languages.find(({ name }) => name === 'Python')?.missing());

  beforeAll(() => {
    if (existsSync(path.join(venv, 'installed'))) return;
    execFileSync('python3', ['-m', 'venv', venv]);
    execFileSync(path.join(venv, 'bin/pip'), ['install', '--quiet', 'protobuf==7.36.2']);
    execFileSync('touch', [path.join(venv, 'installed')]);
  });

  it('drives a vehicle as a client of CARLA, and knows each field', async () => {
    const { lab, port, statesOf } = await openCarlaLab('1,2');
    const other = lab.controller({ ids: [2] });
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=50');
    other.signIn();
    const seen = (await printed('carla', port)) as {
      readonly frames: readonly number[];
      readonly places: readonly (readonly [number, number])[];
      readonly speed: number;
    };
    middleware.signal('SIGTERM');
    await middleware.ended;
    expect(seen).toMatchObject({ spots: 2, ready: true, agents: [2], unknown: 0 });
    expect(seen.frames).toEqual(seen.frames.map((_, index) => index + 1));
    expect(seen.speed).toBeGreaterThan(0.1);
    const [x, y] = seen.places.at(-1) ?? [NaN, NaN];
    const same = statesOf(1).find(({ pose }) => Math.hypot(pose.x - x, pose.y + y) < 1e-5);
    expect(same?.odometer_distance).toBeGreaterThan(0.5);
  });

  it('has a vehicle in the lab as a client of CAVE, and knows each field', async () => {
    const lab = openTestLab();
    const port = await freePorts(1);
    const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
    const gateway = startCommand(lab.uri, 'gateway', 'cave', `--port=${port}`, '--ids=100');
    await gateway.stderr.until((line) => line.startsWith('CAVE clients are served'));
    startCommand(lab.uri, 'fleet', '--vehicle-ids=1');
    await states.messages.until(({ message }) => message.vehicle_id === 1);
    const seen = (await printed('cave', port)) as { readonly x: number };
    expect(seen).toMatchObject({ unknown: 0 });
    // The whole world: the vehicle of the lab, and its own.
    expect(seen).toHaveProperty('seen', [
      [-1, 1],
      [0, 0],
    ]);
    const { message: last } = await states.messages.until(
      ({ message }) => message.vehicle_id === 100 && message.pose.x > seen.x - 0.1,
    );
    expect(last.pose).toMatchObject({ y: 4, yaw: 0 });
    expect(last.speed).toBeCloseTo(1);
  });
});
