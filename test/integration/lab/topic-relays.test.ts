import { describe, expect, it } from 'vitest';
import { createController } from '../../../src/controller/index.js';
import type { QosPolicies } from '../../../src/ports/index.js';
import { topics, type CommonroadDDSGoalState } from '../../../src/messages/index.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { Recorder } from '../../support/recorder.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { TopicRecorder } from '../../support/topic-recorder.js';
import { TopicSource } from '../../support/topic-source.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;
const keepAll = { kind: 'keep-all' } as const;
const bestEffort: QosPolicies = {
  reliability: { kind: 'best-effort' },
  history: keepAll,
};
const lasting: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: keepAll,
  durabilityService: { history: keepAll },
};

/** A goal state with values in every part of it. */
function goalState(problem: number, position: number): CommonroadDDSGoalState {
  const point = { x: problem + 0.25, y: -position };
  return {
    ...topics.commonroad_dds_goal_states.codec.zero(),
    planning_problem_id: problem,
    goal_state_pos: position,
    time_set: true,
    time: { interval_start: position, interval_end: position + 0.5 },
    position: {
      circles: [{ center: point, radius: 1.5 }],
      polygons: [{ points: [point, point] }],
      rectangles: [{ length: 1, width: 2, center: point, orientation: 0.1 }],
      lanelet_refs: [problem, -1],
    },
  };
}

describe('the middleware passes on', () => {
  it('every system trigger to the controllers, also before they are ready and while it runs', async () => {
    const lab = openOriginalLab();
    const triggers = new TopicSource(lab.joinLab(), topics.systemTrigger);
    const controller = lab.controller({ ids: [1, 2] });
    // The C++ controllers of the lab read triggers best effort, those in MATLAB reliably.
    const old = new TopicRecorder(lab.join(), topics.systemTrigger, {
      reliability: { kind: 'best-effort' },
      history: { kind: 'keep-last', depth: 1 },
    });
    const middleware = lab.startMiddleware('--vehicle_ids=1,2', '--period_ms=50');
    await Promise.all([triggers.untilReadBy(1), old.untilMatched()]);
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    const sent: bigint[] = [];
    const send = async (nanoseconds: bigint) => {
      triggers.write({ next_start: { nanoseconds } });
      sent.push(nanoseconds);
      await controller.triggers.untilCount(sent.length);
    };
    await send(0x0123_4567_89ab_cdefn);
    await send(1n);
    controller.signIn('hlc_2');
    await controller.startSignals.untilCount(2);
    await send(2n);
    await send(2n);
    await send(stopSymbol);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.triggers.items).toEqual(sent);
    const oldHeard = old.samples.map(({ next_start }) => next_start.nanoseconds);
    expect(oldHeard.at(-1)).toBe(stopSymbol);
  });

  it('goal states when all controllers are ready, in order, then at once, and all of them to who comes later', async () => {
    const lab = openOriginalLab();
    const { control } = lab.realTimeControl();
    const before = [goalState(2, 0), goalState(1, 1), goalState(1, 0)];
    control.setGoalStates(before);
    const goals = new TopicRecorder(lab.join(), topics.commonroad_dds_goal_states, lasting);
    const nextGoals = new TopicSource(lab.joinLab(), topics.commonroad_dds_goal_states, lasting);
    const triggers = new TopicSource(lab.joinLab(), topics.systemTrigger);
    const controller = lab.controller({ ids: [1, 2] });
    const middleware = lab.startMiddleware('--vehicle_ids=1,2', '--period_ms=50');
    await Promise.all([goals.untilMatched(), nextGoals.untilReadBy(1), triggers.untilReadBy(1)]);
    const meanwhile = goalState(3, 0);
    nextGoals.write(meanwhile);
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    // The trigger comes later than the goal states, and is passed on.
    triggers.write({ next_start: { nanoseconds: 1n } });
    await controller.triggers.untilCount(1);
    expect(goals.samples).toEqual([]);

    controller.signIn('hlc_2');
    await goals.messages.untilCount(4);
    expect(goals.samples.filter(({ planning_problem_id }) => planning_problem_id < 3)).toEqual(
      before,
    );
    expect(goals.samples).toContainEqual(meanwhile);

    const direct = [goalState(3, 0), goalState(1, 1), goalState(4, 0)];
    for (const goal of direct) nextGoals.write(goal);
    await goals.messages.untilCount(7);
    expect(goals.samples.slice(4)).toEqual(direct);
    const late = new TopicRecorder(lab.join(), topics.commonroad_dds_goal_states, lasting);
    await late.messages.untilCount(7);
    const sorted = (items: readonly CommonroadDDSGoalState[]) =>
      items.map((goal) => `${goal.planning_problem_id} ${goal.goal_state_pos}`).sort();
    expect(sorted(late.samples)).toEqual(sorted(goals.samples));
  });

  it('the stop request of a controller to the lab control, which stops all', async () => {
    const lab = openOriginalLab();
    const { control, events, met, signedIn } = lab.realTimeControl();
    const middleware = lab.startMiddleware('--vehicle_ids=4,5', '--period_ms=50');
    await met();
    const steps = new Recorder<bigint>('steps of the controller');
    let stops = 0;
    const controller = createController({
      vehicleIds: [4, 5],
      transport: lab.join(),
      onStep: ({ tNowNs }) => {
        steps.add(tNowNs);
        return [4, 5].map((vehicle_id) => {
          return { kind: 'direct', vehicle_id, motor_throttle: 0, steering_servo: 0 } as const;
        });
      },
      onStop: () => {
        stops++;
      },
    });
    await signedIn('middleware');
    control.time.start(1n);
    await steps.untilCount(3);
    // One vehicle: what is on its way when all stops is lost.
    controller.requestStop([4]);

    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    await controller.closed;
    expect(stops).toBe(1);
    const asked = events.items.filter((event) => event.kind === 'stop-request');
    expect(asked.map(({ vehicleId }) => vehicleId)).toEqual([4]);
    expect(middleware.summary().commands_refused).toEqual({});
  });

  it('stop requests from best-effort writers, as those of the original controllers', async () => {
    const lab = openOriginalLab();
    const labSide = lab.joinLab();
    const requests = new TopicRecorder(labSide, topics.stopRequest);
    const { control, met } = lab.realTimeControl({ side: labSide });
    const side = lab.join();
    const old = new TopicSource(side, topics.stopRequest, bestEffort);
    const controller = new ScriptedController(side, { ids: [1] });
    const middleware = lab.startMiddleware('--vehicle_ids=1', '--period_ms=50');
    await met();
    // It would stop all at the first request, and what is on its way then is lost.
    control.close();
    controller.signIn();
    // Who knows the writer of the ready signal knows the writers that were made before it.
    await middleware.untilLogged('controller is ready');
    old.write({ vehicle_id: 255 });
    old.write({ vehicle_id: 0 });
    await requests.messages.untilCount(2);
    expect(requests.samples).toEqual([{ vehicle_id: 255 }, { vehicle_id: 0 }]);
  });
});

