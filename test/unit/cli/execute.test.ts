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
        'hlc-middleware: The program met an error that it does not know (x is not a function); set HLC_MIDDLEWARE_DEBUG=1 to see where, and please report it. [HLC_UNEXPECTED]\n',
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

describe('hlc-middleware play', () => {
  it('needs no lab, and ends by itself', async () => {
    const outcome = await run('play');
    expect(outcome.configs).toMatchObject([
      {
        session: {
          time: { waitForStart: false },
          periodNs: 50_000_000n,
          vehicleIds: [1, 2, 3],
          periods: 200,
        },
      },
    ]);
    expect(outcome.labs).toEqual([
      {
        track: 'oval',
        seed: 1,
        loss: 0,
        delayMs: 0n,
        stateNoise: 0,
        controllers: 'example',
        own: undefined,
        page: false,
      },
    ]);
  });

  it('names the flags that npm has taken from "npm start"', async () => {
    const npm = { npm_lifecycle_event: 'start', npm_config_own: '1', npm_config_cache: '/root' };
    const environment = { ...npm, npm_config_simulated_time: 'true', npm_config_guard: '' };
    const { error, configs } = await run('play --page', { environment });
    expect(error).toContain('write "npm start -- --own=1 --simulated-time=true --guard=false"');
    expect(configs).toHaveLength(1);
    const test = { ...environment, npm_lifecycle_event: 'test' };
    expect((await run('play --page', { environment: test })).error).toBe('');
  });

  it('has flags of its own beside those of run, in either spelling', async () => {
    const { configs, labs } = await run(
      'play --track figure-eight --vehicle-amount=5 --delay_ms=2.5 --loss=0.1 --simulated-time --state-noise 0.02',
    );
    expect(configs).toMatchObject([
      { session: { vehicleIds: [1, 2, 3, 4, 5], time: { mode: 'simulated' } } },
    ]);
    expect(labs).toMatchObject([
      { track: 'figure-eight', delayMs: 2_500_000n, loss: 0.1, stateNoise: 0.02 },
    ]);
  });

  it.each([
    'play --own=2',
    'play --controllers=none',
    'play --controllers=none --controller-naming=ros2',
  ])('goes on until it is ended when the user has a controller: %s', async (commandLine) => {
    const { configs } = await run(commandLine);
    expect(configs).toHaveLength(1);
    expect(configs[0]?.session.periods).toBeNull();
  });

  it.each([
    ['play --simulated-time --time-source=self', 'HLC_CONFIG_NOT_SERVED', '"play"'],
    ['play --lab-side=rclnodejs', 'HLC_CONFIG_NOT_SERVED', '--lab-side=ros2'],
    ['fleet --lab-side=rclnodejs', 'HLC_CONFIG_NOT_SERVED', '--lab-side=ros2'],
    ['drive --controller-side=rclnodejs', 'HLC_CONFIG_NOT_SERVED', '--controller-side=ros2'],
    ['gateway carla --lab-side=ros2', 'HLC_CONFIG_NOT_SERVED', '--lab-side=ros2'],
    ['gateway carla --controller-side=both', 'HLC_CONFIG_NOT_SERVED', 'dds or ros2'],
    ['gateway cave --lab-side=ros2', 'HLC_CONFIG_NOT_SERVED', 'the value dds.'],
    ['gateway synchrono --lab-side=ros2', 'HLC_CONFIG_NOT_SERVED', 'the value dds.'],
    ['gateway dancers --lab --lab-side=ros2', 'HLC_CONFIG_NOT_SERVED', 'the value dds.'],
    ['gateway dancers --lab --controller-side=ros2', 'HLC_CONFIG_NOT_SERVED', 'the value dds.'],
    ['play --controller-naming=ros2 --own=1', 'HLC_CONFIG_NOT_SERVED', '--controllers=none'],
    ['play --own=4', 'HLC_CONFIG_VALUE', 'which are 1,2,3'],
    ['play --track=ovall', 'HLC_CONFIG_VALUE', 'did you mean oval?'],
    ['play --trak=oval', 'HLC_CONFIG_UNKNOWN_NAME', 'did you mean --track?'],
    ['play --perriod-ms=5', 'HLC_CONFIG_UNKNOWN_NAME', 'did you mean --period-ms?'],
    ['fleet --loss', 'HLC_CONFIG_NO_VALUE', '0 to 1'],
    ['fleet --loss=1.5', 'HLC_CONFIG_VALUE', '"1.5" of --loss'],
    ['fleet --loss=0.5 --loss=0.6', 'HLC_CONFIG_CONFLICT', '--loss=0.6'],
    ['fleet --own=1', 'HLC_CONFIG_UNKNOWN_NAME', '--own=1'],
    ['lab --period-ms=0.5', 'HLC_CONFIG_VALUE', 'a whole number of milliseconds'],
    ['lab --participants=-1', 'HLC_CONFIG_VALUE', '0 to 1000'],
    ['run --track=oval', 'HLC_CONFIG_UNKNOWN_NAME', '--track=oval'],
  ])('%s is refused as %s', async (commandLine, code, text) => {
    const { exitCode, error, configs } = await run(commandLine);
    expect({ exitCode, configs }).toEqual({ exitCode: 2, configs: [] });
    expect(error).toContain(`[${code}]`);
    expect(error).toContain(text);
  });

  it('lists its own flags in its help', async () => {
    const { out } = await run('play --help');
    expect(out.replace(/\s+/g, ' ')).toContain('--loss <number> Fraction of the states');
  });
});

