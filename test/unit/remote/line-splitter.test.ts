import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LineSplitter } from '../../../src/remote/line-splitter.js';

describe('a stream of bytes', () => {
  it('is cut into the same lines however it comes in', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 8 })
      .map((text) => text.replace(/\n/g, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const splitter = new LineSplitter(1000);
        const got = ends.flatMap((end, at) => {
          const result = splitter.push(bytes.subarray(ends[at - 1] ?? 0, end));
          expect(result.tooLong).toBe(false);
          return result.lines;
        });
        expect(got).toEqual(lines);
      }),
    );
  });

  it('may have lines of the greatest length, but none longer', () => {
    expect(new LineSplitter(3).push(Buffer.from('abc\ndef'))).toEqual({
      lines: ['abc'],
      tooLong: false,
    });
    expect(new LineSplitter(3).push(Buffer.from('ab\nabcd\nx\n'))).toEqual({
      lines: ['ab'],
      tooLong: true,
    });
  });

  it('is given up as soon as a line without an end is too long', () => {
    const splitter = new LineSplitter(3);
    expect(splitter.push(Buffer.from('ab')).tooLong).toBe(false);
    expect(splitter.push(Buffer.from('cd')).tooLong).toBe(true);
  });
});
