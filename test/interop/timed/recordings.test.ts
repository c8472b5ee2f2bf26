import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { readRecording } from '../../../src/record/index.js';
import { rosFieldName } from '../../../tools/codegen/ros-names.mjs';
import { ChildProgram } from '../../support/child-program.js';
import { commandsOfAllKinds, commandTopics, type CommandKind } from '../../support/commands.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';
import { skipWithout } from '../../support/skip-without.js';
import { TapReceipts } from '../../support/tap-receipts.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';
import { WallClock, whyNoWallClock } from '../../support/wall-clock.js';
import { languages } from '../languages.js';
import { doctor, installationMs, installReaders, readByOthers } from '../recording-readers.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const qosFile = 'qos/default.xml';
const kills = Number(process.env.HLC_RECORDER_KILLS ?? 50);
const periods = 100;
/** In the last ones nothing is sent, so that all that was sent has arrived when the run ends. */
const busyPeriods = 90;
/** Without a lab control. */
const begins = '--wait-for-start=false';
const oneHourS = 3600;
const oneMinuteNs = 60_000_000_000n;

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
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(inRos);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rosFieldName(name), inRos(member)]),
  );
}

/** `hlc-middleware` in a lab of its own, with a folder for its files. */
function openLab() {
  const lab = openTestLab();
  const folder = temporaryFolder();
  const socket = `--control-socket=${path.join(folder, 'a.sock')}`;
  const startThrough = (through: readonly string[], ...args: string[]) => {
    const [program = '', ...words] = [...through, process.execPath, cliProgram, ...args];
    return new ChildProgram(args.join(' '), program, words, loopbackUri(lab.uri));
  };
  const start = (...args: string[]) => startThrough([], ...args);
  return { lab, folder, socket, start, startThrough };
}

/** The samples in a recording as our own decoder reads them, and what its metadata says. */
async function readByUs(file: string) {
  const samples: (readonly [string, unknown])[] = [];
  const metadata: Record<string, Record<string, number>> = {};
  for await (const item of readRecording(file)) {
    if (item.kind === 'metadata' && ['written', 'dropped'].includes(item.metadata.name)) {
      const counts = [...item.metadata.metadata].map(([name, text]) => [name, Number(text)]);
      metadata[item.metadata.name] = Object.fromEntries(counts) as Record<string, number>;
    }
    if (item.kind !== 'message') continue;
    const name = path.basename(item.channel.topic);
    if (!(name in topics)) continue;
    const { codec } = topics[name as keyof typeof topics];
    samples.push([item.channel.topic, codec.decode(item.message.data)]);
  }
  return { samples, ...metadata };
}

/** The IDL and the QoS of the repository, by the names of their attachments. */
function contract(): Record<string, string> {
  const names = readdirSync(path.join(root, 'idl')).filter((name) => name.endsWith('.idl'));
  const files = [...names.map((name) => `idl/${name}`), qosFile];
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );
}

