import path from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { loadShippedQos } from '../../../src/dds/qos/index.js';
import { topics, type VehicleCommandDirect } from '../../../src/messages/index.js';
import { Middleware } from '../../../src/node/middleware/middleware.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TopicRecorder } from '../../support/topic-recorder.js';
import { parse } from '../../unit/config/parse.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;

interface TwoDomains {
  readonly lab: number;
  readonly controllers: number;
}

/** A middleware in this process. */
async function openMiddleware(host: TestLab, flags: string): Promise<Middleware> {
  const middleware = await Middleware.open({
    config: parse(`--wait-for-start=false --miss-policy=log --zero-speed-ms=20 ${flags}`),
    libraries: loadShippedQos(),
    dds: host.context,
    pacer: host.context.createPacer(),
    nodeLog: {
      log: pino({ level: 'silent' }),
      showOnly: () => undefined,
      listen: () => undefined,
      setLevel: () => undefined,
    },
    stopped: new AbortController().signal,
    onFault: (fault) => {
      throw fault;
    },
  });
  onTestFinished(() => middleware.close());
  return middleware;
}

/** One lab on two domains, with its own middleware, controller and period. */
async function startLab(host: TestLab, domains: TwoDomains, id: number, flags: string) {
  const controller = new ScriptedController(host.joinDomain(domains.controllers), { ids: [id] });
  const commands = new TopicRecorder<VehicleCommandDirect>(
    host.joinDomain(domains.lab),
    topics.vehicleCommandDirect,
  );
  const middleware = await openMiddleware(
    host,
    `--vehicle-ids=${id} --dds-domain=${domains.lab} --domain-number=${domains.controllers} --control-socket=off ${flags}`,
  );
  expect(await middleware.start()).toBe(true);
  controller.signIn();
  return {
    controller,
    middleware,
    commandedIds: () => new Set(commands.messages.items.map(({ message }) => message.vehicle_id)),
    times: () => controller.startSignals.items.map(({ list }) => list.t_now),
  };
}

it('two labs on four domains have a middleware each in one process', async () => {
  const host = openTestLab();
  const real = await startLab(host, { lab: 0, controllers: 1 }, 1, '--period-ms=20');
  const simulated = await startLab(
    host,
    { lab: 2, controllers: 3 },
    2,
    '--period-ms=50 --simulated-time --time-source=self --periods=500',
  );
  await real.controller.startSignals.untilCount(20);
  await simulated.middleware.over();
  await simulated.controller.startSignals.untilCount(500);

  expect(simulated.times()).toEqual(
    Array.from({ length: 500 }, (_, step) => 1n + BigInt(step) * 50_000_000n),
  );
  expect(real.times().filter((time) => (time - 1n) % 20_000_000n !== 0n)).toEqual([]);
  expect(simulated.middleware.lastEnd?.reason).toBe('periodsDone');
  expect(await simulated.controller.triggers.untilCount(1)).toBe(stopSymbol);
  await simulated.middleware.close();

  // The end of one lab is none for the other.
  const { length } = real.controller.startSignals.items;
  await real.controller.startSignals.untilCount(length + 20);
  expect(real.controller.triggers.items).toEqual([]);
  real.middleware.stop();
  await real.middleware.over();
  expect(await real.controller.triggers.untilCount(1)).toBe(stopSymbol);
  expect([...real.commandedIds(), ...simulated.commandedIds()]).toEqual([1, 2]);
  expect(Object.keys(simulated.middleware.summary(0)?.controllers ?? {})).toEqual(['2']);
});

it('two labs in real time have a rhythm each', async () => {
  const host = openTestLab();
  const slow = await startLab(host, { lab: 0, controllers: 1 }, 1, '--period-ms=50');
  const fast = await startLab(host, { lab: 2, controllers: 3 }, 2, '--period-ms=10');
  await slow.controller.startSignals.untilCount(20);
  await fast.controller.startSignals.untilCount(100);
  for (const { times, periodNs } of [
    { times: slow.times(), periodNs: 50_000_000n },
    { times: fast.times(), periodNs: 10_000_000n },
  ]) {
    expect(times.filter((time) => (time - 1n) % periodNs !== 0n)).toEqual([]);
    expect(new Set(times).size).toBe(times.length);
  }
});

it('a middleware does not start while another one has its node id', async () => {
  const host = openTestLab();
  const folder = temporaryFolder();
  const socket = `--control-socket=${path.join(folder, 'middleware.sock')}`;
  const first = await openMiddleware(host, `--period-ms=50 ${socket}`);
  expect(await first.start()).toBe(true);
  const second = await openMiddleware(
    host,
    `--period-ms=50 --dds-domain=2 --domain-number=3 ${socket}`,
  );
  await expect(second.start()).rejects.toThrow(/^Another running middleware has this --node-id/);
  expect(second.view()).toBeUndefined();
  await first.close();
  expect(await second.start()).toBe(true);
});
