import { describe, expect, it } from 'vitest';
import { checkReportSchema, judge, reportText, rules } from '../../../src/certify/judging/index.js';
import type { Transcript } from '../../../src/certify/judging/index.js';
import {
  checkOf,
  direct,
  ms,
  periodNs,
  sound,
  type Answer,
  type Course,
  type TranscriptWriter,
} from './transcripts.js';

const setting = { domain: 1, seed: 1 };

const rule = (transcript: Transcript, id: string) => {
  const found = judge(transcript, setting).rules.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no rule ${id}.`);
  return found;
};

const failed = (transcript: Transcript) =>
  judge(transcript, setting)
    .rules.filter(({ outcome }) => outcome === 'fail')
    .map(({ id }) => id);

const until =
  (stopped: boolean): Answer =>
  (start) =>
    stopped && start.phase === 'stop' && start.note === 'hold' ? [] : sound(start);

/** Keeps all rules: it answers, and is silent once the lab has stopped. */
const correct = until(true);

/** As `correct`, with other commands. */
const but =
  (change: Answer, where: (start: Parameters<Answer>[0]) => boolean = () => true): Answer =>
  (start) =>
    where(start) && correct(start).length > 0 ? change(start) : correct(start);

const isReal = ({ phase }: { phase: string }) => phase !== 'simulated' && phase !== 'stop';

describe('a controller without a defect', () => {
  it('passes all rules', () => {
    const report = judge(checkOf(correct), setting);
    expect(report.rules.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    expect(report).toMatchObject({ passed: rules.length, failed: 0, not_tested: 0 });
    expect(report.reply_time_ms[1]).toEqual({ count: 40, p50: 2, p90: 2, p99: 2, max: 2 });
    expect(checkReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
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

/** A defect, the rule that it breaks, and a part of the evidence. */
const defects: readonly (readonly [string, string, Transcript, RegExp])[] = [
  ['another source id', 'ready-id', checkOf(correct, { sources: ['HLC_1'] }), /"HLC_1"/],
  [
    'a ready signal that only some hear',
    'ready-kept',
    checkOf(correct, { receivedBy: 'anyone' }),
    /did not hear/,
  ],
  [
    'a writer that offers less',
    'ready-kept',
    checkOf(correct, {
      after: {
        arrival: (writer) =>
          void writer.add({ kind: 'refusedQos', topic: 'readyStatus', policy: 'DURABILITY' }),
      },
    }),
    /another DURABILITY/,
  ],
  [
    'a ready signal that is not kept',
    'ready-kept',
    checkOf(correct, { keptSources: [] }),
    /came later/,
  ],
  [
    'missed periods',
    'reply',
    checkOf(
      but(
        () => [],
        ({ phase, index }) => phase === 'steady' && index % 10 === 3,
      ),
    ),
    /^4 of 40 periods/,
  ],
  [
    'answers that are late by a period',
    'reply',
    checkOf(
      but(
        ({ tNowNs }) => [{ command: direct(1, tNowNs), afterNs: periodNs + 2n * ms }],
        ({ phase, index }) => phase === 'steady' && index % 10 === 3,
      ),
    ),
    /4 answers came late/,
  ],
  [
    'answers at the end of the period',
    'reply-time',
    checkOf(
      but(
        ({ tNowNs }) => [{ command: direct(1, tNowNs), afterNs: 45n * ms }],
        ({ phase }) => phase === 'steady',
      ),
    ),
    /p50 45\.0 ms/,
  ],
  [
    'stamps of 0',
    'create-stamp',
    checkOf(but(() => [{ command: direct(1, 0n), afterNs: ms }], isReal)),
    /HLC_COMMAND_CREATED_BEFORE_PERIOD/,
  ],
  [
    'stamps in the future',
    'create-stamp',
    checkOf(but(({ tNowNs }) => [{ command: direct(1, tNowNs + 500n * ms), afterNs: ms }], isReal)),
    /HLC_COMMAND_CREATED_IN_FUTURE/,
  ],
  [
    'the same stamp twice',
    'create-stamp',
    checkOf(
      but(
        (start) => [...sound(start), ...sound(start)],
        ({ phase }) => phase === 'steady',
      ),
    ),
    /HLC_COMMAND_NOT_NEWER/,
  ],
  ...([0n, 3_600_000_000_000n] as const).map((validAfterOff) => {
    const answer = but(({ tNowNs }) => {
      const command = direct(1, tNowNs);
      const nanoseconds = validAfterOff === 0n ? 0n : tNowNs + validAfterOff;
      const header = { ...command.message.header, valid_after_stamp: { nanoseconds } };
      return [{ command: direct(1, tNowNs, { header }), afterNs: ms }];
    });
    const evidence = validAfterOff === 0n ? /no vehicle obeys it/ : /3600000\.0 ms after/;
    return ['an odd valid_after_stamp', 'valid-after', checkOf(answer), evidence] as const;
  }),
  [
    'commands for another vehicle',
    'own-vehicles',
    checkOf(but((start) => [...sound(start), { command: direct(2, start.tNowNs), afterNs: ms }])),
    /vehicle 2/,
  ],
  [
    'a number out of range',
    'content',
    checkOf(
      but(({ tNowNs }) => [{ command: direct(1, tNowNs, { motor_throttle: 2 }), afterNs: ms }]),
    ),
    /HLC_COMMAND_OUT_OF_RANGE/,
  ],
  [
    'a sample of another type',
    'content',
    checkOf(correct, {
      after: {
        steady: (writer) =>
          void writer.add({ kind: 'malformed', topic: 'vehicleCommandDirect', cause: 'short' }),
      },
    }),
    /vehicleCommandDirect/,
  ],
  [
    'many commands',
    'few-commands',
    checkOf(
      but(
        ({ tNowNs }) =>
          [0n, 1n, 2n, 3n, 4n].map((n) => ({ command: direct(1, tNowNs + n), afterNs: ms + n })),
        ({ phase }) => phase === 'steady',
      ),
    ),
    /5 commands/,
  ],
  [
    'commands of its own accord in real time',
    'asked-only',
    checkOf(
      but((start) => [
        ...sound(start),
        ...(start.index === 62
          ? [{ command: direct(1, start.tNowNs + 1n), afterNs: 150n * ms }]
          : []),
      ]),
    ),
    /1 command came/,
  ],
  [
    'commands of its own accord in simulated time',
    'asked-only',
    checkOf(
      but((start) => [
        ...sound(start),
        ...(start.note === 'hold'
          ? [{ command: direct(1, start.tNowNs + 1n), afterNs: 250n * ms }]
          : []),
      ]),
    ),
    /commands came/,
  ],
  [
    'no answer to what is late',
    'newest',
    checkOf(
      but(
        () => [],
        ({ note }) => note === 'late',
      ),
    ),
    /1 of 1 start signals that were late/,
  ],
  [
    'no answer after a gap',
    'newest',
    checkOf(
      but(
        () => [],
        ({ note }) => note === 'afterGap',
      ),
    ),
    /left-out periods/,
  ],
  [
    'answers to what is over',
    'newest',
    checkOf(
      but(
        ({ tNowNs }) => [
          ...[5n, 20n, 25n, 30n].map((at) => ({
            command: direct(1, tNowNs - periodNs),
            afterNs: at * ms,
          })),
          { command: direct(1, tNowNs), afterNs: 40n * ms },
        ],
        ({ note }) => note === 'newest',
      ),
    ),
    /3 answers to older ones/,
  ],
  [
    'an end at strange lists',
    'survives',
    checkOf(correct, {
      after: {
        strange: (writer) => void writer.add({ kind: 'process', what: 'ended', how: 'SIGSEGV' }),
      },
    }),
    /SIGSEGV/,
  ],
  [
    'silence after strange lists',
    'survives',
    checkOf(
      but(
        () => [],
        ({ phase, index }) => phase === 'strange' && index > 45,
      ),
    ),
    /0 of 5/,
  ],
  [
    'silence with a new middleware',
    'rejoin',
    checkOf(
      but(
        () => [],
        ({ phase }) => phase === 'rejoin',
      ),
    ),
    /0 of 8/,
  ],
  [
    'a step without an answer',
    'simulated-reply',
    checkOf(
      but(
        () => [],
        ({ phase, note }) => phase === 'simulated' && note === 'hold',
      ),
    ),
    /2 of 5 steps/,
  ],
  [
    'stamps that are not t_now',
    'simulated-stamps',
    checkOf(
      but(
        ({ tNowNs }) => [{ command: direct(1, tNowNs + 1n), afterNs: ms }],
        ({ phase }) => phase === 'simulated',
      ),
    ),
    /1 ns after it/,
  ],
  ['commands after the stop', 'stop', checkOf(lateAfterStop()), /commands came later/],
  [
    'no ready signal after the restart',
    'restart',
    checkOf(correct, { restartSources: [] }),
    /did not sign in/,
  ],
  [
    'silence after the restart',
    'restart',
    checkOf(
      but(
        () => [],
        ({ phase }) => phase === 'restart',
      ),
    ),
    /0 of 8/,
  ],
];

function lateAfterStop(): Answer {
  return (start) =>
    start.phase === 'stop' && start.note === 'hold'
      ? [{ command: direct(1, start.tNowNs), afterNs: 90n * ms }]
      : sound(start);
}

describe('a controller with', () => {
  it.each(defects)('%s breaks rule %s, and no other', (_, id, transcript, evidence) => {
    expect(failed(transcript)).toEqual([id]);
    expect(rule(transcript, id).evidence).toMatch(evidence);
  });

  it.each(rules)('a defect stands for rule $id', ({ id }) => {
    expect(defects.map(([, broken]) => broken)).toContain(id);
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

  it('of the restart is not tested when the check did not start the controller', () => {
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
