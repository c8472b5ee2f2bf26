import { describe, expect, it } from 'vitest';
import { parseDroppedSample, parseUnanswered } from '../../../src/dds/library-log.js';

describe('a message of the DDS library about a sample that it dropped', () => {
  it('reports the writer, the sample, the topic and the cause', () => {
    const text =
      'data(application, vendor 1.16): 110a2b:3c:1:103 #7: deserialization vehicleState/VehicleState failed (for reasons unknown)';
    expect(parseDroppedSample(text)).toEqual({
      writerGuid: '00110a2b0000003c0000000100000103',
      sequenceNumber: '7',
      topicName: 'vehicleState',
      cause: 'for reasons unknown',
    });
  });

  it('may be about a topic of ROS 2, whose name has a slash in it', () => {
    const text =
      'data(application, vendor 1.1): 1:2:3:4 #12: deserialization rt/vehicle_state/msg::dds_::State_ failed (x)';
    expect(parseDroppedSample(text)).toMatchObject({
      topicName: 'rt/vehicle_state',
      cause: 'x',
    });
  });

  it('may be about one that is too large', () => {
    const text =
      'dropping oversize (40000032 > 4194304) sample 9 from remote writer 110a2b:3c:1:103 rt/vehicle_state/msg::dds_::State_\n';
    expect(parseDroppedSample(text)).toEqual({
      writerGuid: '00110a2b0000003c0000000100000103',
      sequenceNumber: '9',
      topicName: 'rt/vehicle_state',
      cause: 'a sample of 40000032 bytes is larger than this side takes',
    });
  });

  it.each(['', 'add_peer_addresses: host: unknown address', 'deserialization a/b failed (c)'])(
    'is not seen in another message: %j',
    (text) => {
      expect(parseDroppedSample(text)).toBeUndefined();
    },
  );
});

describe('a message of the DDS library about a participant that it cannot send to', () => {
  it('reports its GUID prefix', () => {
    const text =
      'SPDP ST0 1013db6:d4173004:8d70f6:1c1 bes 3f0c3f NEW (data meta) (no unicast address\n';
    expect(parseUnanswered(text)).toBe('01013db6d4173004008d70f6');
  });

  it('is none of another participant', () => {
    expect(
      parseUnanswered('SPDP ST0 110a2b:3c:1:1c1 bes c3f NEW (data udp/127.0.0.1:7411@1)\n'),
    ).toBeUndefined();
  });
});
