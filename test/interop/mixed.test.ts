import { beforeAll, describe, expect, it } from 'vitest';
import { ChildProgram } from '../support/child-program.js';
import { loopbackUri } from '../support/loopback-uri.js';
import { skipWithout } from '../support/skip-without.js';
import { buildNode, missingForNode, openNetwork } from './synchrono-node.js';

describe('examples/mixed in simulated time', () => {
  skipWithout(missingForNode);
  beforeAll(() => {
    if (missingForNode === undefined) buildNode();
  }, 600_000);

  it('has DDS, CARLA, CAVE, DANCERS and SynChrono in the same start signals, and repeats itself', async ({
    skip,
  }) => {
    const through = openNetwork();
    if (typeof through === 'string') return skip(through);
    const [ip = '', ...start] = through;
    const command = [...start, process.execPath, 'examples/mixed/run.mjs', '--simulated-time'];
    const variables = { PERIODS: '60' };
    const program = new ChildProgram('examples/mixed', ip, command, loopbackUri(''), {
      variables,
      group: true,
    });
    const { code } = await program.ended;
    expect(program.stderr.items).toEqual([]);
    const lines = program.stdout.items;
    expect(lines.at(-1)).toBe('Both runs have the same start signals, byte by byte.');
    expect(code).toBe(0);
    const vehicles = lines.filter((line) => line.startsWith('  vehicle '));
    const replied = ', 60 replies, 0 misses';
    expect(vehicles.map((line) => line.replace(/, \S+ m$/, ''))).toEqual(
      [1, 2].flatMap(() => [
        `  vehicle 1: controller on DDS${replied}`,
        `  vehicle 2: controller on DDS${replied}`,
        `  vehicle 3: CARLA client${replied}`,
        '  vehicle 100: CAVE client',
        '  vehicle 101: SynChrono node',
      ]),
    );
    for (const line of vehicles) {
      const [, driven] = /, (\S+) m$/.exec(line) ?? [];
      expect(Number(driven)).toBeGreaterThan(0.5);
    }
    expect(
      lines.filter((line) => /^DANCERS network side: \d+ windows, [1-9]/.test(line)),
    ).toHaveLength(2);
  });
});
