import { describe, expect, it } from 'vitest';
import { reportText, rules } from '../../../src/certify/judging/index.js';
import {
  certifyDefect,
  certificationsBefore,
  defects,
  rulesWith,
} from '../../support/certified-controller.js';

// The longest one first.
const order = [...defects].sort((a, b) => Number(b.name === 'slow') - Number(a.name === 'slow'));
const outcomeOf = certificationsBefore(
  new Map(order.map(({ name, options }) => [name, () => certifyDefect(name, options)])),
);

describe('hlc-middleware certify', () => {
  it.each(defects)(
    'finds that a controller with defect $name breaks only rule $rule',
    ({ name, rule }) => {
      const { code, report } = outcomeOf(name);
      expect(rulesWith(report, 'fail'), reportText(report)).toEqual([rule]);
      expect(code).toBe(1);
    },
  );

  it('has for every rule a controller that breaks it', () => {
    const broken = new Set(defects.map(({ rule }) => rule));
    expect([...broken].sort()).toEqual(rules.map(({ id }) => id).sort());
  });
});