describe('hlc-middleware fleet', () => {
  it('runs the vehicles of the flags', async () => {
    const outcome = await run('fleet --vehicle-ids=4,5 --dds-domain=7 --seed=9');
    expect(outcome).toMatchObject({ exitCode: 0, error: '' });
    expect(outcome.configs).toMatchObject([
      { session: { vehicleIds: [4, 5] }, sides: { lab: { domainId: 7 } } },
    ]);
    expect(outcome.labs).toMatchObject([{ seed: 9, track: 'oval' }]);
  });
});

describe('hlc-middleware lab', () => {
  it('runs a lab control on the domain and with the parameters of the flags', async () => {
    const outcome = await run('lab --dds-domain=1 --vehicle-ids=4,5 --simulated-time');
    expect(outcome).toMatchObject({ exitCode: 0, error: '' });
    expect(outcome.configs).toMatchObject([
      {
        session: { vehicleIds: [4, 5], periodNs: 50_000_000n, time: { mode: 'simulated' } },
        sides: { lab: { domainId: 1 } },
      },
    ]);
    expect(outcome.labs).toEqual([{ participants: 1 }]);
  });
});

describe('hlc-middleware check', () => {
  it('needs neither a lab nor a period, and says how it ended', async () => {
    const outcome = await run('check --vehicle-ids=3 --domain-number=0');
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

  it.each(['check -- my --flag=1 -- x', 'check --json --period-ms=20 -- my --flag=1 -- x'])(
    'leaves alone what stands after the first --: %s',
    async (commandLine) => {
      const { labs, error } = await run(commandLine);
      expect(error).toBe('');
      expect(labs).toMatchObject([{ command: ['my', '--flag=1', '--', 'x'] }]);
    },
  );

  it('prints JSON with --json', async () => {
    expect(JSON.parse((await run('check --json')).out)).toMatchObject({ domain: 1, rules: [] });
  });

  it('is refused with a wrong flag before it starts anything', async () => {
    const { exitCode, labs, error } = await run('check --sead=1');
    expect({ exitCode, labs }).toEqual({ exitCode: 2, labs: [] });
    expect(error).toContain('did you mean --seed?');
  });
});

describe('hlc-middleware drive', () => {
  it('drives the vehicles of the flags', async () => {
    const outcome = await run('drive --vehicle-ids=4 --domain-number=7 --track=circle');
    expect(outcome.configs).toMatchObject([
      { session: { vehicleIds: [4] }, sides: { controller: { domainId: 7 } } },
    ]);
    expect(outcome.labs).toEqual([{ track: 'circle' }]);
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
