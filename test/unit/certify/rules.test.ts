import { describe, expect, it } from 'vitest';
import {
  certificationReportSchema,
  judge,
  reportText,
  rules,
} from '../../../src/certify/judging/index.js';
import type { Transcript } from '../../../src/certify/judging/index.js';
import { but, correct, failed, rule, setting } from './judged.js';
import {
  checkOf,
  direct,
  ms,
  periodNs,
  type Course,
  type TranscriptWriter,
} from './transcripts.js';

describe('a controller without a defect', () => {
  it('passes all rules', () => {
    const report = judge(checkOf(correct), setting);
    expect(report.rules.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    expect(report).toMatchObject({ passed: rules.length, failed: 0, not_tested: 0 });
    expect(report.reply_time_ms[1]).toEqual({ count: 40, p50: 2, p90: 2, p99: 2, max: 2 });
    expect(certificationReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  it('is not blamed for periods in which the machine was busy', () => {
    const pauses = but(
      () => [],
      ({ phase, index }) => phase === 'steady' && index >= 38,
    );
    const busy = (writer: Parameters<NonNullable<NonNullable<Course['after']>['steady']>>[0]) =>
      void writer.add({ kind: 'stall', forNs: 3n * periodNs });
    expect(failed(checkOf(pauses))).toEqual(['reply']);
    expect(failed(checkOf(pauses, { after: { steady: busy } }))).toEqual([]);
  });

  it('is not taken for another controller on the same domain', () => {
    const other = (writer: Parameters<NonNullable<NonNullable<Course['after']>['steady']>>[0]) => {
      const by = 'c'.repeat(24);
      writer.ready('hlc_7', 'middleware', by);
      writer.add({ kind: 'command', command: direct(7, 0n), participant: by, realtimeNs: 0n });
    };
    expect(failed(checkOf(correct, { after: { arrival: other } }))).toEqual([]);
  });
});

describe('a rule', () => {
  const absent: Transcript = {
    vehicleIds: [1],
    periodNs,
    events: [{ kind: 'phase', phase: 'arrival', atNs: 0n }],
  };

  it('says nothing of what did not happen', () => {
    const report = judge(absent, setting);
    expect(report.appeared).toBe(false);
    const outcomes = report.rules.map(({ id, outcome }) => `${id} ${outcome}`);
    expect(outcomes).toEqual(
      rules.map(({ id }) => `${id} ${id === 'ready-id' ? 'fail' : 'not-tested'}`),
    );
  });

  it('of time is not tested on a machine that was too busy', () => {
    const busy: Course = {
      after: {
        steady: (writer) => void writer.add({ kind: 'stall', forNs: 30n * periodNs }),
      },
    };
    const transcript = checkOf(
      but(
        () => [],
        ({ phase, index }) => phase === 'steady' && index > 20,
      ),
      busy,
    );
    expect(rule(transcript, 'reply').outcome).toBe('not-tested');
    expect(rule(transcript, 'reply-time').outcome).toBe('not-tested');
  });

  it.each([
    ['newest', 'timing'],
    ['survives', 'strange'],
    ['rejoin', 'rejoin'],
    ['restart', 'restart'],
  ] as const)('%s is not tested on a machine that was too busy for it', (id, phase) => {
    const busy = (writer: TranscriptWriter) =>
      void writer.add({ kind: 'stall', forNs: 60n * periodNs });
    expect(rule(checkOf(correct), id).outcome).toBe('pass');
    expect(rule(checkOf(correct, { after: { [phase]: busy } }), id).outcome).toBe('not-tested');
  });

  it('of what is newest does not count answers to older ones that come with the first', () => {
    const heldUp = checkOf(
      but(
        ({ tNowNs }) =>
          [5n, 4n, 3n, 2n, 1n, 0n].map((older) => ({
            command: direct(1, tNowNs - older * periodNs),
            afterNs: (30n - older) * ms,
          })),
        ({ note }) => note === 'newest',
      ),
    );
    expect(rule(heldUp, 'newest').outcome).toBe('pass');
  });

  it('of what is newest takes an answer within two periods, and none for another start signal', () => {
    const late = (afterNs: bigint) =>
      checkOf(
        but(
          ({ tNowNs }) => [{ command: direct(1, tNowNs), afterNs }],
          ({ note }) => note === 'afterGap',
        ),
      );
    expect(rule(late(periodNs + 40n * ms), 'newest').outcome).toBe('pass');
    expect(rule(late(2n * periodNs + ms), 'newest').outcome).toBe('fail');
  });

  it('of the restart is not tested when the controller was started by somebody else', () => {
    expect(rule(checkOf(correct, { restart: false }), 'restart').outcome).toBe('not-tested');
  });

  it('of the stop is not tested with a controller that is silent anyway', () => {
    const silent = but(
      () => [],
      ({ phase }) => phase === 'stop',
    );
    expect(rule(checkOf(silent), 'stop').outcome).toBe('not-tested');
  });

  it.each(rules)('$id has an id, a title, and says what to change', ({ id, title, change }) => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(title).not.toMatch(/\.$/);
    expect(change).toMatch(/\.$/);
  });
});

describe('the report', () => {
  it('shows each rule with its evidence, and what to change only where it failed', () => {
    const report = judge(checkOf(correct, { sources: ['1'] }), setting);
    const text = reportText(report);
    for (const { id, evidence } of report.rules) {
      expect(text).toContain(id);
      expect(text).toContain(evidence);
    }
    expect(text.match(/What to change:/g)).toHaveLength(1);
    expect(text).toMatch(/^FAIL +ready-id/m);
    expect(text).toMatch(/\n16 passed, 1 failed, 0 not tested$/);
  });

  it('reports of a controller that never came only that, and how it ended', () => {
    const events = [
      { kind: 'phase', phase: 'arrival', atNs: 0n },
      { kind: 'process', what: 'ended', how: 'exit code 1', atNs: 1n },
    ] as const;
    const text = reportText(judge({ vehicleIds: [1], periodNs, events }, setting));
    expect(text).toContain('Nothing came. It ended (exit code 1).');
    expect(text).toContain('No controller appeared');
    expect(text).not.toMatch(/^not tested/m);
  });
});
