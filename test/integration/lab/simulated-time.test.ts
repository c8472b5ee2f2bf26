import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { openOriginalLab } from '../../support/original-lab.js';
import type { ScriptedController } from '../../support/scripted-controller.js';
import { TopicRecorder } from '../../support/topic-recorder.js';
import { TopicSource } from '../../support/topic-source.js';

const ms = 1_000_000n;
const stopSymbol = 0xffff_ffff_ffff_ffffn;

function startTimes(controller: ScriptedController): bigint[] {
  return controller.startSignals.items.map(({ list }) => list.t_now);
}

/** So many times, each a period after the one before. */
function grid(firstNs: bigint, periodNs: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => firstNs + BigInt(i) * periodNs);
}

/** A controller that replies when the test says so, and a lab side that is in the test's hand. */
async function byHand(...flags: string[]) {
  const lab = openOriginalLab();
  const labSide = lab.joinLab();
  const signIns = new TopicRecorder(labSide, topics.readyStatus);
  const triggers = new TopicSource(labSide, topics.systemTrigger);
  const controller = lab.controller({ ids: [1, 2], onStart: () => undefined });
  const middleware = lab.startMiddleware('--vehicle_ids=1,2', '--simulated_time=true', ...flags);
  await Promise.all([signIns.untilMatched(), triggers.untilReadBy(1)]);
  /** Settles when the middleware has had the trigger: it has passed it on then. */
  const trigger = async (nanoseconds: bigint) => {
    const before = controller.triggers.items.length;
    triggers.write({ next_start: { nanoseconds } });
    await controller.triggers.untilCount(before + 1);
  };
  const wanted = () => signIns.samples.map(({ next_start_stamp }) => next_start_stamp.nanoseconds);
  return { lab, signIns, trigger, wanted, controller, middleware };
}

describe('in simulated time the middleware', () => {
  it('signs in with the offset, steps at exactly the time that it wants, and signs in for the next when all have replied', async () => {
    const { signIns, trigger, wanted, controller } = await byHand(
      '--node_id=middleware_1,2',
      '--period_ms=20',
      '--offset_nanoseconds=50000007',
    );
    const first = 50_000_007n;
    const second = 70_000_007n;
    const third = 90_000_007n;
    controller.signIn();
    await signIns.messages.untilCount(1);
    for (const other of [1n, first - 1n, first + 1n, second, 0n]) await trigger(other);
    expect(startTimes(controller)).toEqual([]);

    await trigger(first);
    const { list } = await controller.startSignals.untilCount(1);
    expect(list).toMatchObject({ t_now: first, period_ms: 20n, active_vehicle_ids: [1, 2] });
    controller.answer(list, [1]);
    // No reply is complete for this one yet, though it is the next of the grid.
    await trigger(second);
    expect(wanted()).toEqual([first]);
    expect(startTimes(controller)).toEqual([first]);

    controller.answer(list, [2]);
    await signIns.messages.untilCount(2);
    // The step that it wanted was named while it worked, as by a lab control that is ahead.
    await controller.startSignals.untilCount(2);
    expect(wanted()).toEqual([first, second]);
    await trigger(second);
    await trigger(first);
    expect(startTimes(controller)).toEqual([first, second]);

    const again = controller.startSignals.items[1]?.list ?? list;
    controller.answer(again);
    await signIns.messages.untilCount(3);
    expect(wanted()).toEqual([first, second, third]);
    expect(new Set(signIns.samples.map(({ source_id }) => source_id))).toEqual(
      new Set(['middleware_1,2']),
    );
  });

  it('repeats its first sign-in every 2 s, for a lab control that comes later', async () => {
    const { signIns, controller, wanted, trigger } = await byHand('--period_ms=10');
    controller.signIn();
    const first = await signIns.messages.untilCount(1);
    const second = await signIns.messages.untilCount(2);
    expect(second.sourceTimestampNs - first.sourceTimestampNs).toBeGreaterThan(1000n * ms);
    expect(wanted().slice(0, 2)).toEqual([1n, 1n]);
    await trigger(1n);
    await controller.startSignals.untilCount(1);
    expect(startTimes(controller)).toEqual([1n]);
  });

  it('ends at the stop symbol with exit code 0, also while it waits for replies', async () => {
    const { signIns, trigger, controller, middleware } = await byHand('--period_ms=10');
    controller.signIn();
    await signIns.messages.untilCount(1);
    await trigger(1n);
    await controller.startSignals.untilCount(1);
    await trigger(stopSymbol);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.triggers.items).toEqual([1n, stopSymbol]);
    expect(middleware.summary()).toMatchObject({ start_signals: 1, periods: 1 });
  });

  it('steps as often as the lab control wants, and not more', async () => {
    const lab = openOriginalLab();
    const { control, events, met, signedIn } = lab.simulatedTimeControl({});
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware(
      '--vehicle_ids=1',
      '--simulated_time=true',
      '--period_ms=50',
    );
    await met();
    controller.signIn();
    await signedIn('middleware');
    const untilWaitsFor = (nextStartNs: bigint) =>
      events.until(
        (event) => event.kind === 'participant' && event.participant.nextStartNs === nextStartNs,
      );
    control.time.step(3);
    await untilWaitsFor(1n + 150n * ms);
    expect(startTimes(controller)).toEqual(grid(1n, 50n * ms, 3));
    control.time.step(2);
    await untilWaitsFor(1n + 250n * ms);
    expect(startTimes(controller)).toEqual(grid(1n, 50n * ms, 5));
    control.time.stop();
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().controllers[1]).toMatchObject({ replies: 5, misses: 0 });
  });
});

