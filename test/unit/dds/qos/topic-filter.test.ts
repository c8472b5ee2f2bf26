import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesTopic, parseTopicFilter } from '../../../../src/dds/qos/topic-filter.js';
import { profileOf } from './fixtures.js';

function matches(filter: string, topic: string): boolean {
  const parsed = parseTopicFilter(filter);
  if (!parsed) throw new Error(`"${filter}" is no filter`);
  return matchesTopic(parsed, topic);
}

describe('a topic filter', () => {
  it.each([
    ['*', ''],
    ['*', 'rt/a/b'],
    ['vehicle*', 'vehicle'],
    ['vehicle*', 'vehicleState'],
    ['*State', 'vehicleState'],
    ['v*S*e', 'vehicleState'],
    ['a?c', 'abc'],
    ['log,vehicle*', 'vehicleState'],
    [' log , systemTrigger ', 'systemTrigger'],
    ['[a-c]x', 'bx'],
    ['[!a-c]x', 'dx'],
    ['[^a]x', 'bx'],
    ['[]]', ']'],
    ['[a-]', '-'],
    ['a\\*', 'a*'],
    ['a.c', 'a.c'],
  ])('"%s" takes "%s"', (filter, topic) => {
    expect(matches(filter, topic)).toBe(true);
  });

  it.each([
    ['vehicleState', 'vehicleStateList'],
    ['State', 'vehicleState'],
    ['vehicle*', 'Vehicle'],
    ['a?c', 'ac'],
    ['[!a-c]x', 'bx'],
    ['[a-c]', 'bb'],
    ['a\\*', 'ab'],
    ['a.c', 'abc'],
    ['log,vehicle?', 'vehicleState'],
  ])('"%s" does not take "%s"', (filter, topic) => {
    expect(matches(filter, topic)).toBe(false);
  });

  it.each(['', ',', 'a,', '[a', 'a\\', '[]'])('"%s" is none', (filter) => {
    expect(parseTopicFilter(filter)).toBeUndefined();
  });

  it('agrees with the regular expression of the same meaning', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '*', '?'),
      minLength: 1,
      maxLength: 8,
    });
    const topic = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(text, topic, (filter, name) => {
        const expression = filter.replaceAll('*', '.*').replaceAll('?', '.');
        expect(matches(filter, name)).toBe(new RegExp(`^${expression}$`).test(name));
      }),
    );
  });

  it('needs no time that grows with the power of its length', () => {
    // With backtracking over every star this would not end.
    expect(matches('*a'.repeat(60) + 'b', 'a'.repeat(5000))).toBe(false);
  });
});

describe('the choice among elements of one kind', () => {
  const depthFor = (elements: string, topic: string) =>
    profileOf(elements).qosFor('writer', topic).history?.depth;
  const writer = (depth: number, attributes = '') =>
    `<datawriter_qos ${attributes}><history><depth>${depth}</depth></history></datawriter_qos>`;

  it('takes the first whose filter matches', () => {
    const elements =
      writer(1, 'topic_filter="vehicle*"') + writer(2, 'topic_filter="vehicleState"');
    expect(depthFor(elements, 'vehicleState')).toBe(1);
  });

  it('puts a filter before an element without one, wherever they stand', () => {
    const elements = writer(1) + writer(2, 'topic_filter="*"');
    expect(depthFor(elements, 'any')).toBe(2);
  });

  it('takes the element without a filter when none matches', () => {
    const elements = writer(1, 'topic_filter="vehicle*"') + writer(2);
    expect(depthFor(elements, 'log')).toBe(2);
    expect(depthFor(writer(1, 'topic_filter="vehicle*"'), 'log')).toBeUndefined();
  });
});
