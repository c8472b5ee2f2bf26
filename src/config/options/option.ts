import type { ValueType } from './value-types.js';

/** Headings under which the help and the documentation list the options. */
export type OptionGroup =
  | 'Controllers'
  | 'Time'
  | 'Network'
  | 'Supervision'
  | 'Output'
  | 'General'
  | 'Simulated lab'
  | 'Gateway'
  | 'Certify'
  | 'Recording'
  | 'Replay';

/** One option of `hlc-middleware run`: everything that help, checks and documents know about it. */
export interface Option<T> {
  readonly group: OptionGroup;
  readonly value: ValueType<T>;
  /** One sentence. */
  readonly meaning: string;
  /** The value, as text, when none is given. */
  readonly default?: string;
  /** The behaviour without a value, when there is no default. */
  readonly otherwise?: string;
  /** A text that means "not given", as it did in the CPM Lab middleware. */
  readonly unset?: string;
  /** The flag may be given several times, and its values add up to one list. */
  readonly repeatable?: boolean;
}
