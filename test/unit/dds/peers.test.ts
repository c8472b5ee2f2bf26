import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExitCode, HlcError } from '../../../src/errors/index.js';
import { parsePeers } from '../../../src/dds/peers.js';

describe('a discovery peer', () => {
  it.each([
    ['192.0.2.249', { address: '192.0.2.249' }],
    ['localhost', { address: 'localhost' }],
    ['nuc-3.lab.example', { address: 'nuc-3.lab.example' }],
    ['TEMPLATE_IP', { address: 'TEMPLATE_IP' }],
    ['192.0.2.249:7400', { address: '192.0.2.249', port: 7400 }],
    ['udpv4://192.0.2.1', { address: '192.0.2.1' }],
    ['builtin.udpv4://127.0.0.1', { address: '127.0.0.1' }],
    ['UDPv4://host', { address: 'host' }],
    ['rtps@udpv4://192.0.2.249:25598', { address: '192.0.2.249', port: 25598 }],
    ['30@192.0.2.7', { address: '192.0.2.7', maxParticipantIndex: 30 }],
    ['0@host', { address: 'host', maxParticipantIndex: 0 }],
    ['119@builtin.udpv4://host', { address: 'host', maxParticipantIndex: 119 }],
    ['239.255.0.1', { address: '239.255.0.1' }],
  ])('is read from %s', (text, expected) => {
    expect(parsePeers(text)).toEqual([expected]);
  });

  it('can stand in a list', () => {
    expect(parsePeers('localhost, 4@192.0.2.7 ,rtps@udpv4://h:1')).toEqual([
      { address: 'localhost' },
      { address: '192.0.2.7', maxParticipantIndex: 4 },
      { address: 'h', port: 1 },
    ]);
  });

  it('may be absent', () => {
    expect(parsePeers('')).toEqual([]);
    expect(parsePeers('  ')).toEqual([]);
  });

  it.each([
    ['a,,b', 'it names no host'],
    ['rtps@udpv4://:25598', 'it names no host'],
    ['30@', 'it names no host'],
    ['shmem://', 'there is no transport "shmem" here'],
    ['tcpv4_lan://host:7400', 'there is no transport "tcpv4_lan" here'],
    ['://host', 'there is no transport "" here'],
    ['rtps@host:25598', 'after "rtps@" a transport is missing'],
    ['host:0', '"0" is no port'],
    ['host:65536', '"65536" is no port'],
    ['host:', '"" is no port'],
    ['host:http', '"http" is no port'],
    ['[::1]:7400', '"[" is no host name'],
    ['120@host', '"120" before the @ is no participant limit'],
    ['-1@host', '"-1" before the @ is no participant limit'],
    ['[0-4]@host', '"[0-4]" before the @ is no participant limit'],
    ['@host', '"" before the @ is no participant limit'],
    ['4@host:7400', 'a participant limit and a port exclude each other'],
    ['192.0.2', '"192.0.2" is no IPv4 address'],
    ['192.0.2.256', '"192.0.2.256" is no IPv4 address'],
    ['192.0.2.1.', '"192.0.2.1." is no IPv4 address'],
    ['a host', '"a host" is no host name'],
    ['-host', '"-host" is no host name'],
    ['host/path', '"host/path" is no host name'],
    [`${'a'.repeat(64)}.lab`, `"${'a'.repeat(64)}.lab" is no host name`],
  ])('is refused: %s, because %s', (text, cause) => {
    const expected = { code: 'HLC_CONFIG_PEER', exitCode: ExitCode.usage };
    expect(() => parsePeers(text)).toThrow(expect.objectContaining(expected) as Error);
    expect(() => parsePeers(text)).toThrow(`(${cause}); accepted: `);
  });

  it('names the one of a list that is wrong', () => {
    expect(() => parsePeers('localhost,host:x')).toThrow('The discovery peer "host:x"');
  });

  it('is read or refused, whatever the text is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('a', '1', '.', ':', '/', '@', ',', 'udpv4://', 'rtps@') }),
    );
    fc.assert(
      fc.property(text, (peers) => {
        try {
          for (const { address, port, maxParticipantIndex } of parsePeers(peers)) {
            expect(address).toMatch(/^[\w.-]+$/);
            expect(port ?? 1).toBeGreaterThanOrEqual(1);
            expect(port ?? 1).toBeLessThanOrEqual(65535);
            expect(maxParticipantIndex ?? 0).toBeLessThanOrEqual(119);
          }
        } catch (error) {
          if (!(error instanceof HlcError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});
