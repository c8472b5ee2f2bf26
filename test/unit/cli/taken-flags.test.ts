import { describe, expect, it } from 'vitest';
import { run } from './run.js';

/** Commands, their further arguments, flags of `run` with an effect on them, and one without. */
const commands = [
  ['fleet', '', '--vehicle-amount=2 --local-addresses=all --compat=cpm-lab', '--period-ms'],
  ['drive', '', '--vehicle-ids=1 --domain-number=7 --controller-naming=ros2', '--dds-domain'],
  ['lab', '', '--period-nanoseconds=20000000 --active-vehicle-ids=1', '--domain-number'],
  ['observe', '', '--node-id=other --interrupt-exit-code=0', '--vehicle-ids'],
  ['record', 'run.mcap', '--node-id=other --control-socket=/tmp/other.sock', '--vehicle-ids'],
  ['replay', 'run.mcap --to=page', '--domain-number=7 --interrupt-exit-code=0', '--dds-domain'],
  ['certify', '', '--period-ms=20 --node-id=other --control-socket=off', '--dds-domain'],
  ['gateway carla', '', '--vehicle-ids=1 --domain-number=7', '--simulated-time'],
  ['gateway cave', '', '--dds-domain=90 --simulated-time', '--vehicle-ids'],
  ['gateway dancers', '', '--lab-side=rclnodejs --node-id=other', '--vehicle-ids'],
  ['gateway synchrono', '--map=2.1:9', '--vehicle-ids=1 --interface=lo', '--period-ms'],
] as const;

describe.each(commands)('hlc-middleware %s %s', (command, operands, taken, other) => {
  it('takes the flags of run that have an effect on it, and --config', async () => {
    const readFile = () => 'checks: {}';
    const line = `${command} ${operands} ${taken} --config=lab.yaml`;
    // The gateway to DANCERS has a --config of its own.
    expect((await run(line, { readFile })).error).toBe('');
  });

  it('refuses another one, and names those', async () => {
    const value = other === '--simulated-time' ? 'true' : '1';
    const { exitCode, error, configs } = await run(`${command} ${operands} ${other}=${value}`);
    expect({ exitCode, configs }).toEqual({ exitCode: 2, configs: [] });
    expect(error).toContain(`The flag ${other} has no effect on "${command}", which takes --`);
  });

  it('names them in its help', async () => {
    const help = (await run(`${command} --help`)).out.replaceAll(/\s+/g, ' ');
    const { error } = await run(`${command} ${operands} ${other}=true`);
    const list = /which takes (.*) of "run"; leave it out/.exec(error)?.[1] ?? '';
    for (const flag of list.split(', ')) expect(help).toContain(flag);
    expect(list).toMatch(/^--/);
  });
});

it.each([
  ['fleet', '--dds-domain=1'],
  ['gateway cave', '--dds-domain=1'],
  ['gateway synchrono --map=2.1:9', '--dds-domain=1'],
  ['drive', '--domain-number=0'],
])('%s takes %s, which is the default domain of the other side', async (command, flag) => {
  expect(await run(`${command} ${flag}`)).toMatchObject({ exitCode: 0, error: '' });
});

it('takes what the environment and a file say to other programs', async () => {
  const environment = { HLC_MIDDLEWARE_PERIOD_MS: '20' };
  const readFile = () => 'miss-policy: log';
  const outcome = await run('fleet --config=lab.yaml', { environment, readFile });
  expect(outcome).toMatchObject({ exitCode: 0, error: '' });
});
