import type { Option } from '../option.js';
import { filePath, oneOf } from '../value-types.js';

/** Options of `hlc-middleware run`: log, display and files. */
export const outputOptions = {
  summary: {
    group: 'Output',
    value: filePath(),
    otherwise: 'none',
    meaning: 'File for the summary as JSON, written at the end of the run.',
  },
  record: {
    group: 'Output',
    value: filePath(),
    otherwise: 'none',
    meaning:
      'File for a recording of the whole run (MCAP), written by a process of its own; it must not exist.',
  },
  table: {
    group: 'Output',
    value: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    meaning: 'Live table of the controllers; auto: in a terminal only.',
  },
  logLevel: {
    group: 'Output',
    value: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], '<level>'),
    default: 'info',
    meaning: 'Least severe level in the log.',
  },
  logFormat: {
    group: 'Output',
    value: oneOf(['auto', 'json', 'pretty'], '<format>'),
    default: 'auto',
    meaning:
      'Format of log lines: JSON (json) or text (pretty); auto: text in a terminal, else JSON.',
  },
} as const satisfies Record<string, Option<unknown>>;
