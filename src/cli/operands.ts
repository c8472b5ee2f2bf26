import { HlcError } from '../errors/index.js';

/**
 * The operands of a command, as many as it has names for them.
 * @throws HlcError `HLC_CONFIG_COMMAND` when there are fewer or more, or one looks like a flag.
 */
export function operandsOf<const N extends readonly string[]>(
  given: readonly string[],
  names: N,
  command: string,
): { readonly [K in keyof N]: string } {
  const flag = given.find((each) => each.startsWith('-'));
  const usage = `"hlc-middleware ${command} ${names.map((name) => `<${name}>`).join(' ')}"`;
  if (flag !== undefined) {
    throw new HlcError('HLC_CONFIG_COMMAND', { cause: `${flag} is no flag of ${usage}` });
  }
  if (given.length !== names.length) {
    const cause = `${usage} takes ${names.length} ${names.length === 1 ? 'file' : 'files'}, and ${given.length} are given`;
    throw new HlcError('HLC_CONFIG_COMMAND', { cause });
  }
  // Both have the same length.
  return given as { readonly [K in keyof N]: string };
}
