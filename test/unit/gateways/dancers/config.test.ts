import { describe, expect, it } from 'vitest';

import { isHlcError } from '../../../../src/errors/index.js';
import { parseDancersConfig } from '../../../../src/gateways/dancers/protocol/config.js';

const good: Readonly<Record<string, string>> = {
  sync_window: '100000',
  phy_step_size: '10000',
  net_step_size: '100000',
  simulation_length: '60',
  phy_use_uds: 'true',
  net_use_uds: 'false',
  phy_uds_server_address: '"/tmp/phy.uds"',
  net_uds_server_address: '"/tmp/net.uds"',
  phy_ip_server_address: '"127.0.0.1"',
  net_ip_server_address: '"127.0.0.1"',
  phy_ip_server_port: '10000',
  net_ip_server_port: '10001',
  save_compute_time: 'false',
  buildings: '[{ name: a, x: 1, y: 2, size_x: 3, size_y: 4, height: 5 }]',
};

function parse(changes: Readonly<Record<string, string | null>> = {}) {
  const lines = Object.entries({ ...good, ...changes })
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${value ?? ''}`);
  return parseDancersConfig({ path: 'run.yaml', text: lines.join('\n') });
}

function refusal(changes: Readonly<Record<string, string | null>>): string {
  try {
    parse(changes);
  } catch (error) {
    if (isHlcError(error) && error.code === 'HLC_DANCERS_CONFIG') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a DANCERS configuration', () => {
  it('gives times, addresses and pace', () => {
    expect(parse({ real_time_factor: '0.5' })).toEqual({
      windowUs: 100_000,
      physics: { stepUs: 10_000, address: { kind: 'uds', path: '/tmp/phy.uds' } },
      network: { stepUs: 100_000, address: { kind: 'tcp', host: '127.0.0.1', port: 10_001 } },
      lengthS: 60,
      realTimeFactor: 0.5,
    });
  });

  it('may leave out the keys without effect here, and the pace', () => {
    const changes = { save_compute_time: null, phy_ip_server_port: null, buildings: null };
    expect(parse(changes).realTimeFactor).toBeUndefined();
  });

  it('has the words for true and false of the original, and aliases', () => {
    expect(parse({ phy_use_uds: 'Yes', net_use_uds: 'off' }).physics.address.kind).toBe('uds');
    const aliased = parse({ sync_window: '&window 100000', net_step_size: '*window' });
    expect(aliased.network.stepUs).toBe(100_000);
  });

  it.each([
    ['sync_window', null, 'is missing; it must be a whole number of microseconds'],
    ['sync_window', '0', 'is 0; it must be a whole number of microseconds from 1'],
    ['sync_window', '1.5', 'is 1.5; it must be a whole number'],
    ['phy_step_size', '30000', 'is 30000; it must be a divisor of sync_window (100000)'],
    ['net_step_size', '200000', 'is 200000; it must be a divisor of sync_window'],
    ['simulation_length', '-1', 'is -1; it must be a number of seconds'],
    ['simulation_length', '.inf', 'it must be a number of seconds'],
    ['phy_use_uds', 'maybe', 'is "maybe"; it must be true or false'],
    ['phy_uds_server_address', '""', 'is ""; it must be a path'],
    ['phy_uds_server_address', `/${'x'.repeat(107)}`, 'it must be a path of at most 107 bytes'],
    ['net_ip_server_address', 'localhost', 'is "localhost"; it must be an IPv4 address'],
    ['net_ip_server_port', '65536', 'is 65536; it must be a port from 1 to 65535'],
    ['net_ip_server_port', '[1, 2]', 'is [1,2]; it must be a port'],
    ['real_time_factor', '0', 'is 0; it must be a number from 0.001'],
  ])('is refused with %s: %s', (key, value, expected) => {
    const message = refusal({ [key]: value });
    expect(message).toContain(
      `The DANCERS configuration run.yaml cannot be used: the key "${key}" is`,
    );
    expect(message).toContain(expected);
  });

  it('is refused with one address for both sides', () => {
    expect(refusal({ net_use_uds: 'true', net_uds_server_address: '/tmp/phy.uds' })).toContain(
      'the key "net_uds_server_address" is /tmp/phy.uds; it must be another address',
    );
  });

  it('is refused with the line that is no YAML', () => {
    expect(refusal({ extra: 'a: b: c' })).toMatch(
      /cannot be used: line 15: .*; correct the YAML\.$/,
    );
  });

  it.each(['', '- 1', 'just text'])('is refused when it is no mapping: "%s"', (text) => {
    expect(() => parseDancersConfig({ path: 'run.yaml', text })).toThrow(
      'it must be lines of the form',
    );
  });

  it('is refused when it is a huge file in disguise', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 10; i++) {
      lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`);
    }
    expect(() => parseDancersConfig({ path: 'run.yaml', text: lines.join('\n') })).toThrow(
      'Excessive alias count',
    );
  });
});
