import { expect, it } from 'vitest';
import type { StepControl } from '../../../src/core/index.js';
import { TimeHold } from '../../../src/node/middleware/time-hold.js';
import type { NodeEffect, SessionObserver } from '../../../src/node/observers/session-observer.js';
import { directCommand } from '../../support/commands.js';
import { TappedNode } from '../../support/tapped-node.js';
import { eventfulRun } from '../../support/tapped-run.js';

/** An observer that holds time while the test wants it. */
class Holder implements SessionObserver {
  readonly name = 'holder';
  release: () => Promise<void> = () => Promise.resolve();
  #hold: Promise<void> | undefined;

  hold(): void {
    this.#hold = new Promise((resolve) => {
      this.release = async () => {
        this.#hold = undefined;
        resolve();
        // The session goes on in a task of its own.
        await new Promise(setImmediate);
      };
    });
  }

  timeHold(): Promise<void> | undefined {
    return this.#hold;
  }
}

const begun = [{ kind: 'sendStartSignal' }] as unknown as NodeEffect[];

function openHold() {
  const holder = new Holder();
  const controls: StepControl[] = [];
  const holds: [boolean, boolean][] = [];
  const hold = new TimeHold({
    wanted: () => holder.timeHold(),
    control: (control) => controls.push(control),
    onHold: (isHeld, isPaused) => holds.push([isHeld, isPaused]),
  });
  return { holder, hold, controls, holds };
}

const step = (count: number): StepControl => ({ kind: 'step', count });

it.each<[string, StepControl[], number, StepControl[]]>([
  ['open', [], 1, [{ kind: 'resume' }]],
  ['for some steps', [step(5)], 2, [step(3)]],
  ['until a time', [{ kind: 'runUntil', tNs: 7n }], 2, [{ kind: 'runUntil', tNs: 7n }]],
])('A hold of time that is %s ends as it was', async (_, given, steps, after) => {
  const { holder, hold, controls } = openHold();
  for (const control of given) hold.byUser(control);
  for (let i = 1; i < steps; i++) hold.handled(begun);
  holder.hold();
  hold.handled(begun);
  hold.handled([]);
  expect(controls).toEqual([...given, { kind: 'pause' }]);
  await holder.release();
  expect(controls).toEqual([...given, { kind: 'pause' }, ...after]);
});

it.each<[string, StepControl[]]>([
  ['is paused', [{ kind: 'pause' }]],
  ['has made all steps', [step(1)]],
])('Time that %s is not held', (_, given) => {
  const { holder, hold, controls } = openHold();
  for (const control of given) hold.byUser(control);
  holder.hold();
  hold.handled(begun);
  expect(controls).toEqual(given);
});

it('A control of the user takes effect after a hold', async () => {
  const { holder, hold, controls } = openHold();
  holder.hold();
  hold.handled([]);
  hold.byUser(step(2));
  expect(controls).toEqual([{ kind: 'pause' }]);
  await holder.release();
  expect(controls).toEqual([{ kind: 'pause' }, step(2)]);
});

it('A hold says whether the user has paused the session meanwhile', async () => {
  const { holder, hold, holds } = openHold();
  holder.hold();
  hold.handled([]);
  await holder.release();
  holder.hold();
  hold.handled([]);
  hold.byUser({ kind: 'pause' });
  await holder.release();
  expect(holds).toEqual([
    [true, false],
    [false, false],
    [true, false],
    [false, true],
  ]);
});

it('A hold ends silently when the session is over', async () => {
  const { holder, hold, controls } = openHold();
  holder.hold();
  hold.handled([]);
  hold.close();
  await holder.release();
  expect(controls).toEqual([{ kind: 'pause' }]);
});

it('A session in simulated time ends its step and waits with the next one', async () => {
  const holder = new Holder();
  const node = new TappedNode('--vehicle-ids=1 --simulated-time --time-source=self', holder);
  await node.pass(0n);
  await node.ready();
  expect(node.startSignals).toHaveLength(1);
  holder.hold();
  await node.state(0);
  await node.command(directCommand(1, 1n));
  await node.pass(1_000_000n);
  expect(node.startSignals).toHaveLength(1);
  await holder.release();
  await node.pass(1_000_000n);
  expect(node.startSignals).toHaveLength(2);
});

it('A session in real time waits for no observer', async () => {
  const holder = new Holder();
  const node = new TappedNode('--vehicle-ids=1', holder);
  holder.hold();
  await eventfulRun(node, false);
  expect(node.startSignals.length).toBeGreaterThan(5);
});
