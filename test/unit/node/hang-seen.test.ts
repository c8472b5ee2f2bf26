import { expect, it, vi } from 'vitest';
import type { Command } from '../../../src/core/index.js';
import type { EmergencySample, HangStop, Pacer, Stall } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import type { SessionObserver } from '../../../src/node/observers/session-observer.js';
import { commandsOfAllKinds, trajectoryCommand, type AnyCommand } from '../../support/commands.js';
import { StillPacer } from '../../support/still-pacer.js';
import { TappedNode } from '../../support/tapped-node.js';
import { MS } from '../core/support.js';

/** A pacer that keeps the emergency samples, and stopped the vehicles in a hang whose event has not come yet. */
class HangingPacer extends StillPacer {
  readonly samples = new Map<number, EmergencySample>();
  hasHang = false;
  isComplete = true;
  /** As before the samples are written because of a fault. */
  sending: (stall: Stall) => boolean = () => true;
  #listener: (stop: HangStop) => void = () => undefined;
  override readonly emergencyStop: Pacer['emergencyStop'] = {
    ...new StillPacer().emergencyStop,
    set: (key, sample) => {
      if (sample === undefined) this.samples.delete(key);
      else this.samples.set(key, sample);
      return true;
    },
    onSending: (listener) => {
      this.sending = listener;
    },
    onSentByHang: (listener) => {
      this.#listener = listener;
    },
    seeHang: () => {
      if (!this.hasHang) return;
      this.hasHang = false;
      this.#listener({ silentNs: 1000n * MS, isComplete: this.isComplete });
    },
  };
}

function alongPath(nowNs: bigint): AnyCommand {
  const path = commandsOfAllKinds(1, nowNs).find(({ kind }) => kind === 'pathTracking');
  if (path === undefined) throw new Error('There is no command with a path.');
  return path;
}

const onPlan = (nowNs: bigint): AnyCommand => ({
  kind: 'trajectory',
  message: trajectoryCommand(1, nowNs),
});

/** A run in real time whose vehicle drives by such a command. */
async function driving(command: (nowNs: bigint) => AnyCommand, policy = 'stop') {
  const forwarded: Command[] = [];
  const stops: Command[] = [];
  const observer: SessionObserver = {
    name: 'commands',
    effect(effect) {
      if (effect.kind === 'forwardCommand') forwarded.push(effect.command);
      if (effect.kind === 'commandVehicle') stops.push(effect.command);
    },
  };
  const pacer = new HangingPacer();
  const flags = `--vehicle-ids=1 --grace-ms=0 --miss-policy=${policy} --vehicle-timeout-ms=0`;
  const node = new TappedNode(flags, observer, pacer);
  await node.ready();
  while (node.startSignals.length === 0) await node.pass(10n * MS);
  await node.command(command(node.nowNs));
  expect(forwarded).toHaveLength(1);
  return { node, pacer, forwarded, stops };
}

const speedsOf = (stops: readonly Command[]) =>
  stops.map((stop) => (stop.kind === 'pathTracking' ? stop.message.speed : NaN));

it('A wake-up before the event of a hang does not let a vehicle drive again that the pacer has stopped', async () => {
  const { node, pacer, stops } = await driving(alongPath);
  for (let i = 0; i < 14; i++) await node.pass(10n * MS);
  expect(stops).toEqual([]);
  pacer.hasHang = true;
  for (let i = 0; i < 20; i++) await node.pass(10n * MS);
  expect(stops.length).toBeGreaterThan(0);
  expect(new Set(speedsOf(stops))).toEqual(new Set([0]));
});

it('No command before the event of a hang drives a vehicle that the pacer has stopped', async () => {
  const { node, pacer, forwarded } = await driving(alongPath);
  await node.pass(10n * MS);
  pacer.hasHang = true;
  await node.command(alongPath(node.nowNs));
  expect(forwarded).toHaveLength(1);
});

it('The end of a run before the event of a hang does not let a vehicle drive again', async () => {
  const { node, pacer, stops } = await driving(alongPath);
  await node.pass(10n * MS);
  pacer.hasHang = true;
  node.node.stop();
  for (let i = 0; i < 10; i++) await node.pass(10n * MS);
  expect(stops.length).toBeGreaterThan(0);
  expect(new Set(speedsOf(stops))).toEqual(new Set([0]));
});

const forHang = ({ samples }: HangingPacer) =>
  [...samples.values()].find(({ occasion }) => occasion === 'afterHang');

/** When the sample for a hang brakes, ns. */
function brakesAtNs(pacer: HangingPacer): bigint {
  const sample = forHang(pacer);
  if (sample === undefined) throw new Error('There is no sample for a hang.');
  const { trajectory_points } = topics.vehicleCommandTrajectory.codec.decode(sample.bytes);
  return trajectory_points[1]?.t.nanoseconds ?? 0n;
}

