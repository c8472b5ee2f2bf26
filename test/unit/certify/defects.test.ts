import { describe, expect, it } from 'vitest';
import { rules, type Transcript } from '../../../src/certify/judging/index.js';
import { but, correct, failed, isReal, rule } from './judged.js';
import { checkOf, direct, ms, periodNs, sound, type Answer } from './transcripts.js';

/** A defect, the rule that it breaks, and a part of the evidence. */
const defects: readonly (readonly [string, string, Transcript, RegExp])[] = [
  ['another source id', 'ready-id', checkOf(correct, { sources: ['HLC_1'] }), /"HLC_1"/],
  [
    'a ready signal that only some receive',
    'ready-kept',
    checkOf(correct, { receivedBy: 'anyone' }),
    /did not receive/,
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
