import { describe, expect, it } from 'vitest';

import { checkCodes, cpmLabCommandRules, policyForAll } from '../../../src/core/index.js';
import { parse, refusal } from './parse.js';

const parseFile = (text: string) => parse('--config=lab.yaml', { files: { 'lab.yaml': text } });
const refusalOfFile = (text: string) =>
  refusal('--config=lab.yaml', { files: { 'lab.yaml': text } });

describe('the checks in the configuration file', () => {
  it('have policies of their own, beside that of all others', () => {
    const config = parseFile(
      'check-policy: flag\nchecks:\n  notFinite: reject\n  createdInFuture: flag',
    );
    expect(config.safety.policies).toEqual({ ...policyForAll('flag'), notFinite: 'reject' });
  });

  it('can be any of the rules', () => {
    const names = Object.keys(checkCodes);
    const config = parseFile(`checks: { ${names.map((name) => `${name}: flag`).join(', ')} }`);
    expect(config.safety.policies).toEqual(Object.fromEntries(names.map((name) => [name, 'flag'])));
  });

  it('stay as they are with --compat=cpm-lab', () => {
    const config = parseFile('compat: cpm-lab\nchecks: { notFinite: reject }');
    expect(config).toMatchObject({
      safety: { policies: { ...cpmLabCommandRules.policies, notFinite: 'reject' } },
    });
  });

  it.each([
    ['--max-speed=1.5', 'tooFast'],
    ['--max-magnitude=100', 'tooLarge'],
    ['--max-ahead-ms=100', 'validTooFarAhead'],
    ['--max-command-age-ms=100', 'tooOld'],
  ])('hold for the limit of %s, also with --compat=cpm-lab', (flag, check) => {
    const config = parse(`--compat=cpm-lab ${flag}`);
    expect(config.safety.policies).toEqual({ ...cpmLabCommandRules.policies, [check]: 'reject' });
  });

  it.each([
    ['notFinit', 'notFinite'],
    ['not-finite', 'notFinite'],
    ['notfinite', 'notFinite'],
    ['pathclosed', 'pathNotClosed'],
    ['created_in_future', 'createdInFuture'],
    ['trajectory', 'trajectoryTooShort'],
  ])('are not called %s but %s', (given, nearest) => {
    expect(refusalOfFile(`node-id: a\nchecks:\n  unknownVehicle: flag\n  ${given}: flag`)).toEqual({
      code: 'HLC_CONFIG_UNKNOWN_NAME',
      sentence: `Unknown check "${given}" in lab.yaml:4; did you mean "${nearest}"? "hlc-middleware run --help" lists all names.`,
    });
  });

  it('that resemble none are unknown without a suggestion', () => {
    expect(refusalOfFile('checks: { xyz: flag }').sentence).toBe(
      'Unknown check "xyz" in lab.yaml:1; "hlc-middleware run --help" lists all names.',
    );
  });

  it.each([
    ['rejct', 'rejct', '; did you mean reject?'],
    ['', '', '.'],
    ['[flag]', '["flag"]', '.'],
    ['true', 'true', '.'],
  ])('do not have the policy %j', (text, shown, ending) => {
    expect(refusalOfFile(`checks:\n  notNewer: ${text}`)).toEqual({
      code: 'HLC_CONFIG_VALUE',
      sentence: `The value "${shown}" of "checks.notNewer" (lab.yaml:2) is refused: it must be one of reject, flag${ending}`,
    });
  });

  it.each(['checks: reject', 'checks:', 'checks: [notFinite]'])('are not written %j', (text) => {
    expect(refusalOfFile(`\n${text}`)).toEqual({
      code: 'HLC_CONFIG_FILE_CONTENT',
      sentence:
        'The configuration file is wrong at lab.yaml:2 ("checks" must hold "name-of-check: reject" or "name-of-check: flag" lines); correct that line.',
    });
  });

  it('are suggested for a key that resembles theirs', () => {
    expect(refusalOfFile('cheks: {}').sentence).toContain('did you mean "checks"?');
  });
});
