import { LifeCycle, type LifecycleWork } from '../../../../src/core/index.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { HlcError } from '../../../../src/errors/index.js';
import {
  Parameters,
  fullNameOf,
  namesakesOf,
  offerControl,
  offerLifecycle,
  offerParameters,
} from '../../../../src/ros2/index.js';
import { FakeRclnodejs } from '../../../support/fake-rclnodejs.js';
import { openNode, type OpenedNode } from './face-on-fake.js';

let ros: FakeRclnodejs;
let opened: OpenedNode;

beforeEach(async () => {
  ros = new FakeRclnodejs();
  opened = await openNode(ros);
});

const works: LifecycleWork = {
  configure: () => 'success',
  cleanup: () => 'success',
  activate: () => 'failure',
  deactivate: () => 'success',
  shutdown: () => 'success',
  recover: () => 'success',
};

function livingNode(): LifeCycle {
  const life = new LifeCycle(works, {
    onTransition: (transition) => publish(transition),
    onFault: () => undefined,
  });
  const publish = offerLifecycle(opened.handle, life);
  return life;
}

const changeState = (label: string, id = 0) =>
  opened.node.call('~/change_state', { transition: { id, label } });

describe('the services of the life cycle', () => {
  it('carry the node from state to state, and answer with the result', async () => {
    const life = livingNode();
    expect(await changeState('configure')).toEqual({ success: true });
    expect(life.state).toBe('inactive');
    expect(await changeState('', 3)).toEqual({ success: false });
    expect(life.state).toBe('inactive');
    expect(await changeState('deactivate')).toEqual({ success: false });
    expect(await changeState('nonsense')).toEqual({ success: false });
  });

  it('give the state, all states, and the transitions from this one and from any', async () => {
    livingNode();
    const { node } = opened;
    expect(await node.call('~/get_state', {})).toEqual({
      current_state: { id: 1, label: 'unconfigured' },
    });
    const states = await node.call('~/get_available_states', {});
    expect(states?.available_states).toHaveLength(11);
    expect(await node.call('~/get_available_transitions', {})).toEqual({
      available_transitions: [
        {
          transition: { id: 1, label: 'configure' },
          start_state: { id: 1, label: 'unconfigured' },
          goal_state: { id: 10, label: 'configuring' },
        },
        {
          transition: { id: 5, label: 'shutdown' },
          start_state: { id: 1, label: 'unconfigured' },
          goal_state: { id: 12, label: 'shuttingdown' },
        },
      ],
    });
    const graph = await node.call('~/get_transition_graph', {});
    expect(graph?.available_transitions).toHaveLength(25);
  });

  it('announce every arrow', async () => {
    livingNode();
    await changeState('configure');
    expect(opened.node.sentTo('~/transition_event')).toHaveLength(2);
  });
});

describe('the services of the parameters', () => {
  beforeEach(() => {
    const entry = {
      name: 'period_ms',
      type: 'double' as const,
      value: 50,
      description: 'a',
      constraints: 'b',
    };
    offerParameters(opened.handle, new Parameters([entry]));
  });

  it.each([
    ['list_parameters', { prefixes: [] }, { result: { names: ['period_ms'], prefixes: [] } }],
    ['get_parameters', { names: ['period_ms'] }, { values: [{ type: 3, double_value: 50 }] }],
    ['get_parameter_types', { names: ['period_ms'] }, { types: [3] }],
  ])('answer %s', async (name, request, answer) => {
    expect(await opened.node.call(`~/${name}`, request)).toEqual(answer);
  });

  it('describe and refuse to set', async () => {
    const { node } = opened;
    const described = await node.call('~/describe_parameters', { names: ['period_ms'] });
    expect(described?.descriptors).toEqual([expect.objectContaining({ read_only: true })]);
    const parameters = [{ name: 'period_ms', value: { type: 3, double_value: 20 } }];
    const refused = expect.objectContaining({ successful: false }) as unknown;
    expect(await node.call('~/set_parameters', { parameters })).toEqual({ results: [refused] });
    expect(await node.call('~/set_parameters_atomically', { parameters })).toEqual({
      result: refused,
    });
  });

  it('are those of this program alone', () => {
    expect(opened.node.options.startParameterServices).toBe(false);
  });
});

describe('the services that steer the session', () => {
  it('pass requests on, and answer with how things stand or why not', async () => {
    offerControl(opened.handle, {
      pause: () => 'paused',
      resume: () => {
        throw new HlcError('HLC_CONTROL_NOT_BACK', { ids: [4] });
      },
      step: (count) => `${count} steps`,
      runUntil: (timeNs) => `until ${timeNs}`,
    });
    const { node } = opened;
    expect(await node.call('~/pause', {})).toEqual({ success: true, message: 'paused' });
    expect(await node.call('~/step', { count: 3 })).toEqual({ success: true, message: '3 steps' });
    expect(await node.call('~/run_until', { time_ns: 2n ** 40n })).toEqual({
      success: true,
      message: `until ${2 ** 40}`,
    });
    expect(await node.call('~/resume', {})).toMatchObject({
      success: false,
      message: expect.stringMatching(/^Controller 4 cannot be resumed/) as string,
    });
    expect(opened.faults).toEqual([]);
  });

  it('answer for a fault in this program, too, which is reported', async () => {
    const broken = new Error('broken');
    offerControl(opened.handle, {
      pause: () => {
        throw broken;
      },
      resume: () => '',
      step: () => '',
      runUntil: () => '',
    });
    const answer = await opened.node.call('~/pause', {});
    expect(answer).toEqual({ success: false, message: 'broken' });
    expect(opened.faults).toEqual([broken]);
  });
});

describe('a service', () => {
  it('whose answer throws ends nothing', async () => {
    const broken = new Parameters([]);
    broken.get = () => {
      throw new Error('broken');
    };
    offerParameters(opened.handle, broken);
    expect(await opened.node.call('~/get_parameters', { names: [] })).toBeUndefined();
    expect(opened.faults).toEqual([new Error('broken')]);
  });

  it('answers no request once the node is closed', async () => {
    livingNode();
    opened.close();
    expect(await opened.node.call('~/get_state', {})).toBeUndefined();
    expect(opened.faults).toEqual([]);
  });

  it('of a type that is not there is refused with one sentence that names the package', () => {
    ros.missingInterfaces.add('std_srvs/srv/Trigger');
    const nothing = () => '';
    const offer = () =>
      offerControl(opened.handle, {
        pause: nothing,
        resume: nothing,
        step: nothing,
        runUntil: nothing,
      });
    expect(offer).toThrow(
      'The ROS 2 type std_srvs/srv/Trigger cannot be found (The message required does not exist: std_srvs/srv/Trigger); install the package std_srvs (hlc_middleware_msgs is built with colcon), source it and start again.',
    );
  });
});

describe('a node', () => {
  it('knows its full name, and how many others have it', () => {
    expect(fullNameOf(opened.handle)).toBe('/middleware');
    expect(namesakesOf(opened.handle)).toBe(0);
    ros.otherNodes.push({ name: 'middleware', namespace: '/lab' });
    expect(namesakesOf(opened.handle)).toBe(0);
    ros.otherNodes.push({ name: 'middleware', namespace: '/' });
    expect(namesakesOf(opened.handle)).toBe(1);
  });
});