/** A lab control that starts when all of these middlewares have signed in, and what it made them do. */
async function sharedTime(
  periodsMs: Readonly<Record<string, bigint>>,
  time: { readonly repeatTriggers?: boolean },
  untilNs: bigint,
) {
  const lab = openOriginalLab();
  const expected = Object.keys(periodsMs);
  const { control, events, signIns, met } = lab.simulatedTimeControl({ ...time, expected });
  /** All steps in the order in which their start signals came. */
  const order: bigint[] = [];
  const computers = Object.entries(periodsMs).map(([nodeId, periodMs], i) => {
    const computer = lab.computer();
    const controller = computer.controller({
      ids: [i, 100 + i],
      onStart: (list, self) => {
        order.push(list.t_now);
        self.answer(list);
      },
    });
    const middleware = computer.startMiddleware(
      `--node_id=${nodeId}`,
      `--vehicle_ids=${i},${100 + i}`,
      '--simulated_time=true',
      `--period_ms=${periodMs}`,
    );
    return { controller, middleware, periodNs: periodMs * ms };
  });
  await signIns.untilMatched(computers.length);
  for (const nodeId of expected) await met(nodeId);
  for (const { controller } of computers) controller.signIn();
  control.time.start();
  await events.until((event) => event.kind === 'trigger' && event.nextStartNs > untilNs);
  control.time.stop();
  for (const { middleware } of computers) {
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  }
  const triggers = events.items.flatMap((event) =>
    event.kind === 'trigger' && event.nextStartNs <= untilNs ? [event.nextStartNs] : [],
  );
  return { computers, order, triggers };
}

describe('several middlewares in simulated time', () => {
  it('with other periods share one lab control, and each has exactly its own steps', async () => {
    const untilNs = 600n * ms;
    const periods = { 'middleware_0,100': 10n, 'middleware_1,101': 25n };
    const { computers, order, triggers } = await sharedTime(periods, {}, untilNs);
    for (const { controller, periodNs } of computers) {
      const times = startTimes(controller).filter((tNowNs) => tNowNs <= untilNs);
      expect(times).toEqual(grid(1n, periodNs, Number(untilNs / periodNs)));
    }
    // Time never goes back for anybody: the one waits for the other.
    expect(order).toEqual([...order].sort((a, b) => Number(a - b)));
    // Every second step of the slow one is also one of the fast one: one trigger serves both.
    const wanted = computers.flatMap(({ controller }) => startTimes(controller));
    expect(triggers).toEqual(
      [...new Set(wanted)].filter((time) => time <= untilNs).sort((a, b) => Number(a - b)),
    );
  });

  it('run no step twice when the lab control repeats its triggers', async () => {
    const untilNs = 400n * ms;
    const periods = { one: 10n, two: 10n, three: 20n };
    const { computers, triggers } = await sharedTime(periods, { repeatTriggers: true }, untilNs);
    for (const { controller, periodNs } of computers) {
      const times = startTimes(controller).filter((tNowNs) => tNowNs <= untilNs);
      expect(times).toEqual(grid(1n, periodNs, Number(untilNs / periodNs)));
    }
    // There were repetitions.
    expect(triggers.length).toBeGreaterThan(new Set(triggers).size + 10);
  });
});
