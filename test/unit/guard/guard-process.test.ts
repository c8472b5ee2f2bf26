import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cpmLabVehicle, type Command, type GuardEffect } from '../../../src/core/index.js';
import type { EmergencySample } from '../../../src/dds/index.js';
import { loadShippedQos } from '../../../src/dds/qos/index.js';
import type { LatchedBy } from '../../../src/guard/guard-latches.js';
import { GuardProcess } from '../../../src/guard/guard-process.js';
import {
  MiddlewarePhase,
  topics,
  type GuardStatus,
  type MiddlewareStatus,
} from '../../../src/messages/index.js';
import type { Transport, TransportWriter } from '../../../src/ports/index.js';
import { createSide, readCommands } from '../../../src/sides/index.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';
import { StillPacer } from '../../support/still-pacer.js';
import { speedCommand } from '../core/support.js';
import { recordErrors, reliable, type RecordedErrors } from '../sides/sides.js';

const ms = 1_000_000n;
const startNs = 1_000_000_000_000n;

let network: InMemoryNetwork;
let nowNs: bigint;
let pacer: StillPacer;
let guard: GuardProcess;
let errors: RecordedErrors;
let effects: GuardEffect[];
/** What the guard did to its latch file. */
let latches: string[];
/** The commands that vehicles received. */
let commands: Command[];
let published: GuardStatus[];
let lab: Transport;
let statusWriter: TransportWriter;
let commandWriter: TransportWriter;

beforeEach(() => start());

/** A guard on a network of its own. */
function start(latchedBefore: readonly LatchedBy[] = []): void {
  network = new InMemoryNetwork();
  nowNs = startNs;
  pacer = new StillPacer();
  errors = recordErrors();
  [effects, latches, commands, published] = [[], [], [], []];
  const transport = network.join();
  guard = new GuardProcess({
    name: 'guard',
    side: createSide('Lab', transport, loadShippedQos()),
    // The first participant of the network.
    ownGuid: `${'1'.padStart(24, '0')}00000000`,
    clocks: { monotonicNs: () => nowNs, realtimeNs: () => nowNs },
    pacer,
    stops: { profile: cpmLabVehicle, brakingMps2: 2, zeroForNs: 1000n * ms },
    afterNs: null,
    latches: {
      commanded: () => undefined,
      add: (sourceId, ids) => void latches.push(`add ${ids.join()} of ${sourceId}`),
      forget: (ids) => void latches.push(`forget ${ids.join()}`),
    },
    latchedBefore,
    periodNs: 50n * ms,
    errors,
    onEffect: (effect) => void effects.push(effect),
  });
  const vehicles = createSide('Controller', network.join(), loadShippedQos());
  readCommands(vehicles, (command) => void commands.push(command), errors);
  lab = network.join();
  lab.createReader(topics.guardStatus, reliable, {
    onSample: ({ bytes }) => void published.push(topics.guardStatus.codec.decode(bytes)),
  });
  statusWriter = lab.createWriter(topics.middlewareStatus, reliable);
  commandWriter = lab.createWriter(topics.vehicleCommandSpeedCurvature, reliable);
}

afterEach(() => {
  expect(errors.lines).toEqual([]);
});

async function report(changes: Partial<MiddlewareStatus> = {}): Promise<void> {
  const { codec } = topics.middlewareStatus;
  const zero = { nanoseconds: 0n };
  const vehicle = { vehicle_id: 3, kinds: 0, obeyed_until: zero };
  statusWriter.write(
    codec.encode({
      ...codec.zero(),
      epoch: 5n,
      source_id: 'middleware',
      period: 50n * ms,
      phase: MiddlewarePhase.Running,
      vehicles: [{ ...vehicle, create_stamp: zero, valid_after_stamp: zero }],
      ...changes,
    }),
  );
  await network.idle();
}

async function command(): Promise<void> {
  const { message } = speedCommand(3, nowNs);
  commandWriter.write(topics.vehicleCommandSpeedCurvature.codec.encode(message));
  await network.idle();
}

/** Wakes the guard every 25 ms for this time. */
async function run(ns: bigint): Promise<void> {
  for (const endNs = nowNs + ns; nowNs < endNs;) {
    nowNs += 25n * ms;
    pacer.tick({ deadlineNs: nowNs, wokeAtNs: nowNs, realtimeNs: nowNs });
    await network.idle();
  }
}

const last = () => published.at(-1)?.stops;

/** The middleware commands its vehicle and is then silent for this time, and the guard fails. */
async function failAfter(silentNs: bigint) {
  const set = vi.spyOn(pacer.emergencyStop, 'set');
  await report();
  await command();
  await run(silentNs);
  const isStopping = guard.failed();
  const calls = set.mock.calls as [number, EmergencySample][];
  return { isStopping, samples: calls.map(([, sample]) => sample) };
}

