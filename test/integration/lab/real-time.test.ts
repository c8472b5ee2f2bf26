import { describe, expect, it } from 'vitest';
import { middlewareParameters } from '../../../src/lab/index.js';
import { topics } from '../../../src/messages/index.js';
import { openOriginalLab } from '../../support/original-lab.js';
import type { ScriptedController } from '../../support/scripted-controller.js';
import { TopicSource } from '../../support/topic-source.js';

const ms = 1_000_000n;
const stopSymbol = 0xffff_ffff_ffff_ffffn;
/** A trigger is received long before this is over. */
const aheadNs = 2000n * ms;

function startTimes(controller: ScriptedController): bigint[] {
  return controller.startSignals.items.map(({ list }) => list.t_now);
}

/**
 * The times that are not on the grid, or not after the one before. A busy machine that is late by half a period
 * leaves it out, so what is exact to the period is tried with periods of more than a second.
 */
function wrongTimes(times: readonly bigint[], periodNs: bigint, offsetNs = 1n): bigint[] {
  return times.filter(
    (time, i) => (time - offsetNs) % periodNs !== 0n || time <= (times[i - 1] ?? 0n),
  );
}

/** A lab control, and a middleware that has signed in there and waits for the start. */
async function waitingForStart(periodMs: bigint, ...flags: string[]) {
  const lab = openOriginalLab();
  const { control, signIns, met, signedIn } = lab.realTimeControl();
  const controller = lab.controller({ ids: [1] });
  const middleware = lab.startMiddleware('--vehicle_ids=1', `--period_ms=${periodMs}`, ...flags);
  await met();
  controller.signIn();
  await signedIn('middleware');
  return { lab, control, signIns, controller, middleware };
}

describe('in real time the middleware', () => {
  it('signs in with its node id and stamp 0 once all controllers are ready, and again every 2 s', async () => {
    const lab = openOriginalLab();
    // The middleware knows the lab control well before the controllers are ready.
    const parameters = middlewareParameters(100n, [1, 2]);
    const { control, signIns, met } = lab.realTimeControl({ parameters });
    const controller = lab.controller({ ids: [1, 2] });
    const middleware = lab.startMiddleware(
      '--node_id=middleware_1,2',
      '--vehicle_ids=1,2',
      '--simulated_time=false',
    );
    await met('middleware_1,2');
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    expect(signIns.samples).toEqual([]);

    controller.signIn('hlc_2');
    const first = await signIns.messages.untilCount(1);
    const second = await signIns.messages.untilCount(2);
    expect(second.sourceTimestampNs - first.sourceTimestampNs).toBeGreaterThan(1000n * ms);

    control.time.start(0n);
    await controller.startSignals.untilCount(1);
    const signIn = { source_id: 'middleware_1,2', next_start_stamp: { nanoseconds: 0n } };
    expect(signIns.samples.slice(0, 2)).toEqual([signIn, signIn]);
  });

  it('starts at the first time of its grid at or after next_start', async () => {
    const { lab, control, controller } = await waitingForStart(1370n, '--offset_nanoseconds=12345');
    const periodNs = 1370n * ms;
    const soonNs = lab.clocks.realtimeNs() + aheadNs;
    const onGrid = soonNs - ((soonNs - 12345n) % periodNs);
    // A nanosecond after a time of the grid: the start is one period later.
    control.time.start(onGrid + 1n);
    const { list } = await controller.startSignals.untilCount(1);
    expect(list.t_now).toBe(onGrid + periodNs);
    expect(lab.clocks.realtimeNs()).toBeGreaterThanOrEqual(list.t_now);
    await controller.startSignals.untilCount(2);
    expect(wrongTimes(startTimes(controller), periodNs, 12345n)).toEqual([]);
  });

  it('starts at next_start itself when that is on the grid', async () => {
    const periodNs = 1500n * ms;
    const { lab, control, controller } = await waitingForStart(1500n);
    const soonNs = lab.clocks.realtimeNs() + aheadNs;
    const onGrid = soonNs - ((soonNs - 1n) % periodNs) + periodNs;
    control.time.start(onGrid);
    const { list } = await controller.startSignals.untilCount(1);
    expect(list.t_now).toBe(onGrid);
  });

  it('starts at the next time of its grid when next_start is past', async () => {
    const periodNs = 400n * ms;
    const { lab, control, controller } = await waitingForStart(400n);
    const toldAtNs = lab.clocks.realtimeNs();
    control.time.start(toldAtNs - 3_600_000n * ms);
    const { list } = await controller.startSignals.untilCount(1);
    expect((list.t_now - 1n) % periodNs).toBe(0n);
    expect(list.t_now).toBeGreaterThanOrEqual(toldAtNs);
  });

  it('ends at the stop symbol with exit code 0, and passes it to the controllers once', async () => {
    const { control, controller, middleware } = await waitingForStart(50n);
    control.time.start(1n);
    await controller.startSignals.untilCount(5);
    control.time.stop();
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.logged('the lab stopped the run')).toHaveLength(1);
    expect(middleware.summary().start_signals).toBe(controller.startSignals.items.length);
    expect(controller.triggers.items).toEqual([1n, stopSymbol]);
  });

  it('ends without a start signal when stop follows at once on a start', async () => {
    const { lab, control, controller, middleware } = await waitingForStart(50n);
    control.time.start(lab.clocks.realtimeNs() + 60_000n * ms);
    control.time.stop();
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items).toEqual([]);
    expect(middleware.summary()).toMatchObject({ periods: 0, start_signals: 0 });
  });

  it('takes no notice of other triggers while it runs, and does not sign in any more', async () => {
    const { lab, control, signIns, controller, middleware } = await waitingForStart(50n);
    control.time.start(1n);
    await controller.startSignals.untilCount(5);
    const signedIn = signIns.samples.length;
    const others = [2n, 0n, lab.clocks.realtimeNs() + 60_000n * ms];
    for (const [i, nextStartNs] of others.entries()) {
      control.time.start(nextStartNs);
      // Each of them has been there before the next one is sent.
      await controller.triggers.untilCount(2 + i);
    }
    // More than 2 s, after which it would sign in again.
    await controller.startSignals.untilCount(controller.startSignals.items.length + 45);
    control.time.stop();
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const times = startTimes(controller);
    expect(wrongTimes(times, 50n * ms)).toEqual([]);
    // Nothing started anew: the periods left out between the first and the last are reported as skipped.
    const span = Number(((times.at(-1) ?? 0n) - (times[0] ?? 0n)) / (50n * ms)) + 1;
    expect(middleware.summary()).toMatchObject({ periods: span, start_signals: times.length });
    expect(controller.triggers.items).toEqual([1n, ...others, stopSymbol]);
    expect(signIns.samples).toHaveLength(signedIn);
  });

  it('starts with a trigger that came before all controllers were ready', async () => {
    const lab = openOriginalLab();
    const side = lab.joinLab();
    const triggers = new TopicSource(side, topics.systemTrigger);
    const { signIns, met } = lab.realTimeControl({ side });
    const controller = lab.controller({ ids: [1, 2] });
    const middleware = lab.startMiddleware('--vehicle_ids=1,2', '--period_ms=50');
    await Promise.all([met(), triggers.untilReadBy(1)]);
    controller.signIn('hlc_1');
    await middleware.untilLogged('controller is ready');
    triggers.write({ next_start: { nanoseconds: lab.clocks.realtimeNs() } });
    await controller.triggers.untilCount(1);

    const readyAtNs = lab.clocks.realtimeNs();
    controller.signIn('hlc_2');
    const { list } = await controller.startSignals.untilCount(1);
    expect(list.t_now).toBeGreaterThan(readyAtNs);
    await controller.startSignals.untilCount(10);
    expect(signIns.samples).toHaveLength(1);
  });

  it('starts at once with --wait_for_start=false, and does not sign in', async () => {
    const lab = openOriginalLab();
    const { signIns, met } = lab.realTimeControl();
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware(
      '--vehicle_ids=1',
      '--period_ms=50',
      '--wait_for_start=false',
      '--periods=5',
    );
    await met();
    const readyAtNs = lab.clocks.realtimeNs();
    controller.signIn();
    const { list } = await controller.startSignals.untilCount(1);
    expect(list.t_now).toBeGreaterThanOrEqual(readyAtNs);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(startTimes(controller)).toHaveLength(5);
    expect(wrongTimes(startTimes(controller), 50n * ms)).toEqual([]);
    expect(signIns.samples).toEqual([]);
  });
});

