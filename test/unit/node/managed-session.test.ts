import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunConfig } from '../../../src/config/index.js';
import { HlcError } from '../../../src/errors/index.js';
import { loadShippedQos } from '../../../src/dds/qos/index.js';
import { topics } from '../../../src/messages/index.js';
import { ManagedLife } from '../../../src/node/middleware/managed-life.js';
import { ManagedSession } from '../../../src/node/middleware/managed-session.js';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { SessionLog } from '../../../src/node/observers/session-log.js';
import { createSide, localEndpoints } from '../../../src/sides/index.js';
import { TimeOuts } from '../../../src/node/middleware/time-outs.js';
import { countedTopicErrors } from '../../../src/node/middleware/topic-errors.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';
import { StillPacer } from '../../support/still-pacer.js';
import { parse } from '../config/parse.js';

const stop = 0xffff_ffff_ffff_ffffn;
const log = pino({ level: 'silent' });
const flags = '--period-ms=50 --simulated-time --time-source=self --transport=ros2';

let labNetwork: InMemoryNetwork;
let controllerNetwork: InMemoryNetwork;
let begun: number;
let faults: unknown[];
/** What the lab answers next. */
let refusal: Error | undefined;
/** Times of start signals and triggers, as a controller receives them. */
let heard: bigint[];
let session: ManagedSession;

beforeEach(() => {
  labNetwork = new InMemoryNetwork();
  controllerNetwork = new InMemoryNetwork();
  begun = 0;
  faults = [];
  refusal = undefined;
  heard = [];
});

afterEach(async () => {
  await session.work.shutdown();
});

function manage(more = '', given: Partial<RunConfig> = {}): ManagedLife {
  const config = { ...parse(`${flags} ${more}`), ...given };
  const libraries = loadShippedQos();
  const lab = createSide('Lab', labNetwork.join(), libraries);
  const controllers = createSide('Controller', controllerNetwork.join(), libraries);
  const statistics = new RunStatistics(config.session.vehicleIds);
  const sessionLog = new SessionLog(log, () => 0n, { lab: 0, controllers: 1 });
  const noParticipants = { participants: [], endpoints: [] } as never;
  const [local, other] = [
    localEndpoints('lab', 0, lab),
    localEndpoints('controller', 1, controllers),
  ];
  session = new ManagedSession({
    config,
    lab,
    controllers,
    clocks: { monotonicNs: () => 0n, realtimeNs: () => 0n },
    pacer: new StillPacer(),
    statistics,
    observers: [statistics],
    onObserverRemoved: (_, fault) => {
      throw fault;
    },
    onFault: () => undefined,
    onDeaf: () => undefined,
    topicErrors: countedTopicErrors(statistics, sessionLog),
    timeOuts: new TimeOuts(
      config,
      { local, other, discovered: () => noParticipants },
      { local: other, other: local, discovered: () => noParticipants },
      log,
    ),
    askParameters: () =>
      refusal === undefined
        ? Promise.resolve({ periodNs: 50_000_000n, activeVehicleIds: [1] })
        : Promise.reject(refusal),
    latched: () => Promise.resolve([]),
    givenUp: () => false,
    onBegin: () => begun++,
    onOver: () => life.sessionOver(),
  });
  const life = new ManagedLife(config, session, log, (fault) => void faults.push(fault));
  return life;
}

/** A controller that is ready, and answers nothing. Its ready signal stays until it leaves. */
function startController() {
  const side = controllerNetwork.join();
  const qos = { reliability: { kind: 'reliable' } } as const;
  side.createReader(topics.vehicleStateList, qos, {
    onSample: ({ bytes }) => void heard.push(topics.vehicleStateList.codec.decode(bytes).t_now),
  });
  side.createReader(topics.systemTrigger, qos, {
    onSample: ({ bytes }) =>
      void heard.push(topics.systemTrigger.codec.decode(bytes).next_start.nanoseconds),
  });
  const ready = side.createWriter(topics.readyStatus, {
    ...qos,
    durability: { kind: 'transient-local' },
  });
  const message = { source_id: 'hlc_1', next_start_stamp: { nanoseconds: 0n } };
  ready.write(topics.readyStatus.codec.encode(message));
  return side;
}

