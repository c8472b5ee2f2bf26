import { expect, it } from 'vitest';
import {
  MiddlewarePhase,
  topics,
  type CommandedVehicle,
  type MiddlewareStatus,
} from '../../../src/messages/index.js';
import { Recorder } from '../../support/recorder.js';
import { openTestLab } from '../../support/test-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

const ms = 1_000_000n;
const reliable = { reliability: { kind: 'reliable' } } as const;

/** A middleware whose controller drives vehicle 1, and its status. */
async function drive() {
  const lab = openTestLab();
  const side = lab.join('lab');
  const status = new TopicRecorder<MiddlewareStatus>(side, topics.middlewareStatus);
  const middleware = lab.startMiddleware(
    '--vehicle-ids=1,2',
    '--period-ms=50',
    '--node-id=guarded',
    // A busy machine may delay the controllers of this test: their misses stop nothing here.
    '--miss-policy=stop',
    '--miss-limit=1000000',
  );
  const controllers = [1, 2].map((id) => lab.controller({ ids: [id] }));
  for (const controller of controllers) controller.signIn();
  await middleware.untilLogged('all controllers are ready');
  const until = (wanted: (message: MiddlewareStatus) => boolean) =>
    status.messages.until(({ message }) => wanted(message));
  await until(({ vehicles }) => vehicles.every(({ kinds }) => kinds !== 0));
  return { lab, side, status, middleware, controllers, until };
}

it('a middleware shows a guard once per period that it lives, what it commanded, and its end', async () => {
  const { middleware, status, until } = await drive();
  await until(({ phase }) => phase === MiddlewarePhase.Running);
  const from = status.messages.items.length;
  await status.messages.untilCount(from + 20);
  const messages = status.samples.slice(from, from + 20);
  for (const [i, message] of messages.entries()) {
    expect(message).toMatchObject({ source_id: 'guarded', period: 50n * ms, taken_over: [] });
    expect(message.vehicles.map(({ vehicle_id }) => vehicle_id)).toEqual([1, 2]);
    const before = messages[i - 1];
    if (before === undefined) continue;
    expect(message.epoch).toBe(before.epoch);
    expect(message.stamp.nanoseconds).toBeGreaterThan(before.stamp.nanoseconds);
  }
  const spanNs =
    (messages.at(-1)?.stamp.nanoseconds ?? 0n) - (messages[0]?.stamp.nanoseconds ?? 0n);
  // The first one may be as late as the machine is busy, and no later one comes before its time.
  expect(spanNs).toBeGreaterThan(15n * 50n * ms);
  const commandOf = ({ vehicles: [vehicle] }: MiddlewareStatus) => ({
    validNs: vehicle?.valid_after_stamp.nanoseconds ?? 0n,
    obeyedUntilNs: vehicle?.obeyed_until.nanoseconds ?? 0n,
  });
  const [first] = messages;
  if (first === undefined) throw new Error('there is no status');
  const { message: later } = await until(
    (one) => commandOf(one).validNs > commandOf(first).validNs,
  );
  for (const one of [first, later]) {
    expect(commandOf(one).obeyedUntilNs).toBe(commandOf(one).validNs + 1000n * ms);
  }
  middleware.signal('SIGTERM');
  await middleware.ended;
  expect(status.samples.at(-1)?.phase).toBe(MiddlewarePhase.Ended);
});

it('a middleware takes over each stop of a guard once, those of its own vehicles', async () => {
  const { side, middleware, until } = await drive();
  const matched = new Recorder<number>('readers of the guard');
  const guard = side.createWriter(topics.guardStatus, reliable, {
    onMatched: (readers) => matched.add(readers),
  });
  await matched.until((readers) => readers > 0);
  const publish = (number: bigint) =>
    guard.write(
      topics.guardStatus.codec.encode({
        source_id: 'guard',
        epoch: 7n,
        stops: [
          { vehicle: commanded(1), number, speed: 0 },
          { vehicle: commanded(9), number: 1n, speed: 0 },
        ],
      }),
    );
  publish(3n);
  await middleware.untilLogged('vehicle 1 is being stopped: the guard stopped it');
  const { message } = await until(({ taken_over }) => taken_over.length > 0);
  expect(message.taken_over).toEqual([{ guard: 7n, vehicle_id: 1, number: 3n }]);
  publish(3n);
  publish(4n);
  await until(({ taken_over }) => taken_over[0]?.number === 4n);
  // The log may come after the status.
  await expect
    .poll(() => middleware.logged('vehicle 1 is being stopped: the guard').length)
    .toBe(2);
  expect(middleware.logged('vehicle 2 is being stopped')).toEqual([]);
  middleware.signal('SIGKILL');
});

/** A vehicle that got commands of speed and curvature. */
function commanded(vehicle_id: number): CommandedVehicle {
  const stamp = { nanoseconds: 1n };
  const stamps = { create_stamp: stamp, valid_after_stamp: stamp, obeyed_until: stamp };
  return { vehicle_id, kinds: 2, ...stamps };
}