it('The samples for a hang brake when that counts', async () => {
  const { node, pacer } = await driving(onPlan);
  for (let i = 0; i < 10; i++) await node.pass(10n * MS);
  expect(brakesAtNs(pacer) - node.nowNs).toBeGreaterThan(900n * MS);
});

it('So they do when the timer made them just before the first beat after a stall', async () => {
  const { node, pacer } = await driving(onPlan, 'log');
  await node.pass(10n * MS);
  const before = forHang(pacer);
  node.nowNs += 600n * MS;
  await node.pass(0n);
  await node.command(onPlan(node.nowNs));
  node.nowNs += 30n * MS;
  await expect.poll(() => forHang(pacer) !== before).toBe(true);
  expect(brakesAtNs(pacer) - node.nowNs).toBeLessThan(500n * MS);
  await node.pass(0n);
  expect(brakesAtNs(pacer) - node.nowNs).toBeGreaterThan(900n * MS);
});

it('The samples for a hang stay as they are after a stall, until what came meanwhile is known', async () => {
  const { node, pacer } = await driving(onPlan);
  await node.pass(10n * MS);
  const before = forHang(pacer);
  node.nowNs += 400n * MS;
  // The timer may come before the wake-up that notices the stall.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await node.pass(0n);
  expect(forHang(pacer)).toBe(before);
  await node.pass(30n * MS);
  expect(forHang(pacer)).not.toBe(before);
});

it('There are no samples with a place for a vehicle that a guard has stopped where nobody knows', async () => {
  const { node, pacer } = await driving(onPlan);
  const guardStops = node.guard();
  for (let i = 0; i < 10; i++) await node.pass(10n * MS);
  const withPlaces = () =>
    [...pacer.samples.values()].filter(
      ({ occasion }) => occasion === 'afterHang' || occasion === 'atOnce',
    );
  expect(withPlaces()).not.toEqual([]);
  await guardStops();
  expect(withPlaces()).toEqual([]);
});

const atOnce = ({ samples }: HangingPacer) =>
  [...samples.values()].find(({ occasion }) => occasion === 'atOnce');

it.each([
  { stall: 'none', guarded: false, areOfNow: true },
  { stall: 'none', guarded: true, areOfNow: true },
  { stall: 'suspended', guarded: false, areOfNow: true },
  { stall: 'suspended', guarded: true, areOfNow: false },
  { stall: 'stopped', guarded: false, areOfNow: false },
  { stall: 'stopped', guarded: true, areOfNow: false },
] as const)(
  'A fault, guarded: $guarded, after a stall, $stall: the places are of now and sent: $areOfNow',
  async ({ stall, guarded, areOfNow }) => {
    const { node, pacer } = await driving(onPlan, 'log');
    if (guarded) node.guard();
    await node.pass(10n * MS);
    await node.pass(10n * MS);
    const before = atOnce(pacer);
    expect(before).toBeDefined();
    node.nowNs += 400n * MS;
    expect(pacer.sending(stall)).toBe(areOfNow);
    expect(atOnce(pacer) !== before).toBe(areOfNow);
  },
);

it('No places follow a fault while the stop of a guard after a hang is waited for', async () => {
  const { node, pacer } = await driving(onPlan, 'log');
  node.guard();
  await node.pass(10n * MS);
  pacer.hasHang = true;
  pacer.isComplete = false;
  await node.pass(10n * MS);
  const before = atOnce(pacer);
  expect(pacer.sending('none')).toBe(false);
  expect(atOnce(pacer)).toBe(before);
});

it('No samples follow a fault after the end of a session but those that are there', async () => {
  const { node, pacer } = await driving(onPlan, 'log');
  await node.pass(10n * MS);
  const before = new Map(pacer.samples);
  node.node.close();
  pacer.sending('none');
  expect(pacer.samples).toEqual(before);
});

it('The samples for a hang are made anew also between the wake-ups of a long period', async () => {
  const { node, pacer } = await driving(onPlan);
  await node.pass(10n * MS);
  const before = forHang(pacer);
  node.nowNs += 60n * MS;
  await expect.poll(() => forHang(pacer) !== before).toBe(true);
});

it('The stop of a vehicle on a path goes on in the pacer until that stands', async () => {
  const { node, pacer } = await driving(alongPath);
  const set = vi.spyOn(pacer.stopRamps, 'set').mockReturnValue(true);
  const remove = vi.spyOn(pacer.stopRamps, 'remove');
  for (let i = 0; i < 60; i++) await node.pass(10n * MS);
  expect(set.mock.calls.at(-1)?.[1]).toMatchObject({ speedMps: 0 });
  expect(remove).not.toHaveBeenCalled();
  for (let i = 0; i < 200; i++) await node.pass(10n * MS);
  expect(remove.mock.calls).toEqual([[1]]);
});
