import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readRecording } from '../../src/record/index.js';
import { ChildProgram } from '../support/child-program.js';
import { FleetSession } from '../support/fleet-tap.js';
import { cliProgram } from '../support/middleware.js';
import { openTap } from '../support/open-tap.js';
import { processorS } from '../support/processor-time.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const recordedMs = 10_000;
const mostOfACore = 0.05;

it('records 100 vehicles at 50 Hz without a drop, with at most 5 % of a core', async () => {
  const { tap, path: tapPath } = await openTap();
  const file = path.join(temporaryFolder(), 'a.mcap');
  const socket = tapPath.replace('.tap', '.sock');
  const recorder = new ChildProgram(
    'the recorder',
    process.execPath,
    [cliProgram, 'record', file, `--control-socket=${socket}`],
    '',
  );
  await recorder.stdout.until((line) => line.startsWith('recording'));
  const session = new FleetSession(tap, 100, 4);
  // Code that runs often is compiled first.
  await wait(1000);
  const before = processorS(recorder.pid);
  await wait(recordedMs);
  const share = (processorS(recorder.pid) - before) / (recordedMs / 1000);
  session.stop();
  await tap.close();
  expect(await recorder.ended).toEqual({ code: 0, signal: null });
  const metadata = new Map<string, ReadonlyMap<string, string>>();
  const counts: Record<string, number> = {};
  for await (const item of readRecording(file)) {
    if (item.kind === 'metadata') metadata.set(item.metadata.name, item.metadata.metadata);
    if (item.kind === 'message') {
      counts[item.channel.topic] = (counts[item.channel.topic] ?? 0) + 1;
    }
  }
  expect(metadata.get('dropped')?.size).toBe(0);
  const { states, commands } = session.sent;
  expect(states).toBeGreaterThan(50_000);
  expect(counts).toMatchObject({
    '/lab/vehicleState': states,
    '/controllers/vehicleCommandTrajectory': commands,
    '/lab/vehicleCommandTrajectory': commands,
  });
  expect(share).toBeLessThanOrEqual(mostOfACore);
});