describe('the middleware answers', () => {
  it('round-trip questions under its node id, and says no hello of its own', async () => {
    const lab = openOriginalLab();
    const { control, met, signedIn } = lab.realTimeControl();
    const asker = lab.joinLab();
    const hellos = new TopicRecorder(asker, topics.hlc_hello);
    const trips = new TopicRecorder(asker, topics.round_trip_time, bestEffort);
    const questions = new TopicSource(asker, topics.round_trip_time, bestEffort);
    const triggers = new TopicSource(asker, topics.systemTrigger);
    const controller = lab.controller({ ids: [7] });
    lab.startMiddleware('--node_id=middleware_7', '--vehicle_ids=7', '--period_ms=50');
    // Nothing of what is best effort is lost when the middleware has received a trigger of each.
    await Promise.all([met('middleware_7'), triggers.untilReadBy(1), trips.untilMatched(3)]);
    controller.signIn();
    await signedIn('middleware_7');
    triggers.write({ next_start: { nanoseconds: 1n } });
    control.time.start(2n);
    await controller.triggers.untilCount(2);

    questions.write({ source_id: 'asker', is_answer: false, count: 200 });
    const answered = (count: number) =>
      trips.messages.until(
        ({ message }) => message.source_id === 'middleware_7' && message.count === count,
      );
    const { message } = await answered(200);
    expect(message.is_answer).toBe(true);
    expect(await control.askAll({ furtherAnswersNs: 50_000_000n })).toEqual(['middleware_7']);
    // An answer is no question, and no participant answers itself.
    questions.write({ source_id: 'asker', is_answer: true, count: 201 });
    questions.write({ source_id: 'middleware_7', is_answer: false, count: 202 });
    questions.write({ source_id: 'asker', is_answer: false, count: 203 });
    await answered(203);
    const answers = trips.samples.filter(
      ({ source_id, is_answer, count }) =>
        source_id === 'middleware_7' && is_answer && count >= 200,
    );
    expect(answers.map(({ count }) => count)).toEqual([200, 203]);
    expect(hellos.writers).toBe(0);
  });
});
