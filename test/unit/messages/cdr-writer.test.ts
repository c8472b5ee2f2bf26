import { describe, expect, it } from 'vitest';

import { CdrReader } from '../../../src/messages/cdr-reader.js';
import { CdrWriter } from '../../../src/messages/cdr-writer.js';

const header = [0, 1, 0, 0];
const field = 'Type.field';

/** The payload that a new writer makes. */
function written(write: (w: CdrWriter) => void): number[] {
  const writer = new CdrWriter().begin();
  write(writer);
  const sample = writer.finish();
  expect([...sample.subarray(0, header.length)]).toEqual(header);
  return [...sample.subarray(header.length)];
}

describe('A written sample', () => {
  it('is little endian', () => {
    expect(written((w) => w.uint16(0x0102, field))).toEqual([2, 1]);
    expect(written((w) => w.int16(-2, field))).toEqual([0xfe, 0xff]);
    expect(written((w) => w.uint32(0xf1020304, field))).toEqual([4, 3, 2, 0xf1]);
    expect(written((w) => w.int32(-2, field))).toEqual([0xfe, 0xff, 0xff, 0xff]);
    expect(written((w) => w.uint64(0xf102030405060708n, field))).toEqual([
      8, 7, 6, 5, 4, 3, 2, 0xf1,
    ]);
    expect(written((w) => w.int64(-2n, field))).toEqual([0xfe, ...new Array<number>(7).fill(0xff)]);
    expect(written((w) => w.float32(-1.5, field))).toEqual([0, 0, 0xc0, 0xbf]);
    expect(written((w) => w.float64(-1.5, field))).toEqual([0, 0, 0, 0, 0, 0, 0xf8, 0xbf]);
  });

  it('has one octet for the small types', () => {
    expect(written((w) => w.boolean(true, field))).toEqual([1]);
    expect(written((w) => w.boolean(false, field))).toEqual([0]);
    expect(written((w) => w.uint8(255, field))).toEqual([255]);
    expect(written((w) => w.int8(-128, field))).toEqual([128]);
  });

  it('has the length and the NUL of a string', () => {
    expect(written((w) => w.string('', field))).toEqual([1, 0, 0, 0, 0]);
    expect(written((w) => w.string('aä', field))).toEqual([4, 0, 0, 0, 0x61, 0xc3, 0xa4, 0]);
    expect(written((w) => w.string('🚗', field))).toEqual([5, 0, 0, 0, 0xf0, 0x9f, 0x9a, 0x97, 0]);
  });

  it('has the number of elements of a sequence', () => {
    expect(written((w) => w.sequenceLength(['a', 'b', 'c'], field))).toEqual([3, 0, 0, 0]);
    expect(written((w) => w.octets(Uint8Array.of(8, 9), field))).toEqual([2, 0, 0, 0, 8, 9]);
  });

  it('has an enumeration as four octets', () => {
    expect(written((w) => w.enumeration(7, 7, field))).toEqual([7, 0, 0, 0]);
  });

  it('has zeros as padding, also where an earlier sample had values', () => {
    const writer = new CdrWriter().begin();
    for (let i = 0; i < 32; i++) writer.uint8(0xee, field);
    writer.finish();
    writer.begin();
    writer.uint8(1, field);
    writer.uint16(2, field);
    writer.uint8(3, field);
    writer.uint64(4n, field);
    expect([...writer.finish()]).toEqual(
      [header, [1, 0, 2, 0, 3, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0]].flat(),
    );
  });

  it('is in memory of its own', () => {
    const writer = new CdrWriter();
    writer.begin().uint8(1, field);
    const first = writer.finish();
    writer.begin().uint8(2, field);
    const second = writer.finish();
    expect([first[4], second[4]]).toEqual([1, 2]);
    expect(first.buffer.byteLength).toBe(first.length);
  });
});

