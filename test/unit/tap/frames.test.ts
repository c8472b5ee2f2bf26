import { describe, expect, it } from 'vitest';
import { startSignalSample } from '../../../src/node/middleware/start-signal.js';
import {
  encodeMembers,
  FrameSplitter,
  FrameWriter,
  keptPriority,
  openSession,
  RecordReader,
  settingsOf,
  TapFormatError,
  type TapRecord,
} from '../../../src/tap/index.js';
import { TappedNode } from '../../support/tapped-node.js';
import { eventfulRun, FrameRecorder } from '../../support/tapped-run.js';

/** Gives the recorded events to a new session, and compares what it answers. */
function rerun(records: readonly TapRecord[]): { differing: string[]; compared: number } {
  const begin = records.find((record) => record.type === 'session');
  if (begin === undefined) throw new Error('no session was recorded');
  const { session, mode } = openSession(settingsOf(begin.content.settings), begin.content.now);
  const differing: string[] = [];
  let expected: ReturnType<typeof session.handle> = [];
  let next = 0;
  let compared = 0;
  const finish = () => {
    if (next !== expected.length) differing.push(`${expected.length - next} effects are missing`);
  };
  for (const record of records) {
    if (record.type === 'event') {
      finish();
      const { event } = record;
      next = 0;
      if (mode === 'simulated') expected = session.handle(event);
      else expected = event.kind === 'stepControl' ? [] : session.handle(event);
    } else if (record.type === 'effect') {
      const effect = expected[next++];
      compared++;
      const same =
        effect?.kind === record.effect.kind &&
        Buffer.compare(encodeMembers(effect), record.members) === 0;
      if (!same) differing.push(record.effect.kind);
      if (effect?.kind !== 'sendStartSignal') continue;
      const sample = startSignalSample(effect, 'omit');
      if (Buffer.compare(sample, record.sample?.bytes ?? new Uint8Array()) !== 0) {
        differing.push('the sample of a start signal');
      }
    }
  }
  finish();
  return { differing, compared };
}

const kindsOf = (records: readonly TapRecord[]) =>
  new Set(
    records.flatMap((record) => {
      if (record.type === 'event') return [record.event.kind];
      return record.type === 'effect' ? [record.effect.kind] : [];
    }),
  );

describe.each([
  ['real time', '--active-vehicle-ids=1', false],
  [
    'simulated time',
    '--simulated-time --time-source=self --reply-timeout-ms=100 --reply-timeout-policy=drop',
    true,
  ],
])('the records of a run in %s', (_, flags, simulated) => {
  it('re-run the rules with the same effects', async () => {
    const recorder = new FrameRecorder();
    await eventfulRun(new TappedNode(flags, recorder), simulated);
    const records = recorder.records();
    const { differing, compared } = rerun(records);
    expect(differing).toEqual([]);
    expect(compared).toBeGreaterThan(30);
    expect([...kindsOf(records)]).toEqual(
      expect.arrayContaining(['vehicleState', 'command', 'wake', 'resume', 'forwardCommand']),
    );
    expect([...kindsOf(records)]).toEqual(
      expect.arrayContaining(['refuseCommand', 'safeStop', 'commandVehicle', 'replied']),
    );
  });

  it('have each start signal as it was sent', async () => {
    const recorder = new FrameRecorder();
    const node = new TappedNode(flags, recorder);
    await eventfulRun(node, simulated);
    const sent = recorder
      .records()
      .flatMap((record) => ('sample' in record ? (record.sample ?? []) : []))
      .filter(({ topic }) => topic === 'vehicleStateList');
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
      node.startSignals.map((bytes) => Buffer.from(bytes).toString('hex')),
    );
  });
});

describe('a reader of frames', () => {
  const frameOf = (type: 'hello' | 'stalled' | 'end', content: unknown) => {
    const frames = new FrameWriter();
    frames.plain(type, content, keptPriority);
    return frames.take();
  };

  it('refuses frames of another version, and names both', () => {
    const frame = frameOf('hello', { format: 'hlc-middleware tap', version: 1 });
    expect(() => new RecordReader().read(frame)).toThrow(
      'it is of version 1 of the tap, and this program reads version 2',
    );
  });

  it('refuses content that does not fit its type', () => {
    const read = () => new RecordReader().read(frameOf('end', { reason: 'because' }));
    expect(read).toThrow(TapFormatError);
  });

  it('refuses a frame that is cut short', () => {
    const frame = frameOf('stalled', { stallNs: 60_000_000n });
    expect(() => new RecordReader().read(frame.subarray(0, -1))).toThrow(TapFormatError);
  });

  it('takes the frames from a stream that is cut anywhere', () => {
    const stream = Buffer.concat([
      frameOf('stalled', { stallNs: 1n }),
      frameOf('stalled', { stallNs: 2n }),
    ]);
    for (let cut = 0; cut <= stream.length; cut++) {
      const splitter = new FrameSplitter();
      const frames = [
        ...splitter.push(stream.subarray(0, cut)),
        ...splitter.push(stream.subarray(cut)),
      ];
      expect(frames).toHaveLength(2);
    }
  });

  it('refuses a stream with a frame longer than any', () => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(0xffff_ffff);
    expect(() => new FrameSplitter().push(header)).toThrow(TapFormatError);
  });
});
