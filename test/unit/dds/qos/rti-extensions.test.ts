import { describe, expect, it } from 'vitest';
import { findProfile, parseQosFile } from '../../../../src/dds/qos/index.js';
import { inProfile, textOf } from './fixtures.js';

describe('what RTI Connext adds to a QoS file', () => {
  const libraries = parseQosFile(textOf('valid/rti-participant.xml'), 'rti.xml');

  it('becomes discovery hints where there is a counterpart', () => {
    expect(findProfile(libraries, 'Net::Whole').discovery).toEqual({
      initialPeers: ['rtps@udpv4://192.0.2.249:25598'],
      interfaces: ['192.0.2.7', 'lo'],
    });
  });

  it('is inherited like a policy', () => {
    expect(findProfile(libraries, 'Net::UdpOnly').discovery).toEqual({
      initialPeers: ['builtin.udpv4://127.0.0.1', '192.0.2.101'],
    });
  });

  it('is reported with its line where there is none, and nothing else is', () => {
    expect(
      libraries.warnings.map(({ line, element }) => `${line} ${element.split('/').at(-1)}`),
    ).toEqual([
      '20 element',
      '22 multicast_receive_addresses',
      '25 enabled_transports',
      '28 mask',
      '41 element',
      '47 participant_name',
      '50 multicast',
      '53 initial_samples',
      '65 types',
    ]);
  });

  it('is explained in the sentence of the warning', () => {
    const messages = libraries.warnings.map(({ message }) => message).join('\n');
    expect(messages).toContain('This peer is left out: The discovery peer "builtin.shmem://"');
    expect(messages).toContain('"dds.transport.UDPv4.builtin.recv_socket_buffer_size"');
    expect(messages).toContain('<participant_name> is an extension of RTI Connext');
  });

  it('leaves the standard policies beside it in force', () => {
    expect(findProfile(libraries, 'Net::Whole').qosFor('reader', 't').resourceLimits).toEqual({
      maxSamples: 128,
    });
  });

  it('has no hints in a file that says nothing of discovery', () => {
    const file = parseQosFile(inProfile('<participant_qos/>'), 'a.xml');
    expect(findProfile(file, 'L::P').discovery).toEqual({});
    expect(file.warnings).toEqual([]);
  });
});
