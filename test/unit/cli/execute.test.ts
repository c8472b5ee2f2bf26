import { describe, expect, it } from 'vitest';

import type { Shell } from '../../../src/cli/execute.js';
import { reportError } from '../../../src/cli/report-error.js';
import { HlcError } from '../../../src/errors/index.js';
import { run } from './run.js';

const failsWith = (error: Error): Partial<Shell> => ({
  runMiddleware: () => Promise.reject(error),
});

describe('hlc-middleware run', () => {
  it('runs one middleware with the configuration of its flags', async () => {
    const outcome = await run('run --vehicle-ids=1,2 --period-ms 50');
    expect(outcome).toMatchObject({ exitCode: 0, out: '', error: '' });
    expect(outcome.configs).toMatchObject([
      { session: { vehicleIds: [1, 2], periodNs: 50_000_000n } },
    ]);
  });

  it('may be left out before flags, as start scripts of the CPM Lab do', async () => {
    const outcome = await run('--vehicle_ids=3 --simulated_time=false --period_ms=400');
    expect(outcome.configs).toMatchObject([
      { session: { vehicleIds: [3], periodNs: 400_000_000n } },
    ]);
  });

  it('takes the command line of the CPM Lab as it is', async () => {
    const outcome = await run(
      '--node_id=middleware_1,2 --simulated_time=false --vehicle_ids=1,2 --dds_domain=21 --dds_initial_peer=rtps@udpv4://192.168.1.249:25598',
    );
    expect(outcome).toMatchObject({ exitCode: 0, error: '' });
    expect(outcome.configs).toMatchObject([
      {
        nodeId: 'middleware_1,2',
        session: { vehicleIds: [1, 2], periodNs: null },
        sides: { lab: { domainId: 21 } },
      },
    ]);
  });

  it('gives the flags on in their order', async () => {
    const outcome = await run('run stray --period-ms=50');
    expect(outcome.error).toContain('The argument "stray" is not a flag');
  });

  it('reads the environment and the file', async () => {
    const outcome = await run('run --config=lab.yaml', {
      environment: { HLC_MIDDLEWARE_PERIODS: '7' },
      readFile: () => 'period-ms: 20',
    });
    expect(outcome.configs).toMatchObject([{ session: { periods: 7, periodNs: 20_000_000n } }]);
  });

  it('ends with the exit code of the middleware', async () => {
    const outcome = await run('run --period-ms=50', { runMiddleware: () => Promise.resolve(143) });
    expect(outcome).toMatchObject({ exitCode: 143, error: '' });
  });

  it('ends with exit code 2 and one sentence when a flag is wrong', async () => {
    expect(await run('run --perod-ms=50')).toEqual({
      exitCode: 2,
      out: '',
      error:
        'hlc-middleware: Unknown flag --perod-ms=50; did you mean --period-ms? "hlc-middleware run --help" lists all names. [HLC_CONFIG_UNKNOWN_NAME]\n',
      configs: [],
      labs: [],
    });
  });
});

describe('a flag that no command knows', () => {
  it.each([
    ['play --perods=3', '--periods', 'play'],
    ['play --trak=oval', '--track', 'play'],
    ['certify --perod-ms=50', '--period-ms', 'certify'],
    ['gateway cave --perod-ms=50', '--period-ms', 'gateway cave'],
  ])('is answered with the help of its command: %s', async (commandLine, nearest, command) => {
    const { exitCode, error } = await run(commandLine);
    expect(exitCode).toBe(2);
    expect(error).toContain(
      `; did you mean ${nearest}? "hlc-middleware ${command} --help" says which flags it takes. [`,
    );
  });

  it('is not mixed up with a name of another place', async () => {
    const environment = { HLC_MIDDLEWARE_PEROD_MS: '50' };
    const { error } = await run('play', { environment });
    expect(error).toContain('"hlc-middleware run --help" lists all names.');
  });
});

