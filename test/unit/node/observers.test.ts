import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LatchedVehicle } from '../../../src/core/index.js';
import { loadShippedQos } from '../../../src/dds/qos/index.js';
import { topics } from '../../../src/messages/index.js';
import { MiddlewareNode } from '../../../src/node/middleware/middleware-node.js';
import type { SessionObserver } from '../../../src/node/observers/session-observer.js';
import { StalenessObserver } from '../../../src/node/observers/staleness.js';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { SessionLog } from '../../../src/node/observers/session-log.js';
import { countedTopicErrors } from '../../../src/node/middleware/topic-errors.js';
import { createSide } from '../../../src/sides/index.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';
import { StillPacer } from '../../support/still-pacer.js';
import { parse } from '../config/parse.js';

const reliable = { reliability: { kind: 'reliable' } } as const;
const transientLocal = { ...reliable, durability: { kind: 'transient-local' } } as const;

let labNetwork: InMemoryNetwork;
let controllerNetwork: InMemoryNetwork;
let nowNs: bigint;
let pacer: StillPacer;
let removed: [name: string, fault: unknown][];
let nodes: MiddlewareNode[];

beforeEach(() => {
  labNetwork = new InMemoryNetwork();
  controllerNetwork = new InMemoryNetwork();
  nowNs = 0n;
  pacer = new StillPacer();
  removed = [];
  nodes = [];
});

afterEach(() => {
  for (const node of nodes) {
    node.stop();
    node.close();
  }
});

/** A middleware in memory that steps simulated time by itself, or whose wake-ups the test makes. */
function start(
  flags: string,
  observers: readonly SessionObserver[],
  latched: readonly LatchedVehicle[] = [],
): MiddlewareNode {
  const config = parse(`--period-ms=50 --transport=ros2 --wait-for-start=false ${flags}`);
  const libraries = loadShippedQos();
  const statistics = new RunStatistics(config.session.vehicleIds);
  const log = new SessionLog(pino({ level: 'silent' }), () => nowNs, { lab: 0, controllers: 1 });
  const node = new MiddlewareNode({
    config,
    parameters: { periodNs: 50_000_000n, activeVehicleIds: [1] },
    lab: createSide('Lab', labNetwork.join(), libraries),
    controllers: createSide('Controller', controllerNetwork.join(), libraries),
    clocks: { monotonicNs: () => nowNs, realtimeNs: () => nowNs + 7n },
    pacer,
    statistics,
    observers: [statistics, ...observers],
    onObserverRemoved: (name, fault) => void removed.push([name, fault]),
    onFault: () => undefined,
    onDeaf: () => undefined,
    latched,
    topicErrors: countedTopicErrors(statistics, log),
    onEnded: () => undefined,
  });
  nodes.push(node);
  return node;
}

/** Controller 1: it is ready, and reads start signals. */
function startController() {
  const side = controllerNetwork.join();
  const heard: bigint[] = [];
  side.createReader(topics.vehicleStateList, reliable, {
    onSample: ({ bytes }) => void heard.push(topics.vehicleStateList.codec.decode(bytes).t_now),
  });
  const ready = side.createWriter(topics.readyStatus, transientLocal);
  const message = { source_id: 'hlc_1', next_start_stamp: { nanoseconds: 0n } };
  ready.write(topics.readyStatus.codec.encode(message));
  return heard;
}

function sendState(id: number, odometerM: number) {
  const writer = labNetwork.join().createWriter(topics.vehicleState, reliable);
  const zero = topics.vehicleState.codec.zero();
  writer.write(
    topics.vehicleState.codec.encode({ ...zero, vehicle_id: id, odometer_distance: odometerM }),
  );
}

/** Kinds of events and effects in the order in which an observer sees them. */
function recorder(name = 'recorder') {
  const seen: string[] = [];
  const observer: SessionObserver = {
    name,
    event: ({ kind }) => void seen.push(`event ${kind}`),
    effect: ({ kind }) => void seen.push(kind),
  };
  return { seen, observer };
}

const simulated = '--simulated-time --time-source=self';

