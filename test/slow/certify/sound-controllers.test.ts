import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reportText } from '../../../src/certify/judging/index.js';
import {
  certify,
  certifyDefect,
  certificationsBefore,
  rulesWith,
} from '../../support/certified-controller.js';
import { cliProgram } from '../../support/middleware.js';

const fromRoot = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const node = process.execPath;
const oval = fromRoot('build/examples/typescript/oval-controller.js');

/** Controllers that keep all rules. */
const sound = new Map([
  ['without a defect', () => certifyDefect('none')],
  ['in C', () => certify([fromRoot('build/examples/c/controller'), '--vehicle-id', '1'])],
  [
    'in TypeScript, with trajectories',
    () => certify([node, oval, '--vehicle-id', '1', '--command', 'trajectory']),
  ],
  [
    'in TypeScript, with paths',
    () => certify([node, oval, '--vehicle-id', '1', '--command', 'path']),
  ],
  [
    'of two vehicles, with the SDK',
    () => certify([node, cliProgram, 'drive', '--vehicle-ids=1,2'], { ids: '1,2' }),
  ],
]);

const outcomeOf = certificationsBefore(
  new Map([
    ...sound,
    ['started before', () => certifyDefect('none', { startedByIt: false })],
    ['absent', () => certify([])],
  ]),
);

describe('hlc-middleware certify', () => {
  it.each([...sound.keys()])('passes a controller %s', (name) => {
    const { code, report } = outcomeOf(name);
    expect(rulesWith(report, 'fail'), reportText(report)).toEqual([]);
    expect(rulesWith(report, 'not-tested'), reportText(report)).toEqual([]);
    expect(code).toBe(0);
  });

  it('checks all rules but the restart of a controller that was started before it', () => {
    const { code, report } = outcomeOf('started before');
    expect(rulesWith(report, 'fail'), reportText(report)).toEqual([]);
    expect(rulesWith(report, 'not-tested')).toEqual(['restart']);
    expect(code).toBe(0);
  });

  it('ends with exit code 3 when no controller appears', () => {
    const { code, report } = outcomeOf('absent');
    expect(code).toBe(3);
    expect(report).toMatchObject({ appeared: false, passed: 0 });
    expect(rulesWith(report, 'fail')).toEqual(['ready-id']);
  });
});
