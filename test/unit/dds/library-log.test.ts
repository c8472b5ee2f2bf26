import { describe, expect, it } from 'vitest';
import { parseDeserializationFailure } from '../../../src/dds/library-log.js';

describe('a message of the DDS library about a malformed sample', () => {
  it('tells the writer, the sample, the topic and the cause', () => {
    const text =
      'data(application, vendor 1.16): 110a2b:3c:1:103 #7: deserialization vehicleState/VehicleState failed (for reasons unknown)';
    expect(parseDeserializationFailure(text)).toEqual({
      writerGuid: '00110a2b0000003c0000000100000103',
      sequenceNumber: '7',
      topicName: 'vehicleState',
      cause: 'for reasons unknown',
    });
  });

  it('may be about a topic of ROS 2, whose name has a slash in it', () => {
    const text =
      'data(application, vendor 1.1): 1:2:3:4 #12: deserialization rt/vehicle_state/msg::dds_::State_ failed (x)';
    expect(parseDeserializationFailure(text)).toMatchObject({
      topicName: 'rt/vehicle_state',
      cause: 'x',
    });
  });

  it.each(['', 'add_peer_addresses: host: unknown address', 'deserialization a/b failed (c)'])(
    'is not seen in another message: %j',
    (text) => {
      expect(parseDeserializationFailure(text)).toBeUndefined();
    },
  );
});
