import { describe, expect, it, vi } from 'vitest';
import { StepAborted, type Overrun } from '../../../src/controller/index.js';
import { drive, period, setUp, slowPlanner, t } from './set-up.js';

describe('a controller whose plan is late', () => {
  it('aborts the step at the next start signal, says so and drops its command', async () => {
    const { onStep, steps, finish } = slowPlanner();
    const overruns: Overrun[] = [];
    const { middleware, errors } = setUp({
      onStep,
      onOverrun: (overrun) => overruns.push(overrun),
    });
    await middleware.start(t);
    expect(steps[0]?.signal.aborted).toBe(false);
    await middleware.start(t + period);
    expect(steps[0]?.signal.reason).toBeInstanceOf(StepAborted);
    expect(steps[0]?.signal.reason).toMatchObject({ reason: 'overrun', name: 'AbortError' });
    expect(overruns).toEqual([{ tNowNs: t, nextTNowNs: t + period }]);
    finish(0, drive(1, 1));
    await vi.waitFor(() => expect(steps).toHaveLength(2));
    finish(1, drive(1, 2));
    await vi.waitFor(() => expect(middleware.commands).toHaveLength(1));
    expect(middleware.commands[0]?.message).toMatchObject({
      speed: 2,
      header: { create_stamp: { nanoseconds: t + period } },
    });
    expect(errors).toEqual([]);
  });

  it('never runs two steps at once, and goes on with the newest start signal', async () => {
    const { onStep, steps, finish } = slowPlanner();
    const { middleware } = setUp({ onStep });
    for (let k = 0n; k < 4n; k++) await middleware.start(t + k * period);
    expect(steps).toHaveLength(1);
    finish(0, undefined);
    await vi.waitFor(() => expect(steps).toHaveLength(2));
    expect(steps[1]?.tNowNs).toBe(t + 3n * period);
    expect(steps[1]?.signal.aborted).toBe(false);
  });

  it('takes a plan that gave up because of the signal for no error', async () => {
    const { onStep, steps, fail } = slowPlanner();
    const { middleware, errors } = setUp({ onStep });
    await middleware.start(t);
    await middleware.start(t + period);
    fail(0, steps[0]?.signal.reason);
    await vi.waitFor(() => expect(steps).toHaveLength(2));
    await middleware.start(t + 2n * period);
    fail(1, Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }));
    await vi.waitFor(() => expect(steps).toHaveLength(3));
    expect(errors).toEqual([]);
  });
});

describe('the first step of a controller', () => {
  it('prepares before the first plan, and only once', async () => {
    const calls: string[] = [];
    const { middleware } = setUp({
      onFirstStep: (step) => void calls.push(`first ${step.tNowNs}`),
      onStep: (step) => {
        calls.push(`step ${step.tNowNs}`);
        return undefined;
      },
    });
    await middleware.start(t);
    await middleware.start(t + period);
    expect(calls).toEqual([`first ${t}`, `step ${t}`, `step ${t + period}`]);
  });

  it('waits for a preparation that takes time, and plans with the newest start signal', async () => {
    let prepared!: () => void;
    const { onStep, steps } = slowPlanner();
    const { middleware } = setUp({
      onStep,
      onFirstStep: () => new Promise<void>((resolve) => (prepared = resolve)),
    });
    await middleware.start(t);
    await middleware.start(t + period);
    expect(steps).toEqual([]);
    prepared();
    await vi.waitFor(() => expect(steps).toHaveLength(1));
    expect(steps[0]?.tNowNs).toBe(t + period);
  });

  it('is tried again when it failed', async () => {
    const onFirstStep = vi.fn<() => void>(() => undefined);
    const failure = new Error('no map');
    onFirstStep.mockImplementationOnce(() => {
      throw failure;
    });
    const { middleware, errors } = setUp({ onFirstStep });
    await middleware.start(t);
    expect(errors).toEqual([failure]);
    expect(middleware.commands).toEqual([]);
    await middleware.start(t + period);
    expect(onFirstStep).toHaveBeenCalledTimes(2);
    expect(middleware.commands).toHaveLength(1);
  });
});
