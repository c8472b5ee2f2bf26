import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/paths.mjs';
import { ChildProgram } from '../../support/child-program.js';
import { freePorts } from '../../support/free-ports.js';
import { isolatedCycloneUri } from '../../support/isolation.js';

describe('examples/mixed', () => {
  it('has controllers on DDS, a CARLA client and a CAVE client in the same start signals', async () => {
    const port = await freePorts(4);
    const variables = { PERIODS: '100', CARLA_PORT: String(port), CAVE_PORT: String(port + 3) };
    const file = path.join(root, 'examples/mixed/run.mjs');
    const program = new ChildProgram(
      'examples/mixed',
      process.execPath,
      [file],
      isolatedCycloneUri(),
      { variables, group: true },
    );
    const { code } = await program.ended;
    expect(program.stderr.items).toEqual([]);
    expect(code).toBe(0);
    const text = program.stdout.items.join('\n');
    expect(text).toContain('100 start signals');
    const replies = [...text.matchAll(/vehicle ([123]): .*?, (\d+) replies, \d+ misses, (\S+) m/g)];
    expect(replies.map(([, id]) => id)).toEqual(['1', '2', '3']);
    for (const [, , count, distance] of replies) {
      // A busy machine may miss some periods.
      expect(Number(count)).toBeGreaterThan(75);
      expect(Number(distance)).toBeGreaterThan(1.5);
    }
    const [, driven] = /vehicle 100: CAVE client, (\S+) m/.exec(text) ?? [];
    expect(Number(driven)).toBeGreaterThan(2);
  });
});