describe('a managed session', () => {
  it('begins when the node is activated, not before', async () => {
    const { life } = manage();
    startController();
    await life.command('configure');
    await controllerNetwork.idle();
    expect([session.view(), begun, heard]).toEqual([undefined, 0, []]);
    await life.command('activate');
    await controllerNetwork.idle();
    expect(session.view()?.phase).toBe('running');
    expect(heard).toEqual([1n]);
  });

  it('stops the controllers when the node is deactivated, and takes no ready signal from then on', async () => {
    const { life } = manage();
    await life.command('configure');
    await life.command('activate');
    startController();
    await controllerNetwork.idle();
    expect(await life.command('deactivate')).toBe('success');
    await controllerNetwork.idle();
    expect(heard).toEqual([1n, stop]);
    expect(session.view()).toBeUndefined();
    expect(session.lastEnd?.reason).toBe('stopped');
  });

  it('is a new one each time, which waits for all controllers and begins at the first step', async () => {
    const { life } = manage();
    await life.command('configure');
    await life.command('activate');
    const first = startController();
    await controllerNetwork.idle();
    await life.command('deactivate');
    await controllerNetwork.idle();
    first.close();
    await life.command('activate');
    await controllerNetwork.idle();
    expect(session.view()?.phase).toBe('waitingForControllers');
    startController();
    await controllerNetwork.idle();
    expect(heard).toEqual([1n, stop, 1n]);
    expect(begun).toBe(2);
  });

  it('is steered while it is there, and says so when it is not', async () => {
    const { life } = manage();
    const control = (command: 'pause' | 'status') => session.control({ command }, life.state);
    expect(control('status')).toMatchObject({ phase: 'unconfigured', controllers: [] });
    expect(() => control('pause')).toThrow(/^The node is unconfigured, so there is no session/);
    await life.command('configure');
    await life.command('activate');
    expect(control('pause')).toMatchObject({ phase: 'waitingForControllers' });
  });

  it('stays away when the lab does not answer, with the reason', async () => {
    const { life } = manage();
    refusal = new HlcError('HLC_CONTROL_OFF', {});
    expect(await life.command('configure')).toBe('failure');
    expect(life.state).toBe('unconfigured');
    expect(session.failure).toBe(refusal);
    refusal = undefined;
    await life.command('configure');
    await life.command('activate');
    expect(session.failure).toBeUndefined();
  });
});

describe('the end of a session', () => {
  it('is that of the process, where the node started it itself', async () => {
    const managed = manage('--ready-timeout-ms=1');
    expect(await managed.start()).toBe(true);
    managed.sessionOver();
    await managed.over;
    expect(managed.life.state).toBe('active');
  });

  it('leaves the node inactive, where others drive it', async () => {
    const managed = manage('--autostart=false');
    await managed.life.command('configure');
    await managed.life.command('activate');
    managed.sessionOver();
    await managed.life.end();
    expect(managed.life.state).toBe('finalized');
    await managed.over;
  });

  it('is a failure when the node cannot start at all', async () => {
    const managed = manage();
    refusal = new HlcError('HLC_CONTROL_OFF', {});
    expect(await managed.start()).toBe(false);
    expect(managed.failure).toBe(refusal);
  });

  it('is a failure when there is a fault in this program', async () => {
    const managed = manage();
    refusal = new TypeError('broken');
    expect(await managed.start()).toBe(false);
    await managed.over;
    expect([managed.failure, faults]).toEqual([refusal, [refusal]]);
    expect(managed.life.state).toBe('unconfigured');
  });
});
