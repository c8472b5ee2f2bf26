import { describe, expect, it, vi } from 'vitest';
import { createController, type Command, type StepResult } from '../../../src/controller/index.js';
import { FakeMiddleware } from './fake-middleware.js';
import { drive, opened, period, setUp, slowPlanner, t } from './set-up.js';

describe('a controller with faults', () => {
  const failure = new Error('planner broke');

  it.each([
    [
      'throws',
      (): StepResult => {
        throw failure;
      },
    ],
    ['rejects', () => Promise.reject<StepResult>(failure)],
  ])('reports a plan that %s, and goes on', async (_, broken) => {
    let count = 0;
    const { middleware, errors } = setUp({ onStep: () => (count++ === 0 ? broken() : drive(1)) });
    await middleware.start(t);
    await vi.waitFor(() => expect(errors).toEqual([failure]));
    await middleware.start(t + period);
    expect(middleware.commands).toHaveLength(1);
  });

  it('reports what onOverrun throws', async () => {
    const { middleware, errors } = setUp({
      onStep: slowPlanner().onStep,
      onOverrun: () => {
        throw failure;
      },
    });
    await middleware.start(t);
    await middleware.start(t + period);
    expect(errors).toEqual([failure]);
  });

  it.each([
    ['for a vehicle that it does not drive', drive(2), 'does not drive'],
    ['with a number that is not finite', drive(1, NaN), 'speed is not finite'],
    [
      'of a kind that does not exist',
      { ...drive(1), kind: 'speed' } as unknown as Command,
      'no such kind',
    ],
    ['with a time that no stamp can hold', { ...drive(1), validAfterNs: -1n }, 'must be a bigint'],
  ])('does not send a command %s, and reports it', async (_, command, cause) => {
    const { middleware, errors } = setUp({ onStep: () => command });
    await middleware.start(t);
    expect(middleware.commands).toEqual([]);
    const details = { cause: expect.stringContaining(cause) as string };
    expect(errors).toMatchObject([{ code: 'HLC_CONTROLLER_COMMAND', details }]);
  });

  it('sends the first of two commands for one vehicle, and the good ones beside a bad one', async () => {
    const { middleware, errors } = setUp({
      vehicleIds: [1, 2],
      onStep: () => [drive(1, 1), drive(1, 2), drive(9), drive(2, 3)],
    });
    await middleware.start(t);
    expect(middleware.commands.map(({ message }) => message)).toMatchObject([
      { vehicle_id: 1, speed: 1 },
      { vehicle_id: 2, speed: 3 },
    ]);
    expect(errors).toMatchObject([
      { code: 'HLC_CONTROLLER_COMMAND', details: { vehicleId: 1 } },
      { code: 'HLC_CONTROLLER_COMMAND', details: { vehicleId: 9 } },
    ]);
  });

  it('reports an answer that is no command, and goes on', async () => {
    let count = 0;
    const { middleware, errors } = setUp({
      onStep: () => (count++ === 0 ? (42 as unknown as StepResult) : drive(1)),
    });
    await middleware.start(t);
    expect(errors).toMatchObject([{ name: 'TypeError' }]);
    await middleware.start(t + period);
    expect(middleware.commands).toHaveLength(1);
  });

  it('reports a start signal that cannot be decoded', async () => {
    const { middleware, errors } = setUp();
    await middleware.garble();
    expect(errors).toMatchObject([{ code: 'HLC_SAMPLE_MALFORMED' }]);
  });

  it('throws as an uncaught exception what no listener takes', async () => {
    const thrown: (() => void)[] = [];
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((callback) => thrown.push(callback));
    const middleware = new FakeMiddleware();
    opened.push(
      createController({
        vehicleIds: [1],
        transport: middleware.network.join(),
        onStep: () => {
          throw failure;
        },
      }),
    );
    await middleware.start(t);
    expect(thrown).toHaveLength(1);
    expect(thrown[0]).toThrow(failure);
  });
});
