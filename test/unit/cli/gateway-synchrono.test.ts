import { expect, it } from 'vitest';
import { run } from './run.js';

const command = 'gateway synchrono';

it('the gateway to SynChrono takes agents with their vehicle ids', async () => {
  const { configs, labs, exitCode } = await run(
    `${command} --node=3 --peers=2 --domain=0 --map=2.1:10,01.2:11 --heartbeat-ms=20 --vehicle-ids=1,2`,
  );
  expect(exitCode).toBe(0);
  expect(configs).toMatchObject([{ session: { vehicleIds: [1, 2] } }]);
  expect(labs).toMatchObject([
    { node: 3, peers: 2, domain: 0, heartbeatMs: 20_000_000n, nodeTimeoutPolicy: 'wait' },
  ]);
  expect(labs).toMatchObject([
    {
      map: new Map([
        ['2.1', 10],
        ['1.2', 11],
      ]),
      chassisVisFile: undefined,
    },
  ]);
});

it.each([
  '--map=',
  '--map=2:10',
  '--map=2.1:256',
  '--map=2.1:10,2.1:11',
  '--map=2.1:10,1.1:10',
  '--map=2.1:10,',
  '--peers=0',
  '--heartbeat-ms=0',
  '--node-timeout-policy=stop',
  '--max-steering-deg=91',
])('it refuses %s', async (flag) => {
  const { exitCode, error, labs } = await run(`${command} ${flag}`);
  expect({ exitCode, labs }).toEqual({ exitCode: 2, labs: [] });
  expect(error).toContain(flag.split('=')[0]);
});

it.each([
  ['of its own node', '--node=3 --map=3.1:10', '"3.1:10" of --map'],
  ['that are its own agents', '--map=1.1:2 --vehicle-ids=1,2', '"1.1:2" of --map'],
])('it refuses vehicles %s', async (_, flags, text) => {
  const { exitCode, error } = await run(`${command} ${flags}`, {
    gateways: () => import('../../../src/cli/run-gateways.js'),
  });
  expect(exitCode).toBe(2);
  expect(error).toContain(text);
});
