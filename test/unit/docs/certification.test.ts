import { describe, expect, it } from 'vitest';
import { certificationReportSchema, rules } from '../../../src/certify/judging/index.js';
import { pageOf, tableBelow } from '../../support/markdown.js';

const page = pageOf('docs/reference/certification.md');

describe('docs/reference/certification.md', () => {
  it('has one row for each rule, with its title', () => {
    expect(tableBelow(page, 'Rules')).toEqual(rules.map(({ id, title }) => [`\`${id}\``, title]));
  });

  it('has one row for each field of the JSON', () => {
    const { rules: list, reply_time_ms: times, ...rest } = certificationReportSchema.shape;
    const fields = [
      ...Object.keys(rest),
      'rules',
      ...Object.keys(list.element.shape).map((key) => `rules.${key}`),
      'reply_time_ms',
      ...Object.keys(times.valueType.shape).map((key) => `reply_time_ms.ID.${key}`),
    ];
    const rows = tableBelow(page, 'JSON').map(([field = '']) => field);
    expect(rows.sort()).toEqual(fields.map((field) => `\`${field}\``).sort());
  });
});
