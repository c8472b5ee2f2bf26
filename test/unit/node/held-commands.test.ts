import { expect, it } from 'vitest';
import { HeldCommands } from '../../../src/node/middleware/held-commands.js';
import type { NodeEvent } from '../../../src/node/observers/session-observer.js';
import type { SessionObserver } from '../../../src/node/observers/session-observer.js';
import { directCommand } from '../../support/commands.js';
import { TappedNode } from '../../support/tapped-node.js';
import { MS } from '../core/support.js';

/** A run in real time whose controller has answered the first start signal. */
async function drivingNode() {
  const forwarded: bigint[] = [];
  const observer: SessionObserver = {
    name: 'forwarded commands',
    effect(effect) {
      if (effect.kind !== 'forwardCommand') return;
      forwarded.push(effect.command.message.header.create_stamp.nanoseconds);
    },
  };
  const node = new TappedNode('--vehicle-ids=1 --grace-ms=0 --miss-policy=stop', observer);
  const guardStops = node.guard();
  const command = async () => {
    await node.command(directCommand(1, node.nowNs));
    return node.nowNs;
  };
  await node.ready();
  while (node.startSignals.length === 0) await node.pass(10n * MS);
  const first = await command();
  expect(forwarded).toEqual([first]);
  await node.pass(20n * MS);
  return { node, forwarded, first, command, guardStops };
}

it('After a stall no command is forwarded before the status of a guard is read', async () => {
  const { node, forwarded, first, command, guardStops } = await drivingNode();
  node.nowNs += 700n * MS;
  await command();
  await node.pass(1n * MS);
  await command();
  await guardStops();
  await node.pass(25n * MS);
  expect(forwarded).toEqual([first]);
});

it('What came after a stall is forwarded when the guard has stopped nothing', async () => {
  const { node, forwarded, first, command } = await drivingNode();
  node.nowNs += 210n * MS;
  const late = [await command()];
  await node.pass(1n * MS);
  late.push(await command());
  expect(forwarded).toEqual([first]);
  // The wait is over, and no command overtakes those that are held.
  node.nowNs += 25n * MS;
  late.push(await command());
  expect(forwarded).toEqual([first]);
  await node.pass(1n * MS);
  expect(forwarded).toEqual([first, ...late]);
});

it('Start signals that went out in a stall keep their places among the commands', () => {
  const handled: [kind: string, bytes: number, atNs: bigint][] = [];
  let isBehind = true;
  const held = new HeldCommands({
    isBehind: () => isBehind,
    holdsAll: () => false,
    nowNs: () => 9n,
    handle: (event) => {
      if (event.kind !== 'startSent' && event.kind !== 'command') return;
      const { bytes } = event.kind === 'command' ? event.command : event;
      handled.push([event.kind, bytes[0] ?? NaN, event.atNs]);
    },
  });
  // Both are of memory that is used again.
  const bytes = new Uint8Array([1]);
  held.receive({ kind: 'startSent', atNs: 1n, bytes } as NodeEvent);
  bytes[0] = 2;
  held.receive({ kind: 'command', atNs: 1n, command: { bytes } } as NodeEvent);
  isBehind = false;
  bytes[0] = 3;
  held.receive({ kind: 'startSent', atNs: 1n, bytes } as NodeEvent);
  bytes[0] = 4;
  expect(handled).toEqual([]);
  held.release();
  expect(handled).toEqual([
    ['startSent', 1, 9n],
    ['command', 2, 9n],
    ['startSent', 3, 9n],
  ]);
});

it('Nothing overtakes an event of a controller that is held, until all are released', () => {
  const handled: string[] = [];
  let holdsAll = true;
  const held = new HeldCommands({
    isBehind: () => false,
    holdsAll: () => holdsAll,
    nowNs: () => 0n,
    handle: (event) => handled.push(event.kind),
  });
  const joins = { kind: 'writerChanged' } as NodeEvent;
  const signsIn = { kind: 'readySignal' } as NodeEvent;
  held.receive(joins);
  holdsAll = false;
  held.receive(signsIn);
  expect(handled).toEqual([]);
  held.release();
  held.receive(signsIn);
  expect(handled).toEqual(['writerChanged', 'readySignal', 'readySignal']);
});
