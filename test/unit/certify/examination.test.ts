import process from 'node:process';
import { expect, it } from 'vitest';
import { Examination } from '../../../src/certify/examination/examination.js';
import { HlcError } from '../../../src/errors/index.js';

it('leaves nothing behind that keeps the process when its side cannot be opened', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const clocks = { monotonicNs: () => 0n, realtimeNs: () => 0n };
  const options = {
    vehicleIds: [1],
    join: () => {
      throw new HlcError('HLC_DDS_DOMAIN', {
        domainId: 1,
        networkInterface: 'nope',
        cause: 'none',
      });
    },
    periodNs: 50_000_000n,
    seed: 1,
    readyTimeoutNs: 0n,
    realTimeOnly: false,
    command: [],
  };
  const dds = { clocks, createPacer: () => ({ onTick: () => undefined }) };
  expect(() => new Examination(dds as never, options)).toThrow('DDS domain 1');
  expect(timers()).toBe(before);
});
