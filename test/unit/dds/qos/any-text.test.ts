import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HlcError } from '../../../../src/errors/index.js';
import { entityElements } from '../../../../src/dds/qos/read-entity.js';
import { parseQosFile } from '../../../../src/dds/qos/index.js';
import { policyTable } from '../../../../src/dds/qos/policy-table.js';
import { inProfile, textOf } from './fixtures.js';

/** Reads the text, and asks the profiles for what they say; true when the text was accepted. */
function isAccepted(text: string): boolean {
  try {
    const libraries = parseQosFile(text, 'any.xml');
    for (const profile of libraries.ownProfiles) {
      for (const kind of ['writer', 'topic', 'participant'] as const) profile.qosFor(kind, 'log');
      profile.readersFor('log');
    }
    return true;
  } catch (error) {
    // Nothing but an error of the catalogue may come out.
    if (!(error instanceof HlcError)) throw error;
    expect(error.exitCode).toBe(2);
    expect(error.code).toMatch(/^HLC_QOS_/);
    expect((error.details as { line: number }).line).toBeGreaterThanOrEqual(1);
    return false;
  }
}

const names = [
  ...entityElements.keys(),
  ...Object.entries(policyTable).flatMap(([name, { fields }]) => [name, ...Object.keys(fields)]),
  ...['dds', 'qos_library', 'qos_profile', 'base_name', 'element', 'sec', 'nanosec'],
  ...['discovery', 'initial_peers', 'property', 'transport_builtin', 'constructor', '__proto__'],
];
const values = fc.oneof(
  fc.constantFrom('', '1', '-1', '0', 'true', 'P', 'L::P', 'a*,b?', 'LENGTH_UNLIMITED'),
  fc.constantFrom('KEEP_ALL_HISTORY_QOS', 'RELIABLE_RELIABILITY_QOS', 'DURATION_INFINITY'),
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[<>&"]/g, '')),
);
const attributes = fc
  .dictionary(
    fc.constantFrom('name', 'base_name', 'topic_filter', 'is_default_qos', 'version', 'toString'),
    values,
    { maxKeys: 3 },
  )
  .map((all) =>
    Object.entries(all)
      .map(([name, value]) => ` ${name}="${value}"`)
      .join(''),
  );
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom(...names),
      attributes,
      fc.oneof({ depthSize: 'small' }, values, fc.array(tie('element'), { maxLength: 4 })),
    )
    .map(([name, all, inner]) => {
      const content = typeof inner === 'string' ? inner : inner.join('');
      return `<${name}${all}>${content}</${name}>`;
    }),
}));

describe('any text', () => {
  it('is read or refused, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void isAccepted(text)));
  });

  it('is read or refused when it is made of the elements of QoS files in any order', () => {
    fc.assert(
      fc.property(element, (inner) => {
        isAccepted(inner);
        isAccepted(`<dds>${inner}</dds>`);
        isAccepted(inProfile(inner));
        isAccepted(inProfile(`<datawriter_qos>${inner}</datawriter_qos>`));
        isAccepted(inProfile(`<participant_qos>${inner}</participant_qos>`));
      }),
      { numRuns: 300 },
    );
  });

  it('is read or refused when it is a good file with a piece cut out or put in', () => {
    const good = textOf('valid/every-policy.xml');
    expect(isAccepted(good)).toBe(true);
    const place = fc.integer({ min: 0, max: good.length });
    const piece = fc.oneof(fc.string({ maxLength: 5 }), element);
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 40 }), piece, (at, cut, put) => {
        isAccepted(good.slice(0, at) + put + good.slice(at + cut));
      }),
      { numRuns: 300 },
    );
  });
});
