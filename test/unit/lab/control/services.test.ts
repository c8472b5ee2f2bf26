import { afterEach, describe, expect, it } from 'vitest';
import { createLabControl } from '../../../../src/lab/control/lab-control.js';
import { middlewareParameters } from '../../../../src/lab/control/parameters.js';
import { topics } from '../../../../src/messages/index.js';
import { closeLabs, lasting, openNetwork, openRealTime, reliable, t } from './network.js';

afterEach(closeLabs);

describe('the parameter server of the lab control', () => {
  it('answers by name, and not to names that it does not know', async () => {
    const { send, listen, eventsOf } = openRealTime({ parameters: middlewareParameters(50n, [1]) });
    const answers = listen(topics.parameter);
    await send(topics.parameterRequest, { name: 'middleware_period_ms' });
    await send(topics.parameterRequest, { name: 'active_vehicle_ids' });
    await send(topics.parameterRequest, { name: 'unknown' });
    expect(
      answers.map(({ name, value_uint64_t, values_int32 }) => [name, value_uint64_t, values_int32]),
    ).toEqual([
      ['middleware_period_ms', 50n, []],
      ['active_vehicle_ids', 0n, [1]],
    ]);
    expect(eventsOf('parameter-request').map(({ answered }) => answered)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('answers no more once it is closed', async () => {
    const { lab, send, listen } = openRealTime({
      parameters: { p: { type: 'bool', value: true } },
    });
    const answers = listen(topics.parameter);
    await send(topics.parameterRequest, { name: 'p' });
    expect(answers).toHaveLength(1);
    lab.close();
    await send(topics.parameterRequest, { name: 'p' });
    expect(answers).toHaveLength(1);
  });

  it('publishes a parameter that is set, as the lab does', async () => {
    const { lab, listen, network, send } = openRealTime();
    const answers = listen(topics.parameter);
    lab.setParameter('p', { type: 'string', value: 'not a number' });
    await network.idle();
    await send(topics.parameterRequest, { name: 'p' });
    expect(answers.map(({ value_string }) => value_string)).toEqual([
      'not a number',
      'not a number',
    ]);
  });

  it('refuses a value that does not fit its type before anything is opened for long', () => {
    const { options, labSide, side } = openNetwork();
    const parameters = { p: { type: 'uint64', value: -1n } } as const;
    expect(() => createLabControl({ ...options, parameters })).toThrow(RangeError);
    const log = side.createWriter(topics.log, reliable);
    expect(log.matchedReaders).toBe(0);
    labSide.close();
  });
});

describe('the log of the lab control', () => {
  const entry = (content: string, log_level: number) => ({
    id: 'middleware',
    content,
    stamp: { nanoseconds: t },
    log_level,
  });

  it('reports the entries of all programs', async () => {
    const { send, eventsOf } = openRealTime();
    await send(topics.log, entry('first', 1));
    await send(topics.log, entry('second', 2));
    expect(eventsOf('log').map((event) => event.entry)).toEqual([
      entry('first', 1),
      entry('second', 2),
    ]);
  });

  it('publishes the log level also for programs that start later, and none before it is set', async () => {
    const { lab, listen, network } = openRealTime();
    const early = listen(topics.logLevel, lasting);
    await network.idle();
    expect(early).toEqual([]);
    lab.setLogLevel(3);
    await network.idle();
    const late = listen(topics.logLevel, lasting);
    await network.idle();
    expect([early, late]).toEqual([[{ log_level: 3 }], [{ log_level: 3 }]]);
    expect(() => lab.setLogLevel(-1)).toThrow(RangeError);
  });
});

describe('the goal states of the lab control', () => {
  const goal = (planning_problem_id: number) => ({
    ...topics.commonroad_dds_goal_states.codec.zero(),
    planning_problem_id,
  });

  it('reach programs that start later, without those that were taken back', async () => {
    const { lab, listen, network } = openRealTime();
    lab.setGoalStates([goal(1)]);
    lab.setGoalStates([goal(2), goal(3)]);
    const goals = listen(topics.commonroad_dds_goal_states, lasting);
    await network.idle();
    expect(goals.map((g) => g.planning_problem_id)).toEqual([2, 3]);
  });
});
