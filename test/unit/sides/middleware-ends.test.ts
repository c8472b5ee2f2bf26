import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HlcError } from '../../../src/errors/index.js';
import { stopSymbol } from '../../../src/core/index.js';
import {
  ParameterCodec,
  ParameterType,
  topics,
  type CommonroadDDSGoalState,
  type Parameter,
} from '../../../src/messages/index.js';
import {
  activeVehicleIdsParameter,
  answerRoundTrips,
  askParameter,
  ControllerSide,
  LabLink,
  LabSide,
  periodParameter,
  type ReceivedCommand,
} from '../../../src/sides/index.js';
import { commandsOfAllKinds, commandTopics } from '../../support/commands.js';
import { openSide, peersOn, recordErrors, reliable, type RecordedErrors } from './sides.js';

const t = 1_700_000_000_000_000_000n;
const lasting = { ...reliable, durability: { kind: 'transient-local' } } as const;

let errors: RecordedErrors;
beforeEach(() => {
  vi.useFakeTimers();
  errors = recordErrors();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A middleware between two sides, without rules: it notes what its ends report. */
function openEnds() {
  const [lab, controllers] = [openSide('Lab'), openSide('Controller')];
  const noted: string[] = [];
  const commands: ReceivedCommand[] = [];
  const labSide = new LabSide(
    lab.side,
    {
      vehicleState: ({ vehicle_id }) => noted.push(`state ${vehicle_id}`),
      vehicleObservation: ({ vehicle_id }) => noted.push(`observation ${vehicle_id}`),
      guardStops: (guard, [stop]) => noted.push(`guard ${guard} stopped ${stop?.id}`),
    },
    errors,
  );
  const controllerSide = new ControllerSide(
    controllers.side,
    {
      readySignal: (sourceId) => noted.push(`ready ${sourceId}`),
      command: (command) => commands.push({ ...command, bytes: command.bytes.slice() }),
      writerChanged: (role, { joined }) => noted.push(`${role} ${joined ? 'joined' : 'left'}`),
      deaf: (sourceId) => noted.push(`deaf ${sourceId}`),
    },
    errors,
  );
  const link = new LabLink(
    lab.side,
    controllers.side,
    controllerSide,
    (nextStartNs) => noted.push(`trigger ${nextStartNs}`),
    errors,
  );
  return { lab, controllers, noted, commands, labSide, controllerSide, link };
}

describe("the middleware's end of the lab side", () => {
  it('receives states and observations, and signs in', async () => {
    const { lab, labSide, noted } = openEnds();
    const signIns = lab.listen(topics.readyStatus);
    await lab.send(topics.vehicleState, { ...topics.vehicleState.codec.zero(), vehicle_id: 4 });
    const observation = { ...topics.vehicleObservation.codec.zero(), vehicle_id: 5 };
    await lab.send(topics.vehicleObservation, observation);
    labSide.signIn('middleware', 50n);
    await lab.network.idle();
    expect(noted).toEqual(['state 4', 'observation 5']);
    expect(signIns).toEqual([{ source_id: 'middleware', next_start_stamp: { nanoseconds: 50n } }]);
  });

  it('forwards commands of each kind byte for byte, and writes its own', async () => {
    const { lab, controllers, labSide, controllerSide, commands } = openEnds();
    const forwarded: unknown[] = [];
    for (const topic of Object.values(commandTopics)) {
      lab.network.join().createReader(topic, reliable, {
        onSample: ({ bytes }) => forwarded.push(topic.codec.decode(bytes)),
      });
    }
    const sent = commandsOfAllKinds(3, t);
    for (const { kind, message } of sent) {
      const { codec } = commandTopics[kind];
      controllers
        .writer(commandTopics[kind])
        .write((codec.encode as (m: unknown) => Uint8Array)(message));
    }
    await controllers.network.idle();
    expect(commands.map(({ kind, message }) => ({ kind, message }))).toEqual(sent);
    for (const command of commands) labSide.forward(command);
    for (const command of sent) labSide.command(command);
    await lab.network.idle();
    const messages = sent.map(({ message }) => message);
    expect(forwarded).toEqual([...messages, ...messages]);
    expect(errors.lines).toEqual([]);
    controllerSide.close();
  });
});

describe("the middleware's end of the controller side", () => {
  it('reports a ready signal when its sender has a reader of start signals', async () => {
    const { controllers, controllerSide, noted } = openEnds();
    const side = controllers.network.join();
    const ready = side.createWriter(topics.readyStatus, lasting);
    ready.write(
      topics.readyStatus.codec.encode({
        source_id: 'hlc_1',
        next_start_stamp: { nanoseconds: 0n },
      }),
    );
    await controllers.network.idle();
    expect(noted).toEqual(['ready joined']);
    side.createReader(topics.vehicleStateList, reliable, { onSample: () => undefined });
    await controllers.network.idle();
    ready.close();
    await controllers.network.idle();
    expect(noted).toEqual(['ready joined', 'ready hlc_1', 'ready left']);
    controllerSide.close();
  });

  it('sends the stop', async () => {
    const { controllers, controllerSide } = openEnds();
    const triggers = controllers.listen(topics.systemTrigger);
    controllerSide.sendStop();
    await controllers.network.idle();
    expect(triggers).toEqual([{ next_start: { nanoseconds: stopSymbol } }]);
  });
});

describe('the link between the sides', () => {
  const goal = (planning_problem_id: number): CommonroadDDSGoalState => ({
    ...topics.commonroad_dds_goal_states.codec.zero(),
    planning_problem_id,
  });

  it('passes triggers on at once, and stop requests back', async () => {
    const { lab, controllers, noted } = openEnds();
    const triggers = controllers.listen(topics.systemTrigger);
    const requests = lab.listen(topics.stopRequest);
    await lab.send(topics.systemTrigger, { next_start: { nanoseconds: 7n } });
    await controllers.send(topics.stopRequest, { vehicle_id: 9 });
    await Promise.all([lab.network.idle(), controllers.network.idle()]);
    expect(noted).toContain('trigger 7');
    expect(triggers).toEqual([{ next_start: { nanoseconds: 7n } }]);
    expect(requests).toEqual([{ vehicle_id: 9 }]);
  });

  it('holds goal states until all are ready, keeps their order, and then passes them on', async () => {
    const { lab, controllers, link } = openEnds();
    const goals = controllers.listen(topics.commonroad_dds_goal_states);
    const writer = lab.writer(topics.commonroad_dds_goal_states, lasting);
    const send = async (id: number) => {
      writer.write(topics.commonroad_dds_goal_states.codec.encode(goal(id)));
      await lab.network.idle();
      await controllers.network.idle();
    };
    await send(1);
    await send(2);
    expect(goals).toEqual([]);
    link.allReady();
    await controllers.network.idle();
    await send(3);
    expect(goals.map((one) => one.planning_problem_id)).toEqual([1, 2, 3]);
  });

  it('reports goal states beyond those that it can hold', async () => {
    const { lab, controllers, link } = openEnds();
    const goals = controllers.listen(topics.commonroad_dds_goal_states);
    const writer = lab.writer(topics.commonroad_dds_goal_states, lasting);
    const bytes = topics.commonroad_dds_goal_states.codec.encode(goal(1));
    for (let i = 0; i < 10_001; i++) writer.write(bytes);
    await lab.network.idle();
    expect(errors.lines).toEqual(['lost 1 of commonroad_dds_goal_states: overflow']);
    link.allReady();
    await controllers.network.idle();
    expect(goals).toHaveLength(10_000);
  });
});

describe('round trips', () => {
  it('are answered when others ask, and only then', async () => {
    const { side, network, ...peers } = openSide('Lab');
    answerRoundTrips(side, 'middleware', errors);
    const heard = peers.listen(topics.round_trip_time);
    const question = { source_id: 'lab', is_answer: false, count: 3 };
    const others = [
      { ...question, is_answer: true },
      { ...question, source_id: 'middleware' },
    ];
    await peers.send(topics.round_trip_time, question, ...others);
    expect(heard).toHaveLength(4);
    expect(heard).toContainEqual({ source_id: 'middleware', is_answer: true, count: 3 });
    await network.idle();
  });
});

describe('a parameter of the lab', () => {
  const period = (ms: bigint, type: Parameter['type'] = ParameterType.UInt64): Parameter => ({
    ...ParameterCodec.zero(),
    name: 'middleware_period_ms',
    type,
    value_uint64_t: ms,
  });

  function ask(timeoutNs = 0n) {
    const { side, network } = openSide('Lab');
    const reported: string[] = [];
    const stop = new AbortController();
    const answer = askParameter(
      periodParameter,
      {
        side,
        timeoutNs,
        onTimeout: (parameter) => new HlcError('HLC_CLOSED', { what: parameter }),
        onRefused: (_, cause) => reported.push(cause),
        onWaiting: (_, waitedS) => reported.push(`waits ${waitedS} s`),
      },
      errors,
      stop.signal,
    );
    const requests = peersOn(network).listen(topics.parameterRequest);
    return { answer, network, reported, stop, requests, ...peersOn(network) };
  }

  it('is requested when a server appears and then every second, until it answers', async () => {
    const { answer, network, reported, requests, send } = ask();
    await network.idle();
    expect(requests).toEqual([{ name: 'middleware_period_ms' }]);
    vi.advanceTimersByTime(2000);
    await network.idle();
    expect(requests).toHaveLength(3);
    expect(reported).toEqual(['waits 1 s', 'waits 2 s']);
    await send(topics.parameter, { ...period(70n), name: 'another' }, period(50n));
    await expect(answer).resolves.toBe(50_000_000n);
    vi.advanceTimersByTime(5000);
    await network.idle();
    expect(requests).toHaveLength(3);
  });

  it('is refused when the answer has another type or no period, and the wait goes on', async () => {
    const { answer, reported, send } = ask();
    await send(topics.parameter, period(50n, ParameterType.Int32), period(0n), period(20n));
    await expect(answer).resolves.toBe(20_000_000n);
    expect(reported).toEqual(['its type is not UInt64', '0 ms is no period']);
  });

  it('fails after its time-out, and when the wait is given up', async () => {
    const late = ask(1_500_000_000n);
    const failure = expect(late.answer).rejects.toMatchObject({ code: 'HLC_CLOSED' });
    vi.advanceTimersByTime(1500);
    await failure;
    const given = ask();
    const reason = new Error('the process ends');
    const aborted = expect(given.answer).rejects.toBe(reason);
    given.stop.abort(reason);
    await aborted;
  });

  it('active_vehicle_ids has each id once, in order, and only ids', () => {
    const { parse } = activeVehicleIdsParameter;
    const ids = (values_int32: number[], type: Parameter['type'] = ParameterType.Vector_Int32) =>
      parse({ ...ParameterCodec.zero(), type, values_int32 });
    expect(ids([7, 2, 7])).toEqual({ value: [2, 7] });
    expect(ids([])).toEqual({ value: [] });
    expect(ids([1, 256])).toEqual({ wrong: '256 is no vehicle id (0 to 255)' });
    expect(ids([1], ParameterType.Int32)).toEqual({ wrong: 'its type is not Vector_Int32' });
  });
});
