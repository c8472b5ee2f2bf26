import { describe, expect, it } from 'vitest';
import { CdrReader, topics } from '../../../src/messages/index.js';
import { readTap, readRecording } from '../../../src/record/index.js';
import { markTopic } from '../../../src/record/channels.js';
import { TapRecorder } from '../../../src/record/tap-recorder.js';
import {
  FrameWriter,
  keptPriority,
  RecordReader,
  splitFrames,
  TapFormatError,
  type TapRecord,
} from '../../../src/tap/index.js';
import { recordTap } from '../../support/recorded-tap.js';
import { TappedNode } from '../../support/tapped-node.js';
import { eventfulRun, FrameRecorder } from '../../support/tapped-run.js';
import { collected } from './sample-recording.js';

const record = (records: readonly TapRecord[]) => recordTap(records.slice(0, 7), records.slice(7));

function plainRecord(type: 'log' | 'dropped', content: object): TapRecord {
  const frames = new FrameWriter();
  frames.plain(type, content, keptPriority);
  return new RecordReader().read(frames.take());
}

describe('A recording of the tap', () => {
  it.each(['', '--simulated-time --time-source=self'])(
    'has every frame, and every sample on the topic of its side (%s)',
    async (flags) => {
      const recorder = new FrameRecorder();
      const node = new TappedNode(`--vehicle-ids=1 ${flags}`, recorder);
      await eventfulRun(node, flags !== '');
      const records = recorder.records();
      const { file } = await record(records);

      const read = await collected(readTap(file));
      expect(
        read.flatMap((item) => (item.kind === 'record' ? [Buffer.from(item.record.frame)] : [])),
      ).toEqual(records.map(({ frame }) => Buffer.from(frame)));

      const items = await collected(readRecording(file));
      const messages = items.flatMap((item) => (item.kind === 'message' ? [item] : []));
      const samplesOf = (topic: string) =>
        messages
          .filter(({ channel }) => channel.topic === topic)
          .map(({ message }) => message.data);
      expect(samplesOf('/controllers/vehicleStateList').map((each) => Buffer.from(each))).toEqual(
        node.startSignals.map((each) => Buffer.from(each)),
      );
      const states = records.filter(
        (each) => each.type === 'event' && each.event.kind === 'vehicleState',
      );
      expect(samplesOf('/lab/vehicleState')).toHaveLength(states.length);
      for (const data of samplesOf('/lab/vehicleState')) {
        expect(topics.vehicleState.codec.decode(data).vehicle_id).toBe(1);
      }
      const commands = ['Direct', 'SpeedCurvature', 'Trajectory', 'PathTracking'];
      const countOf = (side: string) =>
        commands.flatMap((kind) => samplesOf(`/${side}/vehicleCommand${kind}`)).length;
      const sent = ['forwardCommand', 'commandVehicle'];
      expect(countOf('controllers')).toBe(
        records.filter((each) => each.type === 'event' && each.event.kind === 'command').length,
      );
      expect(countOf('lab')).toBe(
        records.filter((each) => each.type === 'effect' && sent.includes(each.effect.kind)).length,
      );
      const times = messages.map(({ message }) => message.logTime);
      expect(times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0n))).toBe(true);
    },
  );

  it('has rising times while the wall clock steps by an hour in both directions', () => {
    const frames = new FrameWriter();
    const stepsNs = [0n, 3_600n, -3_600n, 0n].map((s) => s * 1_000_000_000n);
    for (const [i, stepNs] of stepsNs.entries()) {
      const monotonicNs = BigInt(i + 1) * 10_000_000n;
      const at = { monotonicNs, realtimeNs: monotonicNs + 1_000_000_000_000_000n + stepNs };
      frames.step(BigInt(i), at, { kind: 'wake', now: at }, []);
    }
    const times: bigint[] = [];
    const tap = new TapRecorder({ add: ({ logTime }) => times.push(logTime) });
    for (const frame of splitFrames(frames.take())) tap.add(frame);
    expect(times.map((time) => time - 1_000_000_000_000_000n)).toEqual([
      ...[10_000_000n, 20_000_000n, 30_000_000n, 40_000_000n],
    ]);
  });

  it('has each bookmark as a text, and counts what the tap dropped', async () => {
    const dropped = { type: 'event', kind: 'vehicleState', topic: 'vehicleState', count: 3 };
    const { file, tap } = await record([
      plainRecord('log', { level: 30, time: 'now', msg: 'mark: überholt', mark: 'überholt' }),
      plainRecord('log', { level: 30, time: 'now', msg: 'no mark' }),
      plainRecord('dropped', { records: [dropped, { ...dropped, count: 4 }] }),
    ]);
    const items = await collected(readRecording(file));
    const marks = items.flatMap((item) =>
      item.kind === 'message' && item.channel.topic === markTopic
        ? [new CdrReader(item.message.data).string()]
        : [],
    );
    expect(marks).toEqual(['überholt']);
    expect([...tap.dropped]).toEqual([['event vehicleState vehicleState', 7]]);
  });

  it('has the command of an event that came in the batch before', async () => {
    const recorder = new FrameRecorder();
    await eventfulRun(new TappedNode('--vehicle-ids=1', recorder), false);
    const records = recorder.records();
    const forwarded = records.filter(
      (each) => each.type === 'effect' && each.kind === 'forwardCommand',
    );
    const { file } = await recordTap(...records.map((each) => [each]));
    const items = await collected(readRecording(file));
    const sent = items.flatMap((item) =>
      item.kind === 'message' && item.channel.topic.startsWith('/lab/vehicleCommand')
        ? [Buffer.from(item.message.data).toString('hex')]
        : [],
    );
    expect(forwarded.length).toBeGreaterThan(5);
    for (const each of forwarded) {
      const bytes = 'sample' in each ? each.sample?.bytes : undefined;
      expect(sent).toContain(Buffer.from(bytes ?? []).toString('hex'));
    }
  });

  it('refuses a frame whose sample is cut, and an effect of another event', async () => {
    const recorder = new FrameRecorder();
    await eventfulRun(new TappedNode('--vehicle-ids=1', recorder), false);
    const records = recorder.records();
    const tap = new TapRecorder({ add: () => undefined });
    const frameOf = (kind: string) => {
      const found = records.find((each) => 'kind' in each && each.kind === kind);
      return Buffer.from(found?.frame ?? []);
    };
    const state = frameOf('vehicleState');
    tap.add(state);
    const sampleSizeAt = 40;
    state.writeUInt32LE(state.readUInt32LE(sampleSizeAt) + 1, sampleSizeAt);
    expect(() => tap.add(state)).toThrow(TapFormatError);
    tap.add(frameOf('command'));
    const forwarded = frameOf('forwardCommand');
    tap.add(forwarded);
    const numberAt = 8;
    forwarded.writeUInt8(forwarded.readUInt8(numberAt) ^ 1, numberAt);
    expect(() => tap.add(forwarded)).toThrow('an effect does not follow its event');
  });

  it('is refused when it is a recording of something else', async () => {
    const { file } = await record([]);
    await expect(collected(readTap(file))).rejects.toMatchObject({ code: 'HLC_RECORDING_READ' });
  });
});

it('of a recording without some events, all but their effects is read, and the damage is named once', async () => {
  const recorder = new FrameRecorder();
  await eventfulRun(new TappedNode('--vehicle-ids=1', recorder), false);
  const records = recorder.records();
  const isEvent = (each: TapRecord | undefined) => each?.type === 'event';
  const at = records.findIndex(
    (each, i) => isEvent(each) && records[i + 1]?.type === 'effect' && i > 10,
  );
  const effects = records.slice(at + 1).findIndex((each) => each.type !== 'effect');
  expect(effects).toBeGreaterThan(0);
  // A reader that begins here has only the effects of the event before.
  const rest = records.slice(at + 1);
  const { file } = await recordTap(rest.slice(0, 1), rest.slice(1));
  const items = await collected(readTap(file));
  const read = items.flatMap((item) => (item.kind === 'record' ? [item.record.frame] : []));
  expect(read.map((frame) => Buffer.from(frame))).toEqual(
    rest.slice(effects).map(({ frame }) => Buffer.from(frame)),
  );
  expect(items.filter(({ kind }) => kind === 'broken')).toHaveLength(1);
});
