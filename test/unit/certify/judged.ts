import { judge } from '../../../src/certify/judging/index.js';
import type { Transcript } from '../../../src/certify/judging/index.js';
import { sound, type Answer } from './transcripts.js';

type Start = Parameters<Answer>[0];

export const setting = { domain: 1, seed: 1 };

/** The judgement of one rule. */
export function rule(transcript: Transcript, id: string) {
  const found = judge(transcript, setting).rules.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no rule ${id}.`);
  return found;
}

/** The ids of the rules that a transcript breaks. */
export function failed(transcript: Transcript): string[] {
  const { rules } = judge(transcript, setting);
  return rules.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
}

/** Keeps all rules: it answers, and is silent once the lab has stopped. */
export function correct(start: Start): ReturnType<Answer> {
  return start.phase === 'stop' && start.note === 'hold' ? [] : sound(start);
}

/** As `correct`, with other commands. */
export function but(change: Answer, where: (start: Start) => boolean = () => true): Answer {
  return (start) => (where(start) && correct(start).length > 0 ? change(start) : correct(start));
}

export function isReal({ phase }: { readonly phase: string }): boolean {
  return phase !== 'simulated' && phase !== 'stop';
}