describe('A recording, read by programs of others', () => {
  skipWithout(languages.find(({ name }) => name === 'Python')?.missing());
  skipWithout(whyNoWallClock());

  beforeAll(installReaders, installationMs);

  it('has each sample that the controllers and vehicles of a run had, as our own decoder reads it', async () => {
    const { lab, folder, socket, start } = openLab();
    const file = path.join(folder, 'run.mcap');
    const ids = [1, 2];
    const vehicles = lab.vehicles();
    let states = 0;
    const controller = lab.controller({
      ids,
      onStart: ({ t_now }, self) => {
        if (self.startSignals.items.length >= busyPeriods) return;
        for (const vehicle_id of ids) {
          const header = {
            create_stamp: { nanoseconds: t_now },
            valid_after_stamp: { nanoseconds: t_now },
          };
          vehicles.sendState({ vehicle_id, header, speed: states++ / 7, odometer_distance: -0 });
          vehicles.sendObservation({ vehicle_id, header });
          for (const command of commandsOfAllKinds(vehicle_id, t_now)) self.send(command);
        }
      },
    });
    const flags = [`--vehicle-ids=${ids.join()}`, '--period-ms=50', `--periods=${periods}`, begins];
    const run = start('run', ...flags, socket, `--record=${file}`);
    await vehicles.untilRead();
    controller.signIn();
    // Whoever sends nothing any more is stopped.
    expect(await run.ended).toEqual({ code: 5, signal: null });

    const judged = await doctor(file);
    expect(judged).toMatch(/passed MCAP doctor checks/);
    expect(judged).not.toMatch(/warning|error/);
    const [whole] = readByOthers(file);
    if (whole === undefined) throw new Error('nothing was read');
    const { counts, different, rises, samples, attached } = whole;
    expect({ different, rises }).toEqual({ different: 0, rises: true });
    const own = await readByUs(file);
    expect(samples.map(([topic, value]) => [topic, inRos(value)])).toEqual(
      own.samples.map(([topic, value]) => [topic, inRos(value)]),
    );
    // Each peer counted for itself what it sent and what it received.
    const kinds = Object.keys(commandTopics) as CommandKind[];
    const ofKinds = (side: string, all: readonly { readonly kind: CommandKind }[]) =>
      kinds.map((kind) => [
        `/${side}/${commandTopics[kind].name}`,
        all.filter((command) => command.kind === kind).length,
      ]);
    const had = Object.fromEntries([
      ['/lab/vehicleState', states],
      ['/lab/vehicleObservation', states],
      ['/controllers/vehicleStateList', controller.startSignals.items.length],
      ...ofKinds('controllers', controller.sent),
      ...ofKinds('lab', vehicles.commands.items),
    ]) as Record<string, number>;
    expect(had).toMatchObject({ '/lab/vehicleState': 2 * busyPeriods });
    expect(had).toMatchObject({ '/controllers/vehicleStateList': periods });
    expect(counts).toMatchObject(had);
    expect(own).toMatchObject({ dropped: {}, written: counts });
    expect(attached).toEqual(contract());
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
    const before = readByOthers(...files);
    const after = readByOthers(...recovered);
    for (const [i, { last, different, counts }] of before.entries()) {
      expect(different).toBe(0);
      const file = files[i] ?? '';
      const { lostMs, lastNs } = await receipts.judge(file, killedMs.get(file) ?? 0);
      expect(last).toBe(String(lastNs));
      expect(lostMs).toBeLessThan(200);
      expect(after[i]).toMatchObject({ last, different, counts });
    }
  }, 600_000);

  it.each(['run', 'record'])(
    'has times that rise by the length of the run when the clock of "%s" is set by an hour',
    async (command) => {
      const { lab, folder, socket, start, startThrough } = openLab();
      const file = path.join(folder, 'run.mcap');
      const controller = lab.controller({ ids: [1] });
      const clock = new WallClock();
      const through = (program: string) => (program === command ? clock.through : []);
      const flags = ['--vehicle-ids=1', '--period-ms=50', begins, socket];
      const run = startThrough(through('run'), 'run', ...flags);
      const recorder = startThrough(through('record'), 'record', file, socket, '--wait-ms=30000');
      await recorder.stdout.until((line) => line.startsWith('recording'));
      controller.signIn();
      const { startSignals } = controller;
      await startSignals.untilCount(10);
      for (const byS of [oneHourS, -oneHourS, -oneHourS]) {
        clock.jump(byS);
        await startSignals.untilCount(startSignals.items.length + 10);
      }
      expect((await start('stop', socket).ended).code).toBe(0);
      await run.ended;
      expect(await recorder.ended).toEqual({ code: 0, signal: null });
      const [read] = readByOthers(file);
      expect(read?.rises).toBe(true);
      expect(read?.counts['/controllers/vehicleStateList']).toBe(startSignals.items.length);
      const first = BigInt(read?.first ?? 0);
      const last = BigInt(read?.last ?? 0);
      expect(last - first).toBeGreaterThan(0n);
      expect(last - first).toBeLessThan(oneMinuteNs);
      const ageNs = lab.clocks.realtimeNs() - first;
      expect(ageNs).toBeGreaterThan(0n);
      expect(ageNs).toBeLessThan(2n * oneMinuteNs);
    },
    60_000,
  );
});