describe('an error of the middleware', () => {
  it('of the catalogue is printed with its sentence, its code and its exit code', async () => {
    const error = new HlcError('HLC_CLOSED', { what: 'reader' });
    const outcome = await run('run --period-ms=50', failsWith(error));
    expect(outcome).toMatchObject({
      exitCode: 1,
      error: `hlc-middleware: ${error.message} [HLC_CLOSED]\n`,
    });
  });

  it('that is not of the catalogue is printed without its stack, with exit code 1', async () => {
    const outcome = await run(
      'run --period-ms=50',
      failsWith(new TypeError('x is not a function')),
    );
    expect(outcome).toMatchObject({
      exitCode: 1,
      error:
        'hlc-middleware: Unexpected error (x is not a function); set HLC_MIDDLEWARE_DEBUG=1 to see the stack, and report it. [HLC_UNEXPECTED]\n',
    });
  });

  it('that is no Error is printed as well', () => {
    expect(reportError('broken', true)).toEqual({
      exitCode: 1,
      text: expect.stringMatching(/\(broken\).*\[HLC_UNEXPECTED\]\n$/) as string,
    });
  });

  it.each([
    ['HLC_MIDDLEWARE_DEBUG=1', 'run --period-ms=50', { HLC_MIDDLEWARE_DEBUG: '1' }],
    ['--log-level=debug', 'run --period-ms=50 --log-level=debug', {}],
    ['--log-level=trace', 'run --period-ms=50 --log-level=trace', {}],
  ])('shows its stack with %s', async (_, commandLine, environment) => {
    const outcome = await run(commandLine, { environment, ...failsWith(new TypeError('x')) });
    expect(outcome.error).toMatch(/\[HLC_UNEXPECTED\]\nTypeError: x\n +at /);
  });

  it('shows its cause with its stack', () => {
    const cause = new RangeError('too far');
    const error = new HlcError('HLC_CLOSED', { what: 'reader' }, { cause });
    expect(reportError(error, true).text).toMatch(/ +at [^]*RangeError: too far\n +at /);
    expect(reportError(error, false).text).not.toContain('too far');
  });
});

describe('the help', () => {
  it('of the program lists the commands, and the exit codes at its end', async () => {
    const { exitCode, out } = await run('--help');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Usage: hlc-middleware /);
    expect(out).toMatch(/^ {2}run +run the middleware between controllers and\s+vehicles$/m);
    expect(out).toMatch(/^ {2}config +print the schema and the reference pages$/m);
    expect(out.match(/^[A-Z][A-Za-z ]+:$/gm)).toEqual([
      'Options:',
      'Run:',
      'Talk to a running middleware:',
      'Record and replay:',
      'Install:',
      'Check and describe:',
      'Exit codes:',
    ]);
    expect(out).toMatch(/\nExit codes:\n {4}0 {2}done\n[^]* {2}143 {2}clean end after SIGTERM\n+$/);
  });

  it.each(['run --help', 'run -h', 'help run', '--period-ms=50 --help'])(
    'of run, asked for by "%s", lists the flags in groups',
    async (commandLine) => {
      const { exitCode, out, configs } = await run(commandLine);
      expect(exitCode).toBe(0);
      expect(configs).toEqual([]);
      const headings = out.match(/^[A-Z][A-Za-z ]+:$/gm);
      expect(headings).toEqual([
        'Controllers:',
        'Time:',
        'Network:',
        'Supervision:',
        'Output:',
        'General:',
        'Options:',
        'Exit codes:',
      ]);
      const words = out.replace(/\s+/g, ' ');
      expect(words).toContain(
        '--dds-domain <n> DDS domain of the lab side; with ROS 2 on that side, ROS_DOMAIN_ID overrides the default. (0 to 232; default: 0)',
      );
      expect(words).toContain('(dds, ros2; default: dds)');
      expect(words).toContain('then exit code 3 with a diagnosis; 0: no limit.');
      expect(words).toContain('unknownVehicle, noPeriod, ');
      expect(words).toContain('--vehicle_ids=1,2');
    },
  );

  it('of the program is shown with exit code 2 when there is no command', async () => {
    const { exitCode, out, error } = await run('');
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(error).toMatch(/^Usage: hlc-middleware /);
  });
});

describe('hlc-middleware', () => {
  it('--version prints the version', async () => {
    expect(await run('--version')).toMatchObject({ exitCode: 0, out: '1.2.3\n', error: '' });
  });

  it('config schema prints a JSON schema', async () => {
    const { exitCode, out } = await run('config schema');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it('config flags prints the reference of the flags', async () => {
    expect((await run('config flags')).out).toMatch(/^# Flags of `hlc-middleware run`\n/);
  });

  it.each([
    ['rnu', "unknown command 'rnu' (Did you mean run?)"],
    ['config shema', "unknown command 'shema' (Did you mean schema?)"],
    ['config flags --all', "unknown option '--all'"],
    ['-x', "unknown option '-x'"],
    ['run-until', "missing required argument 'ns'"],
    ['step 1 2', "too many arguments for 'step'. Expected 1 argument but got 2"],
    ['status --node_id=a', "unknown option '--node_id=a' (Did you mean --node-id?)"],
    [
      'qos check a.xml --side=x',
      "option '--side <side>' argument 'x' is invalid. Allowed choices are lab, controller",
    ],
  ])('%s is refused in one sentence', async (commandLine, cause) => {
    expect(await run(commandLine)).toMatchObject({
      exitCode: 2,
      out: '',
      error: `hlc-middleware: The command line is not understood: ${cause}; "hlc-middleware --help" lists the commands. [HLC_CONFIG_COMMAND]\n`,
    });
  });
});
