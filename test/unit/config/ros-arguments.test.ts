import { describe, expect, it } from 'vitest';
import type { RunConfig } from '../../../src/config/index.js';
import { parseArguments, refusalOf, type Surroundings } from './parse.js';

const parseRos = (
  ros: readonly string[],
  flags: readonly string[] = ['--period-ms=50'],
  surroundings: Surroundings = {},
): RunConfig => parseArguments([...flags, '--ros-args', ...ros], surroundings);

/** A parameter file as `ros2 launch` writes it for a node with this key. */
const paramsFile = (key: string, lines: string): Surroundings => ({
  files: { 'p.yaml': `${key}:\n  ros__parameters:\n    ${lines}\n` },
});
const fromFile = ['--params-file', 'p.yaml'];

describe('the arguments after --ros-args', () => {
  it('are kept for rcl, and end with -- or the line', () => {
    const argv = ['--ros-args', '-r', 'a:=b', '--', '--period-ms=50', '--ros-args', '-e', '/x'];
    const config = parseArguments(argv);
    expect(config.sides.ros.arguments).toEqual(['--ros-args', '-r', 'a:=b', '-e', '/x']);
    expect(config.session.periodNs).toBe(50_000_000n);
    expect(parseArguments(['--period-ms=50', '--ros-args']).sides.ros.arguments).toEqual([]);
  });

  it('are kept for rcl without parameters, of which rclnodejs cannot read all', () => {
    const ros = ['-r', 'a:=b', '-p', 'vehicle_ids:=[1,2]', '--params-file', 'p.yaml', '-e', '/x'];
    const config = parseRos(ros, undefined, paramsFile('/**', 'period_ms: 50'));
    expect(config.sides.ros.arguments).toEqual(['--ros-args', '-r', 'a:=b', '-e', '/x']);
    expect(config.session.vehicleIds).toEqual([1, 2]);
    expect(parseRos(['-p', 'vehicle_ids:=[1,2]']).sides.ros.arguments).toEqual([]);
  });

  it.each<[string[], string[], RunConfig['sides']['ros']['node']]>([
    [[], [], { namespace: '/', name: 'middleware' }],
    [['--node-id=lab 1'], [], { namespace: '/', name: 'lab_1' }],
    [['--node-id=1'], [], { namespace: '/', name: '_1' }],
    [[], ['-r', '__ns:=/lab', '--remap', '__node:=mw'], { namespace: '/lab', name: 'mw' }],
    [[], ['-r', 'middleware:__node:=mw'], { namespace: '/', name: 'mw' }],
    [[], ['-r', 'other:__node:=mw'], { namespace: '/', name: 'middleware' }],
    [[], ['-r', '__name:=mw'], { namespace: '/', name: 'mw' }],
    [[], ['-r', '__node:=mw', '-r', 'mw:__ns:=/a'], { namespace: '/a', name: 'mw' }],
    [[], ['-r', '__node:=mw', '-r', 'middleware:__ns:=/a'], { namespace: '/', name: 'mw' }],
    [[], ['-p', 'node_id:=from parameter'], { namespace: '/', name: 'from_parameter' }],
    [[], ['-r', '__node:=first', '-r', '__node:=second'], { namespace: '/', name: 'first' }],
  ])('with the flags %j and the rules %j name the node', (flags, ros, node) => {
    expect(parseRos(ros, ['--period-ms=50', ...flags]).sides.ros.node).toEqual(node);
  });
});

describe('the remap rules for topics', () => {
  // In the namespace /lab, where the node is mw. All of it as rcl 9.2 resolves names.
  it.each<[string, RunConfig['sides']['ros']['topicRemaps']]>([
    ['starts:=/x', [{ from: '/lab/starts', to: '/x' }]],
    ['starts:=x/y', [{ from: '/lab/starts', to: '/lab/x/y' }]],
    ['/starts:=~/x', [{ from: '/starts', to: '/lab/mw/x' }]],
    ['~/starts:=x', [{ from: '/lab/mw/starts', to: '/lab/x' }]],
    ['mw:starts:=/x', [{ from: '/lab/starts', to: '/x' }]],
    ['middleware:starts:=/x', []],
    ['rostopic://starts:=/x', [{ from: '/lab/starts', to: '/x' }]],
    ['mw:rostopic:///lab/starts:=/x', [{ from: '/lab/starts', to: '/x' }]],
    ['rosservice://starts:=/x', []],
  ])('take %s for names in full', (rule, expected) => {
    const ros = ['-r', '__ns:=/lab', '--remap', rule, '-r', '__node:=mw'];
    expect(parseRos(ros).sides.ros.topicRemaps).toEqual(expected);
  });

  it('keep their order', () => {
    const { topicRemaps } = parseRos(['-r', 'a:=/x', '-r', 'a:=/y']).sides.ros;
    expect(topicRemaps.map(({ to }) => to)).toEqual(['/x', '/y']);
  });

  it.each([
    '__ns:=lab',
    '__ns:=/lab/',
    '__ns:=/9lab',
    '__node:=/x',
    '__node:=a-b',
    '__foo:=/x',
    'a:=',
    'a',
    'a:=/x/',
    'a:=x y',
    'a:=9x',
    'a:=/a__b',
    'a:=~',
    'x:y:z:=/w',
    '*:=/x',
    '',
  ])('and for the node are refused when they read "%s", as by rcl', (rule) => {
    const { code, sentence } = refusalOf(() => parseRos(['-r', rule]));
    expect(code).toBe('HLC_CONFIG_ROS_ARGUMENT');
    expect(sentence).toContain(`"-r ${rule}"`);
  });
});

