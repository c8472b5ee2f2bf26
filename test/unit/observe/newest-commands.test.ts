import { describe, expect, it } from 'vitest';
import { encodeCommand, type ReceivedCommand } from '../../../src/sides/index.js';
import { NewestCommands } from '../../../src/observe/live/newest-commands.js';
import { EventRecord, FrameWriter, RecordReader, splitFrames } from '../../../src/tap/index.js';
import { commandsOfAllKinds } from '../../support/commands.js';
import { usedMemory } from '../../support/collect-garbage.js';

const at = { monotonicNs: 1n, realtimeNs: 1n };

function received(kind: ReceivedCommand['kind']): ReceivedCommand {
  const command = commandsOfAllKinds(1, 1_000_000_000n).find((each) => each.kind === kind);
  if (command === undefined) throw new TypeError(`no ${kind}`);
  return { ...command, bytes: encodeCommand(command), writerGuid: '0'.repeat(32) };
}

/** @param room bytes that came together with it. */
function eventOf(command: ReceivedCommand, room = 0): EventRecord {
  const frames = new FrameWriter();
  const event = { kind: 'command', command, writer: '0', receivedAtNs: 0n, atNs: 0n } as const;
  frames.step(0n, at, event, []);
  const written = frames.take();
  const bytes = Buffer.alloc(written.length + room);
  written.copy(bytes);
  const [frame] = splitFrames(bytes.subarray(0, written.length));
  const record = frame && new RecordReader().read(frame);
  if (!(record instanceof EventRecord)) throw new TypeError('no event');
  return record;
}

describe('the newest commands of a controller', () => {
  it('are its last ten, the newest first, as they were, in memory that is used again', () => {
    const commands = new NewestCommands();
    const [long, short] = [eventOf(received('trajectory')), eventOf(received('speedCurvature'))];
    for (let t = 0; t < 30; t++) commands.add(1, t % 2 === 0 ? long : short, t, t % 3 === 0);
    commands.add(2, short, 99, true);
    const views = commands.of(1);
    expect(views.map(({ t }) => t)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    expect(views.map(({ forwarded }) => forwarded)).toEqual(views.map(({ t }) => t % 3 === 0));
    const kinds = views.map(({ t }) => (t % 2 === 0 ? 'trajectory' : 'speedCurvature'));
    expect(views.map(({ kind }) => kind)).toEqual(kinds);
    expect(Object.keys(views[0]?.numbers ?? {})).toEqual(['speed', 'curvature']);
    expect(commands.of(2)).toMatchObject([{ t: 99, kind: 'speedCurvature', forwarded: true }]);
    commands.clear();
    expect(commands.of(1)).toEqual([]);
  });

  it('keep none of the bytes that came together with them', () => {
    const commands = new NewestCommands();
    const direct = received('direct');
    const before = usedMemory();
    for (let t = 0; t < 10; t++) {
      for (let id = 1; id <= 50; id++) commands.add(id, eventOf(direct, 100_000), t, true);
    }
    // 50 MB came with them.
    expect(usedMemory() - before).toBeLessThan(3_000_000);
    expect(commands.of(50)).toHaveLength(10);
  });
});
