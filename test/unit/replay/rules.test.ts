import { describe, expect, it } from 'vitest';
import { RulesReplay, rulesText } from '../../../src/replay/index.js';
import { FrameWriter, keptPriority, RecordReader, type TapRecord } from '../../../src/tap/index.js';
import { TappedNode } from '../../support/tapped-node.js';
import { eventfulRun, FrameRecorder } from '../../support/tapped-run.js';

async function recordsOf(flags: string): Promise<TapRecord[]> {
  const recorder = new FrameRecorder();
  const node = new TappedNode(`--vehicle-ids=1 ${flags}`, recorder);
  await eventfulRun(node, flags.includes('--simulated-time'));
  return recorder.records();
}

function replayed(records: readonly TapRecord[], wasCut = false) {
  const replay = new RulesReplay();
  for (const record of records) replay.add(record);
  return replay.end(wasCut);
}

/** The same records with other settings of the session. */
function withSettings(records: readonly TapRecord[], change: (settings: object) => object) {
  return records.map((record) => {
    if (record.type !== 'session') return record;
    const frames = new FrameWriter();
    const settings = change(record.content.settings);
    frames.plain('session', { ...record.content, settings }, keptPriority);
    return new RecordReader().read(frames.take());
  });
}

describe('A replay of the rules', () => {
  it.each(['', '--miss-policy=stop --resume=manual', '--simulated-time --time-source=self'])(
    'returns the recorded effects (%s)',
    async (flags) => {
      const records = await recordsOf(flags);
      const report = replayed(records);
      expect(report).toMatchObject({ sessions: 1, same: true, difference: null, incomplete: [] });
      expect(report.events).toBe(records.filter(({ type }) => type === 'event').length);
      expect(report.effects).toBe(records.filter(({ type }) => type === 'effect').length);
      expect(rulesText('a.mcap', report)).toContain('All effects are the same.');
    },
  );

  it('names the first effect that other rules change, and the member that differs', async () => {
    const records = await recordsOf('');
    const stricter = withSettings(records, (settings) => {
      const { config } = settings as { config: { periodNs: bigint } };
      return { ...settings, config: { ...config, periodNs: config.periodNs + 2n } };
    });
    const report = replayed(stricter);
    expect(report.same).toBe(false);
    const { difference } = report;
    expect(difference).toMatchObject({ session: 1, recorded: 'prepareStart' });
    expect(rulesText('a.mcap', report)).toMatch(
      /First difference: session 1, event \d+ \(\w+\), effect \d+: .*recorded/,
    );
  });

  it('names an effect that was not recorded', async () => {
    const records = await recordsOf('');
    const at = records.findIndex(
      (record, i) => record.type === 'effect' && records[i + 1]?.type === 'event',
    );
    const report = replayed(records.filter((_, i) => i !== at));
    expect(report.difference).toMatchObject({ recorded: null });
  });

  it('accepts that the effects of the last event of a cut recording are absent', async () => {
    const records = await recordsOf('');
    const last = records.findLastIndex(({ type }) => type === 'effect');
    expect(replayed(records.slice(0, last), true).same).toBe(true);
    expect(replayed(records.slice(0, last)).same).toBe(false);
  });

  it('says that it cannot compare after a gap, and not that all is the same', async () => {
    const records = await recordsOf('');
    const gap = records.findIndex(({ type }, i) => type === 'event' && i > 20);
    const kept = records.filter((_, i) => i < gap || i > gap + 8);
    const rest = kept.slice(kept.findIndex((_, i) => i >= gap));
    const next = gap + rest.findIndex(({ type }) => type === 'event');
    const report = replayed([...kept.slice(0, gap), ...kept.slice(next)]);
    expect(report.same).toBe(false);
    expect(report.incomplete).toEqual([expect.stringContaining('has no record of its events')]);
  });

  it('says that a session began before its recording', async () => {
    const records = await recordsOf('');
    const late = records.map((record) =>
      record.type === 'session'
        ? { ...record, content: { ...record.content, nextEvent: 7n } }
        : record,
    );
    const report = replayed(late);
    expect(report.same).toBe(false);
    expect(report.incomplete).toEqual([expect.stringContaining('run --record')]);
    expect(report.events).toBe(0);
  });
});