describe('a parameter of ROS 2', () => {
  it.each<[string, object]>([
    ['period_ms:=20', { session: { periodNs: 20_000_000n } }],
    ['period_ms:=12.5', { session: { periodNs: 12_500_000n } }],
    ['vehicle_ids:=[1, 2]', { session: { vehicleIds: [1, 2] } }],
    ['vehicle_ids:="1,2"', { session: { vehicleIds: [1, 2] } }],
    ['simulated_time:=true', { session: { time: { mode: 'simulated' } } }],
    ['middleware:node_id:=x', { nodeId: 'x' }],
    ['/middleware:node_id:=x', { nodeId: 'x' }],
    ['/other:node_id:=x', { nodeId: 'middleware' }],
  ])('-p %s sets the option', (rule, expected) => {
    const flags = rule.startsWith('period') ? [] : ['--period-ms=50'];
    expect(parseRos(['-p', rule], flags)).toMatchObject(expected);
  });

  it.each([
    ['/**', true],
    ['/*', false],
    ['/lab/*', true],
    ['/lab/**', true],
    ['/lab/mw', true],
    ['lab/mw', true],
    ['/lab/**/mw', true],
    ['mw', false],
    ['/lab/other', false],
    ['/lab/mwx', false],
    ['/lab.mw', false],
  ])('in a file is looked for under "%s", as a launch file writes it', (key, found) => {
    const names = ['-r', '__ns:=/lab', '-r', '__node:=mw'];
    const surroundings = paramsFile(`"${key}"`, 'vehicle_ids: [3, 4]');
    const config = parseRos([...names, ...fromFile], undefined, surroundings);
    expect(config.session.vehicleIds).toEqual(found ? [3, 4] : [1]);
  });

  it('is found below the parts of the name of a node, too', () => {
    const files = { 'p.yaml': 'lab:\n  mw:\n    ros__parameters:\n      vehicle_ids: [7]\n' };
    const names = ['-r', '__ns:=/lab', '-r', '__node:=mw'];
    const { session } = parseRos([...names, ...fromFile], undefined, { files });
    expect(session.vehicleIds).toEqual([7]);
  });

  it('counts after a flag and before a variable; the last one holds', () => {
    const environment = { HLC_MIDDLEWARE_NODE_ID: 'from-variable' };
    const rules = ['-p', 'node_id:=first', '-p', 'node_id:=last'];
    expect(parseRos(rules, undefined, { environment }).nodeId).toBe('last');
    expect(parseRos(rules, ['--period-ms=50', '--node-id=flag']).nodeId).toBe('flag');
  });

  it('use_sim_time is reported', () => {
    expect(parseRos([]).sides.ros.useSimTime).toBe(false);
    expect(parseRos(['-p', 'use_sim_time:=true']).sides.ros.useSimTime).toBe(true);
    expect(parseRos(['-p', 'use_sim_time:=false']).sides.ros.useSimTime).toBe(false);
  });

  it('start_type_description_service is reported', () => {
    expect(parseRos([]).sides.ros.startTypeDescription).toBe(true);
    const { startTypeDescription } = parseRos(['-p', 'start_type_description_service:=false']).sides
      .ros;
    expect(startTypeDescription).toBe(false);
  });

  it('for an override of QoS is refused, and named with the flag that does it', () => {
    const rule = 'qos_overrides./vehicle_state_list.publisher.depth:=3';
    const { code, sentence } = refusalOf(() => parseRos(['-p', rule]));
    expect(code).toBe('HLC_CONFIG_ROS_ARGUMENT');
    expect(sentence).toContain('--qos-file');
    const forAll = paramsFile('/**', 'qos_overrides./vehicle_state_list.subscription.depth: 3');
    expect(parseRos(fromFile, undefined, forAll).session.vehicleIds).toEqual([1]);
  });

  it.each(['use_sim_time:=7', 'start_type_description_service:=maybe'])('%s is refused', (rule) => {
    const { code, sentence } = refusalOf(() => parseRos(['-p', rule]));
    expect(code).toBe('HLC_CONFIG_ROS_ARGUMENT');
    expect(sentence).toContain('true or false');
  });

  it('with an unknown name is refused, unless it is meant for other nodes, too', () => {
    expect(refusalOf(() => parseRos(['-p', 'perod_ms:=5']))).toEqual({
      code: 'HLC_CONFIG_UNKNOWN_NAME',
      sentence:
        'Unknown ROS parameter "perod_ms"; did you mean "period_ms"? "hlc-middleware run --help" lists all names.',
    });
    const everywhere = paramsFile('/**', 'of_another_node: 5');
    expect(parseRos(fromFile, undefined, everywhere).session.periodNs).toBe(50_000_000n);
    const here = paramsFile('/middleware', 'of_another_node: 5');
    expect(refusalOf(() => parseRos(fromFile, undefined, here)).code).toBe(
      'HLC_CONFIG_UNKNOWN_NAME',
    );
  });

  it('with a bad value is refused by its name', () => {
    expect(refusalOf(() => parseRos(['-p', 'dds_domain:=300'])).sentence).toBe(
      'The value "300" of ROS parameter dds_domain is refused: it must be a whole number from 0 to 232.',
    );
  });

  it.each([
    ['-p', 'period_ms', 'it must read name:=value'],
    ['-p', 'vehicle_ids:={a: 1}', 'it must have a value or a list of values'],
    ['-p', 'vehicle_ids:=[1', ''],
    ['--params-file', 'missing.yaml', 'ENOENT'],
  ])('that cannot be read (%s %s) is refused', (argument, value, cause) => {
    const { code, sentence } = refusalOf(() => parseRos([argument, value]));
    expect(code).toBe('HLC_CONFIG_ROS_ARGUMENT');
    expect(sentence).toContain(`The ROS argument "${argument} ${value}`.slice(0, 30));
    expect(sentence).toContain(cause);
  });

  it.each(['- a', 'a: [1', '/middleware: 5'])('file that reads "%s" is refused', (text) => {
    const files = { 'p.yaml': text };
    expect(refusalOf(() => parseRos(fromFile, undefined, { files })).code).toBe(
      'HLC_CONFIG_ROS_ARGUMENT',
    );
  });
});

