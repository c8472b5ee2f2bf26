import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CdrReader } from '../../../src/messages/cdr-reader.js';
import { CdrError } from '../../../src/messages/index.js';

const littleEndian = [0, 1, 0, 0];
const bigEndian = [0, 0, 0, 0];

const reader = (...octets: number[]) => new CdrReader(Uint8Array.from(octets));
const readerOf = (header: readonly number[], ...payload: number[]) => reader(...header, ...payload);

describe('The encapsulation header', () => {
  it('must be there', () => {
    for (let size = 0; size < 4; size++) {
      expect(() => new CdrReader(new Uint8Array(size))).toThrow(CdrError);
    }
    expect(() => readerOf(littleEndian)).not.toThrow();
  });

  it('must say plain CDR of version 1', () => {
    fc.assert(
      fc.property(fc.nat(0xffff), (identifier) => {
        const read = () => reader(identifier >> 8, identifier & 0xff, 0, 0);
        if (identifier <= 1) expect(read).not.toThrow();
        else expect(read).toThrow(CdrError);
      }),
      { examples: [[0x0002], [0x0003], [0x0006], [0x0007], [0x0100]] },
    );
  });

  it('may have option bits that mean nothing here', () => {
    expect(reader(0, 1, 0xff, 0xfc, 7).uint8()).toBe(7);
  });

  it('reports how many octets of padding end the payload', () => {
    const r = reader(0, 1, 0, 3, 7, 0, 0, 0);
    expect(r.uint8()).toBe(7);
    expect(() => r.uint8()).toThrow(CdrError);
    expect(() => r.end()).not.toThrow();
  });

  it('must not declare more padding than there are octets', () => {
    expect(() => reader(0, 1, 0, 3, 0, 0)).toThrow(CdrError);
  });
});

describe('A primitive', () => {
  const octets = [0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88];

  it('has the byte order that the header says', () => {
    expect(readerOf(bigEndian, ...octets).uint16()).toBe(0x8102);
    expect(readerOf(littleEndian, ...octets).uint16()).toBe(0x0281);
    expect(readerOf(bigEndian, ...octets).uint32()).toBe(0x81020304);
    expect(readerOf(littleEndian, ...octets).uint32()).toBe(0x04030281);
    expect(readerOf(bigEndian, ...octets).uint64()).toBe(0x8102030405060788n);
    expect(readerOf(littleEndian, ...octets).uint64()).toBe(0x8807060504030281n);
  });

  it('may be signed', () => {
    expect(readerOf(bigEndian, ...octets).int8()).toBe(-127);
    expect(readerOf(bigEndian, ...octets).int16()).toBe(0x8102 - 0x1_0000);
    expect(readerOf(bigEndian, ...octets).int32()).toBe(0x81020304 - 0x1_0000_0000);
    expect(readerOf(littleEndian, ...octets).int64()).toBe(0x8807060504030281n - (1n << 64n));
  });

  it('may be a float or a double', () => {
    expect(readerOf(bigEndian, 0xbf, 0xc0, 0, 0).float32()).toBe(-1.5);
    expect(readerOf(littleEndian, 0, 0, 0, 0, 0, 0, 0xf8, 0xbf).float64()).toBe(-1.5);
    expect(readerOf(bigEndian, 0x80, 0, 0, 0, 0, 0, 0, 0).float64()).toBe(-0);
  });

  it('is aligned to its size, counted from the end of the header', () => {
    // In memory the payload begins at an odd address.
    const memory = new Uint8Array(64);
    const payload = [
      [1, 0xee, 2, 0, 3, 0xee, 0xee, 0xee],
      [4, 0, 0, 0, 5, 0xee, 0xee, 0xee],
      [6, 0, 0, 0, 0, 0, 0, 0],
    ].flat();
    memory.set([...littleEndian, ...payload], 7);
    const r = new CdrReader(memory.subarray(7, 7 + 28));
    expect(r.uint8()).toBe(1);
    expect(r.uint16()).toBe(2);
    expect(r.uint8()).toBe(3);
    expect(r.uint32()).toBe(4);
    expect(r.uint8()).toBe(5);
    expect(r.uint64()).toBe(6n);
    expect(() => r.end()).not.toThrow();
  });

  it('must not end after the sample', () => {
    const tooShort: [number, (r: CdrReader) => unknown][] = [
      [0, (r) => r.boolean()],
      [0, (r) => r.int8()],
      [1, (r) => r.int16()],
      [3, (r) => r.int32()],
      [3, (r) => r.float32()],
      [7, (r) => r.int64()],
      [7, (r) => r.uint64()],
      [7, (r) => r.float64()],
    ];
    for (const [size, read] of tooShort) {
      const payload = new Array<number>(size).fill(0);
      expect(() => read(readerOf(littleEndian, ...payload))).toThrow(CdrError);
      expect(() => read(readerOf(littleEndian, ...payload, 0))).not.toThrow();
    }
  });
});

