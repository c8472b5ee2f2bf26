import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mostInflatedBytes } from '../../../../src/gateways/dancers/protocol/gzip.js';
import {
  decodeUpdate,
  encodeUpdate,
  updateFrames,
  type Update,
} from '../../../../src/gateways/dancers/protocol/update.js';
import { Refusal } from '../../../../src/gateways/refusal.js';

const empty = new Uint8Array();
const bodyOf = (frame: Uint8Array) => frame.subarray(4);

describe('a message of DANCERS', () => {
  it('that begins a step without a payload is four zeros', () => {
    expect([...encodeUpdate({ type: 'begin', payload: empty })]).toEqual([0, 0, 0, 0]);
    expect(decodeUpdate(empty)).toEqual({ type: 'begin', payload: empty });
  });

  it.each([
    ['end', '0801'],
    ['close', '0802'],
  ] as const)('"%s" without a payload is gzip of its type', (type, hex) => {
    const frame = encodeUpdate({ type, payload: empty });
    expect(Buffer.from(frame).readUInt32BE(0)).toBe(frame.length - 4);
    expect(gunzipSync(bodyOf(frame)).toString('hex')).toBe(hex);
  });

  it('has its payload as field 2', () => {
    const frame = encodeUpdate({ type: 'end', payload: Buffer.from('abc') });
    expect(gunzipSync(bodyOf(frame)).toString('hex')).toBe('08011203616263');
  });

  it.each([1, 0xffff, 0x10000])('is gzip with a payload of %i bytes, too', (length) => {
    const payload = Buffer.alloc(length, 'abc');
    const content = gunzipSync(bodyOf(encodeUpdate({ type: 'end', payload })));
    expect(content.subarray(-length)).toEqual(payload);
  });

  it('comes back from its frame, however the stream is cut', () => {
    const update = fc.record<Update>({
      type: fc.constantFrom('begin', 'end', 'close'),
      payload: fc.uint8Array({ maxLength: 200 }),
    });
    fc.assert(
      fc.property(fc.array(update, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), (all, n) => {
        const stream = Buffer.concat(all.map(encodeUpdate));
        const frames = updateFrames();
        const got: Update[] = [];
        for (let at = 0; at < stream.length; at += n) {
          for (const content of frames.push(stream.subarray(at, at + n))) {
            const { type, payload } = decodeUpdate(content);
            got.push({ type, payload: new Uint8Array(payload) });
          }
        }
        expect(got).toEqual(all);
        expect(frames.inFrame).toBe(false);
      }),
    );
  });
});

describe('refused are', () => {
  it.each([
    ['bytes that are no gzip', Buffer.from('0801', 'hex'), /no gzip/],
    ['gzip that is cut', gzipSync('0801').subarray(0, -1), /no gzip/],
    ['gzip of another message', gzipSync(Buffer.from('0a01', 'hex')), /no DancersUpdate/],
    ['a type that does not exist', gzipSync(Buffer.from('0807', 'hex')), /unknown type 7/],
  ])('%s', (_, bytes, message) => {
    expect(() => decodeUpdate(bytes)).toThrow(Refusal);
    expect(() => decodeUpdate(bytes)).toThrow(message);
  });

  it('a gzip that inflates to more than 64 MiB, without its memory', () => {
    const bomb = gzipSync(Buffer.alloc(mostInflatedBytes + 1));
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => decodeUpdate(bomb)).toThrow(/more than 67108864 bytes after inflating/);
  });

  it('a frame that says it is longer than 64 MiB', () => {
    expect(() => [...updateFrames().push(Buffer.from('7fffffff', 'hex'))]).toThrow(Refusal);
  });
});