describe('several middlewares in real time', () => {
  it('with other ids, periods and offsets share one lab control', async () => {
    const lab = openOriginalLab();
    const { control, signIns, met, signedIn } = lab.realTimeControl();
    const computers = [
      { ids: [1, 2], nodeId: 'middleware_1,2', periodMs: 1500n, offsetNs: 1n },
      { ids: [3], nodeId: 'middleware_3', periodMs: 2300n, offsetNs: 20_000_000n },
    ].map(({ ids, nodeId, periodMs, offsetNs }) => {
      const computer = lab.computer();
      const controller = computer.controller({ ids });
      const middleware = computer.startMiddleware(
        `--node_id=${nodeId}`,
        `--vehicle_ids=${ids.join(',')}`,
        `--period_ms=${periodMs}`,
        `--offset_nanoseconds=${offsetNs}`,
      );
      return { nodeId, controller, middleware, periodNs: periodMs * ms, offsetNs, ids };
    });
    await signIns.untilMatched(computers.length);
    for (const { nodeId } of computers) await met(nodeId);
    for (const { controller } of computers) controller.signIn();
    await Promise.all(computers.map(({ nodeId }) => signedIn(nodeId)));
    const startNs = lab.clocks.realtimeNs() + aheadNs;
    control.time.start(startNs);
    await Promise.all(computers.map(({ controller }) => controller.startSignals.untilCount(2)));
    control.time.stop();

    for (const { controller, middleware, periodNs, offsetNs, ids } of computers) {
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      const times = startTimes(controller);
      expect(wrongTimes(times, periodNs, offsetNs)).toEqual([]);
      expect(times[0]).toBe(startNs - ((startNs - offsetNs) % periodNs) + periodNs);
      expect(controller.triggers.items).toEqual([startNs, stopSymbol]);
      expect(Object.keys(middleware.summary().controllers)).toEqual(ids.map(String));
    }
  });
});