describe('a guard', () => {
  it('stops a vehicle over the network, publishes the stop, and latches it in the file', async () => {
    await report();
    await command();
    await run(250n * ms);
    expect(commands).toHaveLength(1);
    expect(last()).toEqual([]);
    await run(100n * ms);
    const [, stop] = commands;
    expect(stop).toMatchObject({ kind: 'speedCurvature', message: { vehicle_id: 3 } });
    expect(last()).toMatchObject([{ vehicle: { vehicle_id: 3, kinds: 2 }, number: 1n }]);
    expect(latches).toEqual(['add 3 of middleware']);
    expect(guard.isNeededBy('another')).toBe(true);
    // Its own commands come back to it, and are no reason for further ones.
    const before = commands.length;
    await run(5000n * ms);
    expect(commands.length).toBeGreaterThan(before);
    const atRest = commands.length;
    await run(2000n * ms);
    expect(commands).toHaveLength(atRest);
    expect(last()).toMatchObject([{ vehicle: { vehicle_id: 3, kinds: 2 }, number: 1n }]);
  });

  it('has the stop of a vehicle on a path go on in the pacer until that stands', async () => {
    const set = vi.spyOn(pacer.stopRamps, 'set').mockReturnValue(true);
    const remove = vi.spyOn(pacer.stopRamps, 'remove');
    const topic = topics.vehicleCommandPathTracking;
    const stamp = { nanoseconds: nowNs };
    const header = { create_stamp: stamp, valid_after_stamp: stamp };
    const path = [0, 1].map((s) => ({ pose: { x: s, y: 0, yaw: 0 }, s }));
    await report();
    const onPath = lab.createWriter(topic, reliable);
    onPath.write(topic.codec.encode({ vehicle_id: 3, header, path, speed: 1 }));
    await run(1000n * ms);
    expect(set.mock.calls.at(-1)?.[1]).toMatchObject({ speedMps: 0 });
    expect(remove).not.toHaveBeenCalled();
    await run(2000n * ms);
    expect(effects.at(-1)).toMatchObject({ kind: 'vehicleStopped', id: 3 });
    expect(remove.mock.calls).toEqual([[3]]);
  });

  it('gives the vehicle back to a middleware that has taken over', async () => {
    await report();
    await command();
    await run(400n * ms);
    const epoch = published.at(-1)?.epoch ?? 0n;
    await command();
    await report({ taken_over: [{ guard: epoch, vehicle_id: 3, number: 1n }] });
    expect(last()).toEqual([]);
    expect(latches).toEqual(['add 3 of middleware', 'forget 3']);
    const { length } = commands;
    for (let i = 0; i < 40; i++) {
      await report();
      await command();
      await run(50n * ms);
    }
    expect(commands).toHaveLength(length + 40);
  });

  it('stops what was latched before it, and latches it anew', async () => {
    start([{ sourceId: 'middleware', vehicles: [{ id: 7, kinds: ['speedCurvature'] }] }]);
    await run(700n * ms);
    expect(commands[0]).toMatchObject({
      kind: 'speedCurvature',
      message: { vehicle_id: 7, speed: 0 },
    });
    expect(last()).toMatchObject([{ vehicle: { vehicle_id: 7, kinds: 2 }, number: 1n }]);
    expect(latches).toEqual(['add 7 of middleware']);
  });

  it('makes the vehicles that nobody stops stand still when it fails, latches them, and does no more', async () => {
    const { isStopping, samples } = await failAfter(250n * ms);
    expect(isStopping).toBe(true);
    expect(latches).toEqual(['add 3 of middleware']);
    const { codec } = topics.vehicleCommandSpeedCurvature;
    const stops = samples.map(({ bytes }) => codec.decode(bytes));
    expect(stops).toMatchObject([{ vehicle_id: 3, speed: 0 }]);
    expect(guard.failed()).toBe(false);
    await run(2000n * ms);
    expect(commands).toHaveLength(1);
  });

  it('commands nothing when it fails while the middleware lives', async () => {
    expect(await failAfter(200n * ms)).toEqual({ isStopping: false, samples: [] });
    expect(latches).toEqual([]);
  });

  it('stands still the vehicle that it holds when it fails', async () => {
    const { isStopping, samples } = await failAfter(2000n * ms);
    expect(isStopping).toBe(true);
    expect(samples).not.toEqual([]);
  });

  it('stops a vehicle whose status has stamps that no command could outrank', async () => {
    const most = { nanoseconds: 2n ** 64n - 1n };
    const stamps = { create_stamp: most, valid_after_stamp: most, obeyed_until: most };
    await report({ vehicles: [{ vehicle_id: 3, kinds: 2, ...stamps }] });
    await run(1000n * ms);
    expect(last()).toMatchObject([{ vehicle: { vehicle_id: 3 } }]);
    expect(commands.length).toBeGreaterThan(10);
  });

  it('is not needed after the clean end of its middleware', async () => {
    await report();
    await command();
    expect(guard.isNeededBy('middleware')).toBe(true);
    await report({ phase: MiddlewarePhase.Ended });
    expect(guard.isNeededBy('middleware')).toBe(false);
    await run(2000n * ms);
    expect(commands).toHaveLength(1);
    expect(latches).toEqual([]);
  });
});
