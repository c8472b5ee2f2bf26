import { z } from 'zod';
import type { CommandValues } from '../sources/command-options.js';
import type { Option } from './option.js';
import { filePath, milliseconds, trueOrFalse, wholeNumber, type ValueType } from './value-types.js';

const hourNs = 3_600_000_000_000n;

const unitBytes = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 } as const;
const leastSizeBytes = 4 * unitBytes.M;

/** A size of a file, in bytes. */
function fileSize(): ValueType<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,6}[KMG]$/)
      .transform((text) => Number(text.slice(0, -1)) * unitBytes[text.slice(-1) as 'K' | 'M' | 'G'])
      .pipe(z.int().min(leastSizeBytes)),
    placeholder: '<size>',
    rule: 'a whole number with K, M or G (1024, 1024² or 1024³ bytes) after it, 4M or more, for example 500M',
    range: 'for example 500M',
  };
}

/** A tolerance for all fields of commands, and others for single fields. */
export interface FieldTolerances {
  readonly forAll: number;
  /** By the name of the field. */
  readonly byField: ReadonlyMap<string, number>;
}

const amount = /^\d{1,9}(\.\d{1,12})?$/;
const exception = /^([a-z_]{1,40}):(.+)$/;

function fieldTolerances(): ValueType<FieldTolerances> {
  return {
    schema: z
      .string()
      .max(1024)
      .transform((text, context) => {
        const parsed = parseTolerances(text);
        if (parsed !== undefined) return parsed;
        context.addIssue({ code: 'custom', message: 'not a tolerance with exceptions' });
        return z.NEVER;
      }),
    placeholder: '<n>',
    rule: 'a number from 0, and after it exceptions for single fields with commas between them, for example 0.001,speed:0.01,px:0.002',
    range: 'for example 0.001,speed:0.01',
  };
}

function parseTolerances(text: string): FieldTolerances | undefined {
  const [first = '', ...rest] = text.split(',');
  const byField = new Map<string, number>();
  for (const part of rest) {
    const [, field = '', value = ''] = exception.exec(part) ?? [];
    if (!amount.test(value) || byField.has(field)) return undefined;
    byField.set(field, Number(value));
  }
  return amount.test(first) ? { forAll: Number(first), byField } : undefined;
}

/** The options of `hlc-middleware record` beside those of `run`. */
export const recordOptions = {
  maxSize: {
    group: 'Recording',
    value: fileSize(),
    otherwise: 'about 3.5 h of a run in one file',
    meaning:
      'Largest size of one file; the recording continues in FILE.2.mcap, FILE.3.mcap and so on, each readable alone.',
  },
  waitMs: {
    group: 'Recording',
    value: milliseconds(0n, hourNs),
    default: '10000',
    meaning: 'Longest wait for the tap of the middleware; 0: no limit.',
  },
  endWithStdin: {
    group: 'Recording',
    value: trueOrFalse(),
    default: 'false',
    meaning:
      'End when standard input is closed, and not at a signal: for a recorder that another program starts.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link recordOptions}. */
export type RecordValues = CommandValues<typeof recordOptions>;

/** The options of `hlc-middleware record recover`. */
export const recoverOptions = {
  output: {
    group: 'Recording',
    value: filePath(),
    otherwise: 'FILE with .recovered.mcap in the place of .mcap',
    meaning: 'File for what is readable; it must not exist.',
  },
} as const satisfies Record<string, Option<unknown>>;

const json = {
  group: 'Replay',
  value: trueOrFalse(),
  default: 'false',
  meaning: 'Print the result as JSON.',
} as const satisfies Option<unknown>;

/** The options of `hlc-middleware replay` beside those of `run`. */
export const replayOptions = {
  rules: {
    group: 'Replay',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Pass the recorded events to the rules of this version, and compare the effects.',
  },
  controller: {
    group: 'Replay',
    value: commandLine(),
    otherwise: 'none',
    meaning:
      'Send the recorded start signals to controllers, and compare their commands: a command line that starts them, or "running" for controllers that run already.',
  },
  to: {
    group: 'Replay',
    value: pageWord(),
    otherwise: 'none',
    meaning: 'Show the recording on the page of "observe", with time and speed.',
  },
  port: {
    group: 'Replay',
    value: wholeNumber(0, 65_535, { placeholder: '<port>' }),
    default: '8740',
    meaning: 'Port of the page on 127.0.0.1; 0: any free port.',
  },
  tolerance: {
    group: 'Replay',
    value: fieldTolerances(),
    default: '0.000001',
    meaning: 'How far each number of a command may be from the recorded one; times in s.',
  },
  stepTimeoutMs: {
    group: 'Replay',
    value: milliseconds(1_000_000n, hourNs),
    default: '2000',
    meaning:
      'Longest wait for the commands that answer a start signal; three in a row end the replay.',
  },
  junit: {
    group: 'Replay',
    value: filePath(),
    otherwise: 'none',
    meaning: 'File for the result as JUnit XML, for the view of a CI.',
  },
  json,
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link replayOptions}. */
export type ReplayValues = CommandValues<typeof replayOptions>;

/** The options of `hlc-middleware compare`. */
export const compareOptions = {
  json,
  page: {
    group: 'Replay',
    value: filePath(),
    otherwise: 'none',
    meaning: 'File for the comparison as HTML, with charts; an existing one is replaced.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link compareOptions}. */
export type CompareValues = CommandValues<typeof compareOptions>;

/** The options of `hlc-middleware report`. */
export const reportOptions = {
  output: {
    group: 'Replay',
    value: filePath(),
    otherwise: 'FILE with .html in the place of .mcap',
    meaning: 'File for the report; an existing one is replaced.',
  },
} as const satisfies Record<string, Option<unknown>>;

function pageWord(): ValueType<'page'> {
  return { schema: z.literal('page'), placeholder: 'page', rule: 'page', words: ['page'] };
}

function commandLine(): ValueType<string> {
  return {
    schema: z.string().regex(/^[^\p{Cc}\p{Cs}]{1,4096}$/u),
    placeholder: '<command>',
    rule: 'a command line for the shell, or the word running',
    range: 'a command line, or running',
  };
}