describe('A sample that grows over its buffer', () => {
  // 3 MiB of one kind of value, each behind an octet so that padding falls on the borders too.
  const kinds: [string, unknown, (w: CdrWriter) => void, (r: CdrReader) => unknown][] = [
    ['boolean', true, (w) => w.boolean(true, field), (r) => r.boolean()],
    ['uint8', 200, (w) => w.uint8(200, field), (r) => r.uint8()],
    ['int8', -100, (w) => w.int8(-100, field), (r) => r.int8()],
    ['uint16', 60_000, (w) => w.uint16(60_000, field), (r) => r.uint16()],
    ['int16', -30_000, (w) => w.int16(-30_000, field), (r) => r.int16()],
    ['uint32', 4e9, (w) => w.uint32(4e9, field), (r) => r.uint32()],
    ['int32', -2e9, (w) => w.int32(-2e9, field), (r) => r.int32()],
    ['uint64', 1n << 63n, (w) => w.uint64(1n << 63n, field), (r) => r.uint64()],
    ['int64', -(1n << 63n), (w) => w.int64(-(1n << 63n), field), (r) => r.int64()],
    ['float32', 1.5, (w) => w.float32(1.5, field), (r) => r.float32()],
    ['float64', Math.PI, (w) => w.float64(Math.PI, field), (r) => r.float64()],
    ['enumeration', 3, (w) => w.enumeration(3, 7, field), (r) => r.enumeration(7)],
    ['string', 'äö', (w) => w.string('äö', field), (r) => r.string()],
    ['octets', Uint8Array.of(1, 2), (w) => w.octets(Uint8Array.of(1, 2), field), (r) => r.octets()],
    ['sequence', 2, (w) => w.sequenceLength([0, 0], field), (r) => r.sequenceLength(1)],
  ];

  it.each(kinds)('keeps every %s', (_kind, value, write, read) => {
    const count = 200_000;
    const writer = new CdrWriter().begin();
    for (let i = 0; i < count; i++) {
      writer.uint8(i & 0xff, field);
      write(writer);
    }
    const reader = new CdrReader(writer.finish());
    const isWrong = (i: number) => {
      const mark = reader.uint8();
      return mark !== (i & 0xff) || String(read(reader)) !== String(value);
    };
    // The last element of a sequence length has nothing behind it.
    const checked = value === 2 ? count - 2 : count;
    let firstWrong = -1;
    for (let i = 0; i < checked && firstWrong < 0; i++) if (isWrong(i)) firstWrong = i;
    expect(firstWrong).toBe(-1);

    writer.begin().uint8(5, field);
    expect([...writer.finish()]).toEqual([...header, 5]);
  });

  it('keeps a string that is longer than the buffer', () => {
    const text = 'ä路🚗'.repeat(10_000);
    const writer = new CdrWriter().begin();
    writer.string(text, field);
    expect(new CdrReader(writer.finish()).string()).toBe(text);
  });
});

describe('A value that does not fit its IDL type', () => {
  // What a caller without TypeScript may hand over as well.
  const anything = (value: unknown) => value as never;
  const refused: [string, unknown[], (w: CdrWriter, value: never) => void][] = [
    ['boolean', [0, 1, 'true', undefined, null], (w, v) => w.boolean(v, field)],
    ['uint8', [-1, 256, 1.5, NaN, '1', 1n, undefined, null], (w, v) => w.uint8(v, field)],
    ['int8', [-129, 128, 0.5, Infinity, 1n], (w, v) => w.int8(v, field)],
    ['uint16', [-1, 65_536, 1.5, NaN, '1', 1n], (w, v) => w.uint16(v, field)],
    ['int16', [-32_769, 32_768, 0.5, 1n], (w, v) => w.int16(v, field)],
    ['uint32', [-1, 2 ** 32, 0.5, NaN, 1n], (w, v) => w.uint32(v, field)],
    ['int32', [-(2 ** 31) - 1, 2 ** 31, 0.5, NaN, 1n, '1'], (w, v) => w.int32(v, field)],
    ['uint64', [-1n, 1n << 64n, 1, '1', undefined], (w, v) => w.uint64(v, field)],
    ['int64', [-(1n << 63n) - 1n, 1n << 63n, 1], (w, v) => w.int64(v, field)],
    ['float32', ['1', 1n, undefined], (w, v) => w.float32(v, field)],
    ['float64', ['1', 1n, undefined, null], (w, v) => w.float64(v, field)],
    ['enumeration', [-1, 8, 0.5, '1', 1n, undefined], (w, v) => w.enumeration(v, 7, field)],
    ['string', ['a\0b', '\ud800', 'a\udc00', 5, undefined], (w, v) => w.string(v, field)],
    ['octets', [[1, 2], 'ab', undefined], (w, v) => w.octets(v, field)],
    ['sequence', ['ab', undefined, { length: 1 }], (w, v) => w.sequenceLength(v, field)],
  ];

  it.each(refused)('is refused as %s, by the name of the field', (_kind, values, write) => {
    const writer = new CdrWriter();
    for (const value of values) {
      const attempt = () => write(writer.begin(), anything(value));
      expect(attempt).toThrow(RangeError);
      expect(attempt).toThrow(/^Type\.field must be /);
    }
  });

  it('leaves nothing behind in the next sample', () => {
    const writer = new CdrWriter().begin();
    writer.uint64(1n, field);
    expect(() => writer.uint8(256, field)).toThrow(RangeError);
    writer.begin().uint8(7, field);
    expect([...writer.finish()]).toEqual([...header, 7]);
  });
});
