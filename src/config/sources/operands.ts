import { flagName } from '../options/names.js';
import { readFlags } from './flags.js';
import { findRunOption } from './command-line.js';

/**
 * Takes the operands out of the arguments of a command, such as the file of `record FILE`.
 * @returns the operands, and the other arguments for `parseRunConfig`.
 * @throws HlcError `HLC_CONFIG_NO_VALUE`.
 */
export function splitOperands(argv: readonly string[]): {
  readonly operands: readonly string[];
  readonly rest: readonly string[];
} {
  const { flags, others } = readFlags(argv, findRunOption);
  const isOperand = ({ name }: { readonly name: string }) => name === '';
  return {
    operands: others.filter(isOperand).map(({ argument }) => argument),
    rest: [
      ...flags.map(({ key, text }) => `${flagName(key)}=${text}`),
      ...others.filter((other) => !isOperand(other)).map(({ argument }) => argument),
    ],
  };
}
