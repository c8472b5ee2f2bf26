import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readRecording } from '../../../src/record/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { FleetSession } from '../../support/fleet-tap.js';
import { cliProgram } from '../../support/middleware.js';
import { openTap } from '../../support/open-tap.js';
import { skipWithout } from '../../support/skip-without.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { languages } from '../languages.js';
import { doctor, installationMs, installReaders } from '../recording-readers.js';

/** Of 100 vehicles at 50 Hz in 10 s. */
const recordedStates = 50_000;

/** More than waits for a reader in the tap and in the kernel. */
const stoppedMs = 8000;

/** What a recording says of its own completeness. */
interface Recorded {
  /** Messages by topic. */
  readonly counts: Readonly<Record<string, number>>;
  readonly dropped: ReadonlyMap<string, string> | undefined;
}

async function readCounts(file: string): Promise<Recorded> {
  const counts: Record<string, number> = {};
  let dropped: ReadonlyMap<string, string> | undefined;
  for await (const item of readRecording(file)) {
    if (item.kind === 'metadata' && item.metadata.name === 'dropped') {
      dropped = item.metadata.metadata;
    }
    if (item.kind === 'message') {
      counts[item.channel.topic] = (counts[item.channel.topic] ?? 0) + 1;
    }
  }
  return { counts, dropped };
}

/** A recorder of a session with 100 vehicles at 50 Hz and four controllers. */
async function recordFleet(through: (folder: string) => readonly string[] = () => []) {
  const { tap, path: tapPath } = await openTap();
  const folder = temporaryFolder();
  const file = path.join(folder, 'a.mcap');
  const socket = `--control-socket=${tapPath.replace('.tap', '.sock')}`;
  const words = [...through(folder), process.execPath, cliProgram, 'record', file, socket];
  const [program = '', ...args] = words;
  const recorder = new ChildProgram('the recorder', program, args, '');
  await recorder.stdout.until((line) => line.startsWith('recording'));
  return { tap, file, recorder, session: new FleetSession(tap, 100, 4) };
}

it('records 100 vehicles at 50 Hz without a drop', async () => {
  const { tap, file, recorder, session } = await recordFleet();
  await waitUntil(() => session.sent.states >= recordedStates);
  session.stop();
  await tap.close();
  expect(await recorder.ended).toEqual({ code: 0, signal: null });
  const { counts, dropped } = await readCounts(file);
  expect(dropped?.size).toBe(0);
  const { states, commands } = session.sent;
  expect(counts).toMatchObject({
    '/lab/vehicleState': states,
    '/controllers/vehicleCommandTrajectory': commands,
    '/lab/vehicleCommandTrajectory': commands,
  });
});

it('that stands still counts what it loses: written and dropped are what was sent, by topic', async () => {
  const { tap, file, recorder, session } = await recordFleet();
  recorder.signal('SIGSTOP');
  await wait(stoppedMs);
  recorder.signal('SIGCONT');
  // It reads again what comes now.
  await wait(1000);
  session.stop();
  await tap.close();
  expect(await recorder.ended).toEqual({ code: 0, signal: null });
  const { counts, dropped = new Map<string, string>() } = await readCounts(file);
  const sum = (topic: string, lost: string) =>
    (counts[topic] ?? 0) + Number(dropped.get(lost) ?? 0);
  const { states, commands } = session.sent;
  expect(Number(dropped.get('event vehicleState vehicleState'))).toBeGreaterThan(1000);
  expect(sum('/lab/vehicleState', 'event vehicleState vehicleState')).toBe(states);
  const trajectory = 'vehicleCommandTrajectory';
  expect(sum(`/controllers/${trajectory}`, `event command ${trajectory}`)).toBe(commands);
  expect(sum(`/lab/${trajectory}`, `effect forwardCommand ${trajectory}`)).toBe(commands);
});

/** A disk of 400 KiB that this program alone sees; what is on it is copied to the folder at the end. */
const smallDisk = (folder: string) => [
  ...['unshare', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=400k tmpfs "$0" && { "$@"; code=$?; cp "$0"/* "$0.copy"; exit $code; }`,
  folder,
];
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

describe('on a disk that is full', () => {
  skipWithout(canMount ? undefined : 'no disk can be mounted: run it as root');
  skipWithout(languages.find(({ name }) => name === 'Python')?.missing());

  beforeAll(installReaders, installationMs);

  it('ends with a sentence and a complete file, and the tap goes on', async () => {
    const { tap, file, recorder } = await recordFleet(smallDisk);
    const copy = `${path.dirname(file)}.copy`;
    onTestFinished(() => rmSync(copy, { force: true }));
    expect(await recorder.ended).toEqual({ code: 1, signal: null });
    expect(recorder.stderr.items).toEqual([
      expect.stringMatching(/ENOSPC.*\[HLC_RECORDING_WRITE\]$/),
    ]);
    await expect.poll(() => tap.wantsSamples).toBe(false);
    let messages = 0;
    for await (const { kind } of readRecording(copy)) {
      expect(['cut', 'broken']).not.toContain(kind);
      if (kind === 'message') messages++;
    }
    expect(messages).toBeGreaterThan(100);
    const judged = await doctor(copy);
    expect(judged).toMatch(/passed MCAP doctor checks/);
    expect(judged).not.toMatch(/warning|error/);
  });
});
