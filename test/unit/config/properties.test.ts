import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { helpEntries, parseRunConfig, type RunConfig } from '../../../src/config/index.js';
import { HlcError } from '../../../src/errors/index.js';
import { parse, parseArguments } from './parse.js';

const flags = helpEntries().map(({ term }) => term.split(' ')[0] ?? '');

/** Text of every kind, with some that is nearly right. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.array(fc.integer({ min: -5, max: 300 })).map((ids) => ids.join(',')),
  fc.constantFrom('true', 'T', '-1', '1', 'auto', '0.1', '50', '__proto__', 'constructor'),
);

function isSound(config: RunConfig): boolean {
  const { session, sides, output } = config;
  const { periodNs, offsetNs, time, vehicleIds, activeVehicleIds } = session;
  const stepsItself = time.mode === 'simulated' && time.timeSource.kind === 'self';
  return (
    Object.isFrozen(config) &&
    (periodNs === null || periodNs > 0n) &&
    (time.mode === 'simulated' || periodNs === null || offsetNs < periodNs) &&
    (!stepsItself || periodNs !== null) &&
    sides.lab.domainId !== sides.controller.domainId &&
    Buffer.byteLength(output.controlSocket?.path ?? '') <= 107 &&
    [vehicleIds, activeVehicleIds].every(
      (ids) =>
        ids === null ||
        (ids.length > 0 && ids.every((id, at) => id >= 0 && id <= 255 && id > (ids[at - 1] ?? -1))),
    )
  );
}

/** Either a sound configuration, or an error of the catalogue whose sentence fits one line. */
const expectSoundOrRefused = (action: () => RunConfig): void => {
  try {
    expect(isSound(action())).toBe(true);
  } catch (error) {
    if (!(error instanceof HlcError)) throw error;
    expect(error.code).toMatch(/^HLC_(CONFIG_|TIME_OFFSET$)/);
    expect(error.exitCode).toBe(2);
    expect(error.message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  }
};

describe('whatever a user writes', () => {
  it('as the value of a flag gives a sound configuration or a refusal', () => {
    fc.assert(
      fc.property(fc.constantFrom(...flags), anyText, (flag, text) => {
        const period = flag.startsWith('--period') ? [] : ['--period-ms=50'];
        expectSoundOrRefused(() => parseArguments([...period, `${flag}=${text}`]));
      }),
      { numRuns: 1500 },
    );
  });

  it('as a command line gives a sound configuration or a refusal', () => {
    const argument = fc.oneof(
      anyText,
      fc.constantFrom(...flags),
      fc.tuple(fc.constantFrom(...flags), anyText).map((pair) => pair.join('=')),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 5 }), (argv) => {
        expectSoundOrRefused(() => parseArguments(argv));
        expectSoundOrRefused(() => parseArguments(['--period-ms=50', '--simulated-time', ...argv]));
      }),
      // Two configurations in each.
      { numRuns: 750 },
    );
  });

  it('into the environment or the file gives a sound configuration or a refusal', () => {
    const variable = fc.constantFrom(...flags).map((flag) => flag.slice(2).replaceAll('-', '_'));
    const line = fc
      .tuple(fc.constantFrom(...flags), anyText)
      .map(([flag, text]) => `${flag.slice(2)}: ${text}`);
    const check = fc.tuple(anyText, anyText).map((pair) => `checks: { ${pair.join(': ')} }`);
    const lines = fc
      .array(fc.oneof(anyText, line, check), { maxLength: 4 })
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(variable, anyText, lines, (name, text, content) => {
        const environment = { [`HLC_MIDDLEWARE_${name.toUpperCase()}`]: text };
        expectSoundOrRefused(() => parse('--period-ms=50', { environment }));
        expectSoundOrRefused(() => parseRunConfig(['--config=f'], {}, () => content));
      }),
      // Two configurations in each.
      { numRuns: 750 },
    );
  });
});

describe('a right value', () => {
  it('of a period in milliseconds keeps every nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 100_000n, max: 86_400_000_000_000n }), (periodNs) => {
        const text = `${periodNs / 1_000_000n}.${String(periodNs % 1_000_000n).padStart(6, '0')}`;
        expect(parse(`--period-ms=${text}`).session.periodNs).toBe(periodNs);
        expect(parse(`--period-nanoseconds=${periodNs}`).session.periodNs).toBe(periodNs);
      }),
    );
  });

  it('of the vehicle ids means the same in every source and spelling', () => {
    const idList = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1 });
    fc.assert(
      fc.property(idList, (ids) => {
        const wanted = [...ids].sort((a, b) => a - b);
        const text = ids.join(',');
        const file = { f: `vehicle-ids: [${ids.join(', ')}]` };
        const environment = { HLC_MIDDLEWARE_VEHICLE_IDS: text };
        const all = [
          parse(`--period-ms=5 --vehicle_ids=${text}`),
          parse(`--period-ms=5 --vehicle-ids ${text}`),
          parse('--period-ms=5', { environment }),
          parse('--period-ms=5 --config=f', { files: file }),
        ];
        for (const config of all) expect(config.session.vehicleIds).toEqual(wanted);
      }),
    );
  });
});
