import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { timesOf } from '../../../bench/profile/attribute.mjs';
import { groups, rules } from '../../../bench/profile/groups.mjs';
import { root } from '../../../tools/paths.mjs';

const inProject = (file: string) => pathToFileURL(path.join(root, file)).href;

/** A chain of calls; each node is called by the one before it. */
function chain(...frames: readonly (readonly [functionName: string, url: string])[]) {
  return frames.map(([functionName, url], index) => ({
    id: index + 1,
    callFrame: { functionName, url },
    children: index + 1 < frames.length ? [index + 2] : [],
  }));
}

const all = { fromNs: 0, toNs: 1e12 };

describe('timesOf', () => {
  it('gives a function to the group of its file', () => {
    const nodes = chain(
      ['(root)', ''],
      ['onSample', inProject('dist/sides/topic-reader.js')],
      ['command', inProject('dist/core/lock-step-session.js')],
    );
    const profile = { nodes, startTime: 0, samples: [2, 3, 3], timeDeltas: [100, 200, 50] };
    expect(Object.fromEntries(timesOf(profile, all))).toEqual({ take: 100, rules: 250 });
  });

  it('distinguishes reading and writing in the generated code', () => {
    const file = inProject('dist/messages/generated/vehicle-state.js');
    const nodes = chain(['(root)', ''], ['readVehicleState', file], ['writeVehicleState', file]);
    const profile = { nodes, startTime: 0, samples: [2, 3], timeDeltas: [100, 200] };
    expect(Object.fromEntries(timesOf(profile, all))).toEqual({ decode: 100, encode: 200 });
  });

  it('attributes what is not of the project to its caller', () => {
    const nodes = chain(
      ['(root)', ''],
      ['write', inProject('dist/dds/endpoints.js')],
      ['write', ''],
      ['from', 'node:buffer'],
    );
    const profile = { nodes, startTime: 0, samples: [3, 4, 1], timeDeltas: [100, 200, 7] };
    expect(Object.fromEntries(timesOf(profile, all))).toEqual({
      write: 300,
      'everything else': 7,
    });
  });

  it('gives the preparation what it has others do', () => {
    const nodes = chain(
      ['(root)', ''],
      ['prepare', inProject('dist/node/middleware/start-writer.js')],
      ['startSignalSample', inProject('dist/node/middleware/start-signal.js')],
    );
    const profile = { nodes, startTime: 0, samples: [2, 3], timeDeltas: [100, 200] };
    expect(Object.fromEntries(timesOf(profile, all))).toEqual({ prepare: 300 });
  });

  it('keeps waiting, native code and garbage collection apart', () => {
    const nodes = [
      { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2, 3, 4] },
      ...['(idle)', '(program)', '(garbage collector)'].map((functionName, index) => ({
        id: index + 2,
        callFrame: { functionName, url: '' },
      })),
    ];
    const profile = { nodes, startTime: 0, samples: [2, 3, 4], timeDeltas: [1, 2, 3] };
    expect(Object.fromEntries(timesOf(profile, all))).toEqual({
      idle: 1,
      native: 2,
      'garbage collection': 3,
    });
  });

  it('counts the samples of a part only', () => {
    const nodes = chain(['(root)', ''], ['command', inProject('dist/core/session.js')]);
    const profile = {
      nodes,
      startTime: 1000,
      samples: [2, 2, 2],
      timeDeltas: [100, 100, 100],
    };
    const part = { fromNs: 1_150_000, toNs: 1_250_000 };
    expect(Object.fromEntries(timesOf(profile, part))).toEqual({ rules: 100 });
  });
});

describe('the rules', () => {
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);

  it.each(rules.filter(({ group }) => group !== 'the probe of the bench'))(
    'find a source for $group, $file',
    ({ file }) => {
      expect(sources.filter((source) => file.test(source))).not.toEqual([]);
    },
  );

  it('name the probe where it is, and each group at least once', () => {
    expect(existsSync(path.join(root, 'bench/profile/probe.mjs'))).toBe(true);
    const named = new Set(rules.map(({ group }) => group));
    const special = ['garbage collection', 'everything else'];
    expect(groups.filter((group) => !named.has(group) && !special.includes(group))).toEqual([]);
  });
});
