import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { readRecording } from '../../../src/record/index.js';
import { rosFieldName } from '../../../tools/codegen/ros-names.mjs';
import { ChildProgram } from '../../support/child-program.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import { skipWithout } from '../../support/skip-without.js';
import { TapReceipts } from '../../support/tap-receipts.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';
import { languages } from '../languages.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const venv = path.join(root, 'build/peers/recordings');
const readers = [
  'mcap==1.6.0',
  'mcap-ros2-support==0.6.0',
  'rosbags==0.11.9',
  'pymcap-cli==0.34.0',
];
const kills = 50;
const run = promisify(execFile);

/** What the readers in Python say of a file. */
interface Read {
  readonly counts: Readonly<Record<string, number>>;
  /** Highest log time, ns. */
  readonly last: string;
  /** Messages of which the two decoders make different values. */
  readonly different: number;
  /** The last message of each topic. */
  readonly samples: Readonly<Record<string, unknown>>;
}

function read(...files: string[]): Read[] {
  const script = path.join(root, 'test/interop/python/recordings.py');
  const options = { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const;
  const text = execFileSync(path.join(venv, 'bin/python'), [script, ...files], options);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Read);
}

/** The last lines of `pymcap-cli doctor`; its exit code is 0 also with warnings. */
async function doctor(file: string): Promise<string> {
  const { stdout } = await run(path.join(venv, 'bin/pymcap-cli'), ['doctor', file], {
    env: { ...process.env, COLUMNS: '400' },
  });
  return stdout;
}

/** Does it for each of these, two at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all([worker(), worker()]);
}

/** Fields as in ROS 2, and all numbers as text. */
function inRos(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(inRos);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rosFieldName(name), inRos(member)]),
  );
}

/** `hlc-middleware` in a lab of its own, with a folder for its files. */
function openLab() {
  const { uri } = openTestLab();
  const folder = temporaryFolder();
  const socket = `--control-socket=${path.join(folder, 'a.sock')}`;
  const start = (...args: string[]) =>
    new ChildProgram(args.join(' '), process.execPath, [cliProgram, ...args], loopbackUri(uri));
  return { folder, socket, start };
}

describe('A recording, read by programs of others', () => {
  skipWithout(languages.find(({ name }) => name === 'Python')?.missing());

  beforeAll(() => {
    if (existsSync(path.join(venv, 'bin/pymcap-cli'))) return;
    execFileSync('python3', ['-m', 'venv', venv]);
    execFileSync(path.join(venv, 'bin/pip'), ['install', '--quiet', ...readers]);
  }, 300_000);

  it('is complete, and each message has the values of our own decoder', async () => {
    const { folder, socket, start } = openLab();
    const file = path.join(folder, 'run.mcap');
    const play = start('play', '--period-ms=50', '--periods=100', socket, `--record=${file}`);
    expect(await play.ended).toEqual({ code: 0, signal: null });
    const judged = await doctor(file);
    expect(judged).toMatch(/passed MCAP doctor checks/);
    expect(judged).not.toMatch(/warning|error/);
    const [whole] = read(file);
    if (whole === undefined) throw new Error('nothing was read');
    const { counts, different, samples } = whole;
    expect(different).toBe(0);
    const own: Record<string, unknown> = {};
    const written: Record<string, number> = {};
    let dropped: ReadonlyMap<string, string> | undefined;
    for await (const item of readRecording(file)) {
      if (item.kind === 'metadata' && item.metadata.name === 'written') {
        for (const [topic, count] of item.metadata.metadata) written[topic] = Number(count);
      }
      if (item.kind === 'metadata' && item.metadata.name === 'dropped') {
        dropped = item.metadata.metadata;
      }
      if (item.kind !== 'message') continue;
      const name = path.basename(item.channel.topic);
      if (!(name in topics)) continue;
      const { codec } = topics[name as keyof typeof topics];
      own[item.channel.topic] = inRos(codec.decode(item.message.data));
    }
    expect(dropped?.size).toBe(0);
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(written).filter(([, count]) => count > 0)),
    );
    expect(counts['/controllers/vehicleStateList']).toBe(100);
    for (const [topic, value] of Object.entries(own)) {
      expect(inRos(samples[topic]), topic).toEqual(value);
    }
  }, 120_000);

  it(`keeps all but the last 200 ms in ${kills} recorders that are killed, and is recovered`, async () => {
    const { folder, socket, start } = openLab();
    const play = start('play', '--periods=100000', '--period-ms=20', '--miss-policy=log', socket);
    await play.stdout.until((line) => line.startsWith('running'));
    const files = Array.from({ length: kills }, (_, i) => path.join(folder, `${i}.mcap`));
    const receipts = await TapReceipts.open(path.join(folder, 'a.tap'));
    const killedMs = new Map<string, number>();
    await forEach(files, async (file) => {
      const recorder = start('record', file, socket);
      await recorder.stdout.until((line) => line.startsWith('recording'));
      // A random instant is what the test is about.
      await wait(Math.random() * 700);
      killedMs.set(file, performance.now());
      recorder.signal('SIGKILL');
      await recorder.ended;
    });
    const recovered = files.map((file) => file.replace('.mcap', '.recovered.mcap'));
    play.signal('SIGINT');
    await play.ended;
    await forEach(files, async (file) => {
      expect((await start('record', 'recover', file).ended).code).toBe(0);
    });
    await forEach(recovered, async (file) => {
      expect(await doctor(file)).not.toMatch(/warning|error/);
    });
    const before = read(...files);
    const after = read(...recovered);
    for (const [i, { last, different, counts }] of before.entries()) {
      expect(different).toBe(0);
      const file = files[i] ?? '';
      const { lostMs, lastNs } = await receipts.judge(file, killedMs.get(file) ?? 0);
      expect(last).toBe(String(lastNs));
      expect(lostMs).toBeLessThan(200);
      expect(after[i]).toMatchObject({ last, different, counts });
    }
  }, 600_000);
});
