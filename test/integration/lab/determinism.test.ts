import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DdsParticipant } from '../../../src/dds/index.js';
import { topics, type VehicleStateList } from '../../../src/messages/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { directCommand, type AnyCommand } from '../../support/commands.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { ScriptedPlants } from '../../support/scripted-plants.js';
import { TopicRecorder, type Received } from '../../support/topic-recorder.js';
import { TopicSource } from '../../support/topic-source.js';

const ids = [1, 2, 3];
const periodNs = 20_000_000n;
const steps = 100;
const offsetNs = 1_000_000_007n;

/** A command of another kind for each vehicle, made of nothing but the start signal. */
function commandFrom(list: VehicleStateList, id: number): AnyCommand {
  const positions = list.state_list.map(({ pose }) => pose.x);
  const own = list.state_list.find(({ vehicle_id }) => vehicle_id === id)?.pose.x ?? 0.5;
  const value = 2 * own - 1 + positions.reduce((sum, x) => sum + x, 0) * 1e-6;
  const stamp = { nanoseconds: list.t_now };
  const header = { create_stamp: stamp, valid_after_stamp: stamp };
  switch (id) {
    case 1:
      return directCommand(id, list.t_now, { motor_throttle: Math.max(-1, Math.min(1, value)) });
    case 2:
      return {
        kind: 'speedCurvature',
        message: { vehicle_id: id, header, speed: own, curvature: value },
      };
    default:
      return {
        kind: 'trajectory',
        message: {
          vehicle_id: id,
          header,
          trajectory_points: [-1n, 1n, 2n].map((i) => {
            const t = { nanoseconds: list.t_now + i * 10_000_000n };
            return { t, px: value, py: own, vx: Number(i), vy: 0 };
          }),
        },
      };
  }
}

/** One line for each message: its time, and a digest of all its bytes. */
function lines<T>(recorder: TopicRecorder<T>, timeOf: (message: T) => bigint): string[] {
  return recorder.messages.items.map(({ message, bytes }: Received<T>) => {
    return `${timeOf(message)} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
  });
}

function createStamp(message: { readonly header: VehicleStateList['state_list'][0]['header'] }) {
  return message.header.create_stamp.nanoseconds;
}

/** Programs that take all processors for themselves until the test is over. */
function makeBusy(): void {
  for (const name of ['first', 'second', 'third']) {
    new ChildProgram(`the ${name} busy program`, process.execPath, ['-e', 'for (;;);'], '');
  }
}

/**
 * Without a lab control a step does not wait for the vehicles. The answer to a question shows that the
 * middleware received all that this participant wrote before the question.
 */
function openBarrier(labSide: DdsParticipant): () => Promise<void> {
  const questions = new TopicSource(labSide, topics.round_trip_time);
  const answers = new TopicRecorder(labSide, topics.round_trip_time);
  let number = 100; // the lab control counts its own questions from 1 on
  return async () => {
    const count = number++;
    questions.write({ source_id: 'plants', is_answer: false, count });
    await answers.messages.until(
      ({ message }) => message.source_id === 'middleware' && message.count === count,
    );
  };
}

/** The plants as a participant of the lab's time: a step at each trigger, then the next sign-in. */
async function signInPlants(labSide: DdsParticipant, plants: ScriptedPlants): Promise<void> {
  const triggers = new TopicRecorder(labSide, topics.systemTrigger);
  const ready = new TopicSource(labSide, topics.readyStatus);
  const signIn = (nanoseconds: bigint) =>
    ready.write({ source_id: 'plants', next_start_stamp: { nanoseconds } });
  triggers.messages.forEach(({ message }) => {
    const tNowNs = message.next_start.nanoseconds;
    void plants.step(tNowNs, tNowNs === offsetNs).then(() => signIn(tNowNs + periodNs));
  });
  await Promise.all([ready.untilReadBy(1), triggers.untilMatched()]);
  signIn(offsetNs);
}

type Run = Awaited<ReturnType<typeof run>>;

/** All that a whole run writes, as recorders on both sides see it. */
async function run(timeSource: 'lab' | 'self') {
  const lab = openOriginalLab();
  const labSide = lab.joinLab();
  const plants = new ScriptedPlants(labSide, ids, periodNs);
  const barrier = openBarrier(labSide);
  const { control, met, signedIn } = lab.simulatedTimeControl(
    { expected: ['middleware', 'plants'] },
    { side: labSide },
  );

  const controllerSide = lab.join();
  const lists = new TopicRecorder(controllerSide, topics.vehicleStateList);
  const controller = new ScriptedController(controllerSide, {
    ids,
    onStart: (list, self) => {
      const answer = () => {
        for (const id of ids) self.send(commandFrom(list, id));
      };
      if (timeSource === 'lab') answer();
      else
        void plants
          .step(list.t_now, list.t_now === offsetNs)
          .then(barrier)
          .then(answer);
    },
  });
  const replies = {
    direct: new TopicRecorder(controllerSide, topics.vehicleCommandDirect),
    speedCurvature: new TopicRecorder(controllerSide, topics.vehicleCommandSpeedCurvature),
    trajectory: new TopicRecorder(controllerSide, topics.vehicleCommandTrajectory),
  };

  const middleware = lab.startMiddleware(
    `--vehicle_ids=${ids.join(',')}`,
    '--simulated_time=true',
    `--time_source=${timeSource}`,
    '--period_ms=20',
    `--offset_nanoseconds=${offsetNs}`,
    `--periods=${steps}`,
  );
  await Promise.all([met(), plants.untilMatched()]);
  if (timeSource === 'lab') {
    await signInPlants(labSide, plants);
    await signedIn('plants');
    control.time.start();
  }
  controller.signIn();
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  for (const forwarded of [plants.direct, plants.speedCurvature, plants.trajectory]) {
    await forwarded.messages.untilCount(steps);
  }
  expect(middleware.summary()).toMatchObject({ start_signals: steps, commands_refused: {} });
  return {
    lists: lines(lists, (list) => list.t_now),
    positions: lists.samples.map((list) => list.state_list.map(({ pose }) => pose.x)),
    sent: {
      direct: lines(replies.direct, createStamp),
      speedCurvature: lines(replies.speedCurvature, createStamp),
      trajectory: lines(replies.trajectory, createStamp),
    },
    // What follows stops the vehicles at the end of the run.
    forwarded: {
      direct: lines(plants.direct, createStamp).slice(0, steps),
      speedCurvature: lines(plants.speedCurvature, createStamp).slice(0, steps),
      trajectory: lines(plants.trajectory, createStamp).slice(0, steps),
    },
  };
}

describe.each(['lab', 'self'] as const)(
  'a run in simulated time, with time from %s',
  (timeSource) => {
    let idle: Run;

    it('makes all steps, lists what is valid, and forwards what is replied', async () => {
      idle = await run(timeSource);
      expect(idle.lists).toHaveLength(steps);
      expect(idle.forwarded).toEqual(idle.sent);
      // The states of the first step are valid at the fourth.
      expect(idle.positions.slice(0, 3)).toEqual([[], [], []]);
      const moving = idle.positions.slice(3);
      expect(moving.every((positions) => positions.length === ids.length)).toBe(true);
      expect(new Set(moving.flat()).size).toBe(moving.length * ids.length);
    });

    it('gives the same bytes on a busy machine', async () => {
      makeBusy();
      expect(await run(timeSource)).toEqual(idle);
    });
  },
);
