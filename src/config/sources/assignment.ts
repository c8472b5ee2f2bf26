import { flagName, kebabCase, parameterName, variableName } from '../options/names.js';
import type { RunOptionKey } from '../options/run-options.js';

/** Where a value was written. */
export type Origin =
  | { readonly kind: 'flag' }
  | { readonly kind: 'variable' }
  /** A parameter of ROS 2. */
  | { readonly kind: 'parameter' }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'preset' };

/** One value as it was written, before it is checked. */
export interface Assignment {
  readonly key: RunOptionKey;
  readonly text: string;
  readonly origin: Origin;
}

/** The name of the option as the user knows it from that origin, for error sentences. */
export function describeName(assignment: Assignment): string {
  const { key, origin } = assignment;
  switch (origin.kind) {
    case 'flag':
    case 'preset':
      return flagName(key);
    case 'variable':
      return variableName(key);
    case 'parameter':
      return `ROS parameter ${parameterName(key)}`;
    case 'file':
      return `"${kebabCase(key)}" (${origin.path}:${origin.line})`;
  }
}

/** Name and value as one would write them at that origin, for error sentences. */
export function describeAssignment(assignment: Assignment): string {
  const { key, origin, text } = assignment;
  return origin.kind === 'file'
    ? `"${kebabCase(key)}: ${shorten(text)}" (${origin.path}:${origin.line})`
    : `${describeName(assignment)}=${shorten(text)}`;
}

const longestQuoted = 60;

/** A text that may be long or hold control characters, made fit for one line. */
export function shorten(text: string): string {
  const visible = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  const characters = Array.from(visible);
  return characters.length <= longestQuoted
    ? visible
    : `${characters.slice(0, longestQuoted).join('')}…`;
}