describe('A boolean', () => {
  it('is 0 or 1', () => {
    expect(readerOf(littleEndian, 0).boolean()).toBe(false);
    expect(readerOf(littleEndian, 1).boolean()).toBe(true);
    for (const octet of [2, 0x80, 0xff]) {
      expect(() => readerOf(littleEndian, octet).boolean()).toThrow(CdrError);
    }
  });
});

describe('An enumeration', () => {
  it('has no value above its highest', () => {
    expect(readerOf(littleEndian, 7, 0, 0, 0).enumeration(7)).toBe(7);
    expect(() => readerOf(littleEndian, 8, 0, 0, 0).enumeration(7)).toThrow(CdrError);
    expect(() => readerOf(littleEndian, 0, 0, 0, 0x80).enumeration(7)).toThrow(CdrError);
  });
});

describe('A string', () => {
  const read = (...payload: number[]) => readerOf(littleEndian, ...payload).string();

  it('is UTF-8 that ends with a NUL', () => {
    expect(read(1, 0, 0, 0, 0)).toBe('');
    expect(read(4, 0, 0, 0, 0x61, 0xc3, 0xa4, 0)).toBe('aä');
    expect(read(5, 0, 0, 0, 0xf0, 0x9f, 0x9a, 0x97, 0)).toBe('🚗');
  });

  it('keeps a byte order mark', () => {
    expect(read(5, 0, 0, 0, 0xef, 0xbb, 0xbf, 0x61, 0)).toBe('\uFEFFa');
  });

  it('has at least the NUL', () => {
    expect(() => read(0, 0, 0, 0)).toThrow(CdrError);
  });

  it('has its NUL at the end and nowhere else', () => {
    expect(() => read(2, 0, 0, 0, 0x61, 0x62)).toThrow('one NUL');
    expect(() => read(3, 0, 0, 0, 0x61, 0, 0)).toThrow('one NUL');
  });

  it('is no other octets than UTF-8', () => {
    expect(() => read(2, 0, 0, 0, 0xff, 0)).toThrow(CdrError);
    expect(() => read(3, 0, 0, 0, 0xc0, 0x80, 0)).toThrow(CdrError);
    expect(() => read(4, 0, 0, 0, 0xed, 0xa0, 0x80, 0)).toThrow(CdrError);
  });

  it('ends within the sample', () => {
    expect(() => read(3, 0, 0, 0, 0x61, 0)).toThrow(CdrError);
    expect(() => read(0xff, 0xff, 0xff, 0xff, 0)).toThrow(CdrError);
  });
});

describe('A sequence', () => {
  it('has no more elements than can follow', () => {
    expect(readerOf(littleEndian, 2, 0, 0, 0, 1, 2, 3, 4).sequenceLength(2)).toBe(2);
    expect(() => readerOf(littleEndian, 2, 0, 0, 0, 1, 2, 3).sequenceLength(2)).toThrow(CdrError);
    expect(() => readerOf(littleEndian, 0xff, 0xff, 0xff, 0xff).sequenceLength(1)).toThrow(
      'A sequence of 4294967295 elements does not fit into 0 octets.',
    );
  });

  it('of octets is a copy', () => {
    const sample = Buffer.from([...littleEndian, 2, 0, 0, 0, 8, 9]);
    const octets = new CdrReader(sample).octets();
    sample.fill(0);
    expect(octets).toEqual(Uint8Array.of(8, 9));
    expect(() => readerOf(littleEndian, 3, 0, 0, 0, 8, 9).octets()).toThrow(CdrError);
  });
});

describe('The end of a sample', () => {
  it('may have up to three octets of padding', () => {
    for (let padding = 0; padding <= 3; padding++) {
      const r = readerOf(littleEndian, 1, ...new Array<number>(padding).fill(0xee));
      r.uint8();
      expect(() => r.end()).not.toThrow();
    }
  });

  it('has nothing more', () => {
    const r = readerOf(littleEndian, 1, 0, 0, 0, 0);
    r.uint8();
    expect(() => r.end()).toThrow(CdrError);
  });
});
