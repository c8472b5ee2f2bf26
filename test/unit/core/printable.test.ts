import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/core/index.js';

describe('a text of a peer', () => {
  it.each([
    ['hlc_1', 'hlc_1'],
    ['Zürich 🚗', 'Zürich 🚗'],
    ['\u001b[2Jgone', '\\u{1b}[2Jgone'],
    ['two\nlines\r', 'two\\u{a}lines\\u{d}'],
    ['\u202eesrever', '\\u{202e}esrever'],
    ['\ud800', '\\u{d800}'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), `${'a'.repeat(64)}…`],
    ['a'.repeat(1e6), `${'a'.repeat(64)}…`],
  ])('%j is printed as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('is one line of bounded length, whatever it is', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const shown = printable(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(shown.length).toBeLessThanOrEqual(64 * 10 + 1);
    });
    fc.assert(property);
  });
});
