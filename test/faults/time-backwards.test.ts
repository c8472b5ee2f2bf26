import { expect } from 'vitest';
import { topics } from '../../src/messages/index.js';
import { Middleware } from '../support/middleware.js';
import type { ScriptedController } from '../support/scripted-controller.js';
import { openTestLab } from '../support/test-lab.js';
import { TopicRecorder } from '../support/topic-recorder.js';
import { TopicSource } from '../support/topic-source.js';
import { faultTest } from './fault-row.js';

const replays = 20;
const s = 1_000_000_000n;

/** A lab with a controller, and a lab control that sends what the test gives it. */
function openTriggeredLab() {
  const lab = openTestLab();
  const side = lab.join('lab');
  const triggers = new TopicSource(side, topics.systemTrigger);
  const signIns = new TopicRecorder(side, topics.readyStatus);
  const controller = lab.controller({ ids: [1] });
  controller.signIn();
  return {
    lab,
    controller,
    triggers,
    signIns,
    trigger: (nanoseconds: bigint) => triggers.write({ next_start: { nanoseconds } }),
  };
}

/** The times of the start signals, and those that are not after the one before. */
function timesOf({ startSignals }: ScriptedController) {
  const times = startSignals.items.map(({ list }) => list.t_now);
  return { times, backwards: times.filter((t, i) => i > 0 && t <= (times[i - 1] ?? 0n)) };
}

const outcome = 'replays change nothing: start times increase, each comes once';

faultTest(
  {
    row: 9,
    fault: 'start triggers of the past are replayed',
    mode: 'real time',
    expected: outcome,
  },
  async (measured) => {
    const { lab, controller, triggers, signIns, trigger } = openTriggeredLab();
    const middleware = new Middleware(
      lab.uri,
      ['--vehicle-ids=1', '--period-ms=50', '--active-vehicle-ids=1', '--periods=60'],
      { defaults: ['--wait-for-start', '--control-socket=off'] },
    );
    await triggers.untilReadBy(1);
    await signIns.messages.untilCount(1);
    const startNs = lab.clocks.realtimeNs();
    trigger(startNs);
    for (let i = 0; i < replays; i++) {
      await controller.startSignals.untilCount(2 + 2 * i);
      trigger(startNs - BigInt(i) * s);
    }
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { times, backwards } = timesOf(controller);
    measured(`${replays} replays, ${times.length} start signals, ${backwards.length} backwards`);
    expect(backwards).toEqual([]);
    expect(times).toHaveLength(60);
  },
);

faultTest(
  {
    row: 9,
    fault: 'start triggers of the past are replayed',
    mode: 'simulated time',
    expected: outcome,
  },
  async (measured) => {
    const { lab, controller, triggers, signIns, trigger } = openTriggeredLab();
    const middleware = new Middleware(
      lab.uri,
      [
        '--vehicle-ids=1',
        '--active-vehicle-ids=1',
        '--period-ms=50',
        '--simulated-time',
        `--periods=${replays}`,
      ],
      { defaults: ['--control-socket=off'] },
    );
    await triggers.untilReadBy(1);
    const wanted: bigint[] = [];
    for (let step = 0; step < replays; step++) {
      const { message } = await signIns.messages.until(
        ({ message: { next_start_stamp } }) => !wanted.includes(next_start_stamp.nanoseconds),
      );
      // All that was triggered already, oldest last; then the step that is wanted.
      for (const past of [...wanted].reverse()) trigger(past);
      wanted.push(message.next_start_stamp.nanoseconds);
      trigger(message.next_start_stamp.nanoseconds);
      await controller.startSignals.untilCount(step + 1);
    }
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { times, backwards } = timesOf(controller);
    const replayed = (replays * (replays - 1)) / 2;
    measured(`${replayed} replays, ${times.length} steps, ${backwards.length} backwards`);
    expect(times).toEqual(wanted);
    expect(backwards).toEqual([]);
  },
);
