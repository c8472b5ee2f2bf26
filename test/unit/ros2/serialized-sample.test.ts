import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { serializedSample } from '../../../src/ros2/serialized-sample.js';

const header = [0, 1, 0, 0];

describe('a sample for the rmw', () => {
  it('is handed on as it is when its length is a multiple of four', () => {
    const bytes = topics.systemTrigger.codec.encode({ next_start: { nanoseconds: 7n } });
    expect(Uint8Array.from(serializedSample(topics.systemTrigger, bytes))).toEqual(bytes);
  });

  it('is padded to one, and says so in its header', () => {
    const bytes = topics.stopRequest.codec.encode({ vehicle_id: 7 });
    expect([...bytes]).toEqual([...header, 7]);
    const sample = serializedSample(topics.stopRequest, bytes);
    expect([...sample]).toEqual([0, 1, 0, 3, 7, 0, 0, 0]);
    expect(topics.stopRequest.codec.decode(sample)).toEqual({ vehicle_id: 7 });
  });

  it.each([
    ['nothing', []],
    ['a part of a header', header.slice(0, 3)],
    ['a header alone', header],
    ['a part of a sample', [...header, 1, 2, 3, 4]],
    ['another encapsulation', [0, 7, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ])('is not %s', (_, bytes) => {
    expect(() => serializedSample(topics.systemTrigger, Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: 'HLC_DDS_WRITE' }),
    );
  });
});
