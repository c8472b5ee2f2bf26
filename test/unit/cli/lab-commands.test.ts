import { describe, expect, it } from 'vitest';

import { run } from './run.js';

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
    ['gateway carla --lab-side=ros2', 'HLC_CONFIG_NOT_TAKEN', 'has no effect'],
    ['gateway carla --controller-side=both', 'HLC_CONFIG_NOT_SERVED', 'dds or ros2'],
    ['gateway cave --lab-side=ros2', 'HLC_CONFIG_NOT_TAKEN', 'has no effect'],
    ['gateway synchrono --lab-side=ros2', 'HLC_CONFIG_NOT_TAKEN', 'has no effect'],
    ['gateway dancers --lab --lab-side=ros2', 'HLC_CONFIG_NOT_SERVED', 'the value dds.'],
    ['gateway dancers --lab --controller-side=ros2', 'HLC_CONFIG_NOT_SERVED', 'the value dds.'],
    ['gateway dancers --ids=1,2', 'HLC_CONFIG_NEEDS', '--ids has an effect only with --lab'],
    ['gateway dancers --commands=velocity', 'HLC_CONFIG_NEEDS', '--commands has an effect'],
    ['gateway dancers --participants=2', 'HLC_CONFIG_NEEDS', '--participants has an effect'],
    ['gateway dancers --visibility=neighbors', 'HLC_CONFIG_NEEDS', '--visibility has an effect'],
    ['gateway dancers --controller-domains=1:11', 'HLC_CONFIG_NEEDS', '--controller-domains has'],
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

  it.each(['gateway carla', 'gateway cave', 'gateway synchrono'])(
    '%s is refused when the environment gives the lab side the names of ROS 2',
    async (command) => {
      const environment = { HLC_MIDDLEWARE_LAB_SIDE: 'ros2' };
      const { exitCode, error } = await run(command, { environment });
      expect(exitCode).toBe(2);
      expect(error).toContain('[HLC_CONFIG_NOT_SERVED]');
      expect(error).toContain('the value dds.');
    },
  );

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

describe('hlc-middleware drive', () => {
  it('drives the vehicles of the flags', async () => {
    const outcome = await run('drive --vehicle-ids=4 --domain-number=7 --track=circle');
    expect(outcome.configs).toMatchObject([
      { session: { vehicleIds: [4] }, sides: { controller: { domainId: 7 } } },
    ]);
    expect(outcome.labs).toEqual([{ track: 'circle' }]);
  });
});