describe('the domain of the one side that is on ROS 2', () => {
  const environment = { ROS_DOMAIN_ID: '42' };

  it.each<[string[], object]>([
    [
      ['--controller-transport=ros2'],
      { sides: { lab: { domainId: 0 }, controller: { domainId: 42 } } },
    ],
    [['--lab-transport=ros2'], { sides: { lab: { domainId: 42 }, controller: { domainId: 1 } } }],
    [
      ['--controller-transport=ros2', '--domain-number=7'],
      { sides: { lab: { domainId: 0 }, controller: { domainId: 7 } } },
    ],
    [['--transport=ros2'], { sides: { lab: { domainId: 0 }, controller: { domainId: 1 } } }],
    [[], { sides: { lab: { domainId: 0 }, controller: { domainId: 1 } } }],
  ])('with %j follows ROS_DOMAIN_ID where no flag names it', (flags, expected) => {
    expect(parseRos([], ['--period-ms=50', ...flags], { environment })).toMatchObject(expected);
  });
});

describe('a parameter file that ros2 param dump wrote', () => {
  it('gives nothing for a parameter that is not set', () => {
    const file = paramsFile('/middleware', 'periods: null\n    config: null\n    period_ms: 20.0');
    const { periods, periodNs } = parseRos(fromFile, [], file).session;
    expect([periods, periodNs]).toEqual([null, 20_000_000n]);
  });
});

describe('use_sim_time', () => {
  const simTime = ['-p', 'use_sim_time:=true'];
  const onRos = ['--period-ms=50', '--controller-transport=ros2'];

  it('is refused in real time, which is not that of /clock', () => {
    expect(refusalOf(() => parseRos(simTime, onRos))).toEqual({
      code: 'HLC_ROS_SIM_TIME',
      sentence:
        'The parameter use_sim_time is true, but periods in real time follow the clock of this machine; add --simulated-time, or leave use_sim_time out.',
    });
  });

  it('has a meaning in simulated time from every source', () => {
    for (const source of ['lab', 'self']) {
      const flags = [...onRos, '--simulated-time', `--time-source=${source}`];
      expect(parseRos(simTime, flags).sides.ros.useSimTime).toBe(true);
    }
  });
});

describe('--autostart', () => {
  it('can be false where there is a node that others can drive', () => {
    const { autostart } = parseRos([], ['--controller-transport=ros2', '--autostart=false']);
    expect(autostart).toBe(false);
    expect(parseRos(['-p', 'autostart:=false'], ['--transport=ros2']).autostart).toBe(false);
  });

  it('is refused elsewhere', () => {
    expect(refusalOf(() => parseRos([], ['--autostart=false']))).toEqual({
      code: 'HLC_CONFIG_NEEDS',
      sentence: expect.stringContaining(
        '--lab-side=rclnodejs or --controller-side=rclnodejs',
      ) as string,
    });
  });
});