describe('an observer', () => {
  it('sees each event before its effects, in the order of the session', async () => {
    const { seen, observer } = recorder();
    start(simulated, [observer]);
    startController();
    await controllerNetwork.idle();
    expect(seen.slice(seen.indexOf('event readySignal'))).toEqual([
      'event readySignal',
      'controllerReady',
      'allReady',
      'sendStartSignal',
    ]);
  });

  it('sees the requests of the control socket as events', async () => {
    const { seen, observer } = recorder();
    const node = start(simulated, [observer]);
    startController();
    await controllerNetwork.idle();
    seen.length = 0;
    node.control({ command: 'pause' });
    node.control({ command: 'resume' });
    node.control({ command: 'status' });
    expect(seen).toEqual(['event stepControl', 'event stepControl', 'event resume']);
  });

  it('sees nothing of a run until a time that is over', async () => {
    const { seen, observer } = recorder();
    const node = start(simulated, [observer]);
    startController();
    await controllerNetwork.idle();
    seen.length = 0;
    // The first step has the time 1 ns.
    const until = (time_ns: bigint) => () => node.control({ command: 'runUntil', time_ns });
    expect(until(0n)).toThrow(/cannot run until 0 ns: it is 1 ns already/);
    expect(seen).toEqual([]);
    until(1n)();
    expect(seen).toEqual(['event stepControl']);
  });

  it('sees nothing of a request that real time refuses', () => {
    const { seen, observer } = recorder();
    const node = start('', [observer]);
    expect(() => node.control({ command: 'pause' })).toThrow(/simulated/);
    expect(seen).toEqual([]);
  });

  it('sees the effect when its write is done, with both clocks', async () => {
    const writtenBefore: boolean[] = [];
    const heard: bigint[] = [];
    const side = controllerNetwork.join();
    side.createReader(topics.systemTrigger, reliable, { onSample: () => void heard.push(1n) });
    const reading: unknown[] = [];
    const node = start(simulated, [
      {
        name: 'late',
        effect: ({ kind }, { written }, at) => {
          if (kind === 'ended') writtenBefore.push(written);
          reading.push(at);
        },
      },
    ]);
    startController();
    await controllerNetwork.idle();
    nowNs = 5n;
    node.stop();
    await controllerNetwork.idle();
    expect(writtenBefore).toEqual([true]);
    expect(heard).toEqual([1n]);
    expect(reading.at(-1)).toEqual({ monotonicNs: 5n, realtimeNs: 12n });
  });

  it.each<[beginning: string, latched: readonly LatchedVehicle[]]>([
    ['with no latched vehicle', []],
    ['with a latched vehicle', [{ id: 1, kinds: ['speedCurvature'] }]],
  ])(
    'sees an end without a stop trigger where no controller has signed in: %s',
    async (_, latched) => {
      const triggers: bigint[] = [];
      const side = controllerNetwork.join();
      side.createReader(topics.systemTrigger, reliable, { onSample: () => void triggers.push(1n) });
      const node = start(simulated, [], latched);
      node.stop();
      await controllerNetwork.idle();
      expect(triggers).toEqual([]);
    },
  );

  it('is removed when it throws, and neither session nor other observers notice', async () => {
    const { seen, observer } = recorder();
    const fault = new Error('disk full');
    let calls = 0;
    const broken: SessionObserver = {
      name: 'broken',
      effect: () => {
        calls++;
        throw fault;
      },
    };
    start(simulated, [broken, observer]);
    const heard = startController();
    await controllerNetwork.idle();
    expect(heard).toEqual([1n]);
    expect(seen).toContain('sendStartSignal');
    expect([calls, removed]).toEqual([1, [['broken', fault]]]);
  });

  it('receives a stall of the event loop, and is removed when it throws then', () => {
    const stalls: bigint[] = [];
    const fault = new Error('no');
    start('', [
      {
        name: 'broken',
        stalled: () => {
          throw fault;
        },
      },
      { name: 'stalls', stalled: (stallNs) => void stalls.push(stallNs) },
    ]);
    nowNs = 60_000_000n;
    pacer.tick({ deadlineNs: 0n, wokeAtNs: 0n, realtimeNs: 7n });
    pacer.tick({ deadlineNs: 0n, wokeAtNs: 0n, realtimeNs: 7n });
    expect(stalls).toEqual([60_000_000n, 60_000_000n]);
    expect(removed).toEqual([['broken', fault]]);
  });
});

describe('the statistics', () => {
  it('have the way of a vehicle by its odometer', async () => {
    const statistics = new RunStatistics([1]);
    start(simulated, [statistics]);
    sendState(4, 10);
    await labNetwork.idle();
    sendState(4, 12.5);
    await labNetwork.idle();
    expect(statistics.summary().vehicles[4]).toEqual({
      distance_m: 2.5,
      states_received: 2,
      stale_periods: 0,
    });
  });
});

describe('the staleness observer', () => {
  const startSignal = (ageNs: bigint) =>
    ({
      kind: 'sendStartSignal',
      tNowNs: 0n,
      periodNs: 50_000_000n,
      activeVehicleIds: [1],
      states: [{ vehicleId: 1, present: true, ageNs }],
      observations: [],
      latenessNs: 0n,
    }) as never;

  it('reports changes once and counts each start signal, until the session ends', () => {
    const changes: boolean[] = [];
    const counted: number[] = [];
    const staleness = new StalenessObserver(
      ({ stale }) => changes.push(stale),
      (id) => counted.push(id),
    );
    for (const age of [0n, 2_000_000_000n, 3_000_000_000n]) staleness.effect(startSignal(age));
    expect([changes, counted]).toEqual([[true], [1, 1]]);
    staleness.effect({ kind: 'ended', reason: 'stopped', latched: [], moving: [] });
    staleness.effect(startSignal(0n));
    expect([changes, counted]).toEqual([[true], [1, 1]]);
  });
});
