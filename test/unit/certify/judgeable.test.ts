import { describe, expect, it } from 'vitest';
import { judgeableIn, type Phase, type StartNote } from '../../../src/certify/judging/index.js';
import { periodNs, sound, TranscriptWriter } from './transcripts.js';

const many = (note: StartNote, count: number) =>
  Array.from({ length: count }, () => [note] as const);

const written = (phase: Phase, write: (writer: TranscriptWriter) => unknown) => {
  const writer = new TranscriptWriter(sound).phase('arrival').phase(phase);
  write(writer);
  return judgeableIn(writer.transcript());
};

/** Ends now, and takes away the periods that it is long. */
const stall = (periods: bigint) => ({ kind: 'stall', forNs: periods * periodNs }) as const;

describe('what can be judged of a phase', () => {
  it('is every usual start signal of a quiet machine', () => {
    const quiet = written('rejoin', (writer) => writer.starts('rejoin', many('normal', 8)));
    expect(quiet).toEqual({ usual: 8, lacking: new Set() });
  });

  it('is less by those in which the machine was too busy', () => {
    const busy = written('rejoin', (writer) =>
      writer.starts('rejoin', many('normal', 8)).add(stall(3n)),
    );
    expect(busy.usual).toBeLessThan(8);
    expect(busy.usual).toBeGreaterThan(3);
  });

  it('is of usual lists only what follows the last strange one', () => {
    const strange = written('strange', (writer) =>
      writer.starts('strange', [...many('normal', 2), ...many('strange', 4), ...many('normal', 6)]),
    );
    expect(strange.usual).toBe(6);
  });

  it('reports which kind of start signal was sent to a busy machine only', () => {
    const twice = written('timing', (writer) =>
      writer
        .starts('timing', [['normal'], ['late'], ['normal'], ['newest']])
        .add(stall(1n))
        .starts('timing', [['normal', 2], ['late']]),
    );
    expect(twice.lacking).toEqual(new Set(['newest']));
  });

  it('leaves out earlier phases', () => {
    const two = written('rejoin', (writer) =>
      writer
        .starts('rejoin', many('normal', 5))
        .phase('restart')
        .starts('restart', [['normal']]),
    );
    expect(two.usual).toBe(1);
  });
});
