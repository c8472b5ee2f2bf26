import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { VehicleStateCodec } from '../../src/messages/index.js';
import type { NodeEvent, PerformedEffect } from '../../src/node/observers/session-observer.js';
import { Tap } from '../../src/node/tap/tap.js';
import { encodeCommand } from '../../src/sides/index.js';
import { commandsOfAllKinds } from '../support/commands.js';
import { oneController } from '../support/open-tap.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

const nsPerMs = 1_000_000n;
const periodNs = 50n * nsPerMs;

/** Simulated time with two vehicles, a step of 50 ms every 20 ms. */
class SimulatedRun {
  readonly socket = path.join(temporaryFolder(), 'a.sock');
  isSecondSilent = false;
  isStopped = false;
  #tNowNs = 0n;
  readonly #tap = new Tap({
    path: this.socket.replace('.sock', '.tap'),
    hello: () => ({
      nodeId: 'middleware',
      compat: 'none',
      timeMode: 'simulated',
      domains: { lab: 0, controllers: 1 },
      controlSocket: this.socket,
      cyclone: '0.10.2',
      node: process.version,
      clock: { monotonicNs: 1n, realtimeNs: 2n },
    }),
    summary: () => ({ ...oneController, timeNs: this.#tNowNs, periodNs }),
    remoteAgents: () => [],
    waitMs: 0,
    onSlowReader: () => undefined,
    onFault: (fault) => {
      throw fault;
    },
  });

  async start(): Promise<void> {
    await this.#tap.listen();
    onTestFinished(() => this.#tap.close());
    const timer = setInterval(() => this.#step(), 20);
    onTestFinished(() => clearInterval(timer));
  }

  #step(): void {
    this.#tNowNs += periodNs;
    const lists = { activeVehicleIds: [], states: [], observations: [] };
    const start = { kind: 'sendStartSignal', tNowNs: this.#tNowNs, periodNs, ...lists };
    this.#handled({ kind: 'wake' }, start);
    for (const id of this.isSecondSilent ? [1] : [1, 2]) {
      const state = { ...VehicleStateCodec.zero(), vehicle_id: id };
      this.#handled({ kind: 'vehicleState', bytes: VehicleStateCodec.encode(state) });
    }
    const path = commandsOfAllKinds(1, this.#tNowNs)[3];
    if (path === undefined) throw new TypeError('no path');
    const command = { ...path, bytes: encodeCommand(path), writerGuid: '0' };
    if (this.isStopped) {
      this.#handled({ kind: 'wake' }, { kind: 'commandVehicle', id: 1, cause: 'stop', command });
      return;
    }
    this.#handled({ kind: 'command', command, writer: '0' }, { kind: 'forwardCommand', command });
  }

  #handled(event: object, ...effects: readonly object[]): void {
    const now = {
      monotonicNs: process.hrtime.bigint(),
      realtimeNs: BigInt(Date.now()) * nsPerMs,
    };
    const times = { now, receivedAtNs: now.realtimeNs, atNs: now.monotonicNs };
    const performed = { written: true, latenessNs: 0n };
    this.#tap.handled(
      { ...times, ...event } as unknown as NodeEvent,
      effects.map((effect) => ({ effect, performed })) as unknown as PerformedEffect[],
      now,
    );
  }
}

it('in simulated time a silent vehicle becomes stale while the others drive, and the plan of a stopped one is gone', async () => {
  const run = new SimulatedRun();
  await run.start();
  const { address } = await startObserver(run.socket);
  const { page, faults } = await openPage();
  await page.goto(address);
  const map = page.getByTestId('map');
  const shown = async () => ({
    vehicles: await map.getAttribute('data-vehicles'),
    stale: await map.getAttribute('data-stale'),
    plans: await map.getAttribute('data-plans'),
  });
  await expect.poll(shown).toEqual({ vehicles: '2', stale: '0', plans: '1' });
  run.isSecondSilent = true;
  await expect.poll(shown).toEqual({ vehicles: '2', stale: '1', plans: '1' });
  await expect.poll(() => page.getByTestId('vehicle-2').textContent()).toContain('stale');
  expect(await page.getByTestId('vehicle-1').textContent()).not.toContain('stale');
  run.isStopped = true;
  await expect.poll(shown).toEqual({ vehicles: '2', stale: '1', plans: '0' });
  expect(faults).toEqual([]);
});
