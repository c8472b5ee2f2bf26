import { expect, it } from 'vitest';
import { stopSymbol } from '../../../src/core/index.js';
import { FleetTime } from '../../../src/lab/fleet-time.js';

/** Time for two participants, and a control in which these have signed in. */
function fleet() {
  const wantedNs = new Map<string, bigint>();
  let asked = 0;
  let steps = 0;
  const clock = { nowNs: () => 0n, advanceTo: () => undefined, skipTo: () => undefined };
  const time = new FleetTime(clock as never, 2, () => undefined);
  const control = {
    askAll: () => {
      asked++;
      return Promise.resolve([...wantedNs.keys()]);
    },
    time: {
      participants: () =>
        Array.from(wantedNs, ([sourceId, nextStartNs]) => {
          return { sourceId, state: 'waiting', nextStartNs };
        }),
      step: () => steps++,
    },
  };
  const see = async (event: object) => {
    time.onEvent(event as never, control as never);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    see,
    signIn: async (sourceId: string, nextStartNs = 1n) => {
      wantedNs.set(sourceId, nextStartNs);
      await see({ kind: 'participant', participant: { sourceId, nextStartNs } });
    },
    counts: () => ({ asked, steps }),
  };
}

it('asks a middleware that was started again whether it has all writers, as it asked the first one', async () => {
  const { see, signIn, counts } = fleet();
  await signIn('middleware_1');
  expect(counts()).toEqual({ asked: 1, steps: 0 });
  await see({ kind: 'participant-left', sourceId: 'middleware_1', holdsTime: true });
  await signIn('middleware_1');
  expect(counts()).toEqual({ asked: 2, steps: 0 });
  await signIn('middleware_2');
  expect(counts()).toEqual({ asked: 3, steps: 1 });
  await signIn('middleware_2');
  expect(counts()).toEqual({ asked: 3, steps: 2 });
});

it('waits for nobody who has signed off, and asks it nothing', async () => {
  const { see, signIn, counts } = fleet();
  await signIn('middleware');
  await signIn('gateway');
  await signIn('gateway', stopSymbol);
  expect(counts()).toEqual({ asked: 2, steps: 2 });
  await see({ kind: 'participant-left', sourceId: 'gateway', holdsTime: false });
  await signIn('middleware');
  expect(counts()).toEqual({ asked: 2, steps: 3 });
  await signIn('another', stopSymbol);
  expect(counts()).toEqual({ asked: 2, steps: 4 });
});
