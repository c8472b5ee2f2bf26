import { describe, expect, it } from 'vitest';

import { run } from './run.js';

describe('hlc-middleware certify', () => {
  it('needs neither a lab nor a period, and says how it ended', async () => {
    const outcome = await run('certify --vehicle-ids=3 --domain-number=0');
    expect(outcome.configs).toMatchObject([
      {
        session: { vehicleIds: [3], periodNs: 50_000_000n, readyTimeoutNs: 10_000_000_000n },
        sides: { controller: { domainId: 0 } },
      },
    ]);
    expect(outcome.labs).toEqual([
      { seed: 1, realTimeOnly: false, separately: false, json: false, command: [] },
    ]);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.out).toContain('0 passed, 0 failed, 0 not tested');
  });

  it.each([
    'certify -- my --flag=1 -- x',
    'certify --json --period-ms=20 -- my --flag=1 -- x',
    // Its name before.
    'check -- my --flag=1 -- x',
  ])('leaves alone what stands after the first --: %s', async (commandLine) => {
    const { labs, error } = await run(commandLine);
    expect(error).toBe('');
    expect(labs).toMatchObject([{ command: ['my', '--flag=1', '--', 'x'] }]);
  });

  it('prints JSON with --json', async () => {
    expect(JSON.parse((await run('certify --json')).out)).toMatchObject({ domain: 1, rules: [] });
  });

  it('is refused with a wrong flag before it starts anything', async () => {
    const { exitCode, labs, error } = await run('certify --sead=1');
    expect({ exitCode, labs }).toEqual({ exitCode: 2, labs: [] });
    expect(error).toContain('did you mean --seed?');
  });
});
