import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { application } from './application.mjs';
import { ChildProgram } from '../support/child-program.js';
import { onlyBlock, pageOf } from '../support/markdown.js';
import { Middleware } from '../support/middleware.js';
import { openNamespacePair, type NetworkNamespace } from '../support/network-namespaces.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const peerProgram = fileURLToPath(new URL('./peer.mjs', import.meta.url));
const relayProgram = fileURLToPath(new URL('../peers/announcement-relay.mjs', import.meta.url));
const labDomain = 44;
const controllerDomain = 45;
const relayPort = 25_598;
/** RTI is not a dependency: a variable says where it is. */
const variable = 'RTI_CONNECTOR';
const folder = process.env[variable] ?? '';

/** The computer of a lab whose programs use RTI Connext, and another one. */
function openComputers({ skip }: TestContext) {
  if (!existsSync(path.join(folder, 'node_modules/rticonnextdds-connector'))) {
    return skip(
      `RTI Connext is not here: run "npm install rticonnextdds-connector" in a folder of your own and name the folder with ${variable}`,
    );
  }
  const pair = openNamespacePair();
  if (typeof pair === 'string') return skip(pair);
  const { here, there } = pair;
  const start = (on: NetworkNamespace, what: string, ...command: string[]) => {
    const [program = '', ...args] = [...on.through, process.execPath, ...command];
    return new ChildProgram(what, program, args, '');
  };
  return {
    here,
    there,
    startMiddleware: (...flags: string[]) =>
      new Middleware('', [...flags, '--vehicle_ids=1,2'], {
        defaults: [
          `--dds_domain=${labDomain}`,
          `--domain_number=${controllerDomain}`,
          '--control_socket=off',
        ],
        through: here.through,
      }),
    startPeer: async (
      on: NetworkNamespace,
      role: 'controller' | 'guideController' | 'control' | 'vehicle',
      id: number,
      labPeers: readonly string[] = [],
    ) => {
      const file = path.join(temporaryFolder(), 'application.xml');
      const { address } = on;
      const network = { address, labDomain, controllerDomain, labPeers };
      writeFileSync(file, application({ ...network, guideSettings: guideSettings() }));
      const peer = start(on, `${role} ${id}`, peerProgram, folder, file, role, String(id));
      await peer.stdout.until((line) => line === 'ready');
      return peer;
    },
    startRelay: async () => {
      const relay = start(here, 'the relay', relayProgram, String(relayPort));
      await relay.stdout.until((line) => line === 'ready');
    },
  };
}

/** The policies of the participant that docs/guide/matlab.md shows. */
function guideSettings(): string {
  const xml = onlyBlock(pageOf('docs/guide/matlab.md'), 'xml');
  const settings = /<domain_participant_qos>([^]*)<\/domain_participant_qos>/.exec(xml)?.[1];
  if (settings === undefined) throw new Error('the page shows no settings of a participant');
  return settings;
}

/** What the peer has received until now. */
async function received(peer: ChildProgram): Promise<Readonly<Record<string, number>>> {
  const before = peer.stdout.items.length;
  peer.send('report');
  return JSON.parse(await peer.stdout.untilCount(before + 1)) as Record<string, number>;
}

const runPeriods = 60;

describe('programs of the CPM Lab with RTI Connext', () => {
  it('on one computer are served with --compat=cpm-lab alone', async (context) => {
    const { here, startMiddleware, startPeer } = openComputers(context);
    const middleware = startMiddleware('--compat=cpm-lab', `--periods=${runPeriods}`);
    const control = await startPeer(here, 'control', 0);
    await middleware.untilLogged('waiting for controllers');
    const vehicles = [await startPeer(here, 'vehicle', 1), await startPeer(here, 'vehicle', 2)];
    const controllers = [
      await startPeer(here, 'controller', 1),
      await startPeer(here, 'controller', 2),
    ];
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect((await received(control)).signIns).toBeGreaterThan(0);
    for (const controller of controllers) {
      const { startSignals, states, triggers } = await received(controller);
      expect(startSignals).toBeGreaterThan(runPeriods / 2);
      expect(states).toBe(2);
      expect(triggers).toBeGreaterThan(0);
    }
    for (const vehicle of vehicles) {
      expect((await received(vehicle)).commands).toBeGreaterThan(runPeriods / 2);
    }
  });

  it('on other computers are met through the service that the control centre names', async (context) => {
    const { here, there, startMiddleware, startPeer, startRelay } = openComputers(context);
    await startRelay();
    const relay = `rtps@udpv4://${here.address}:${relayPort}`;
    const middleware = startMiddleware(
      '--compat=cpm-lab',
      `--dds_initial_peer=${relay}`,
      `--periods=${runPeriods}`,
    );
    await startPeer(here, 'control', 0, [relay]);
    await middleware.untilLogged('waiting for controllers');
    const vehicle = await startPeer(there, 'vehicle', 1, [relay]);
    await startPeer(here, 'controller', 1);
    await startPeer(here, 'controller', 2);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().vehicles[1]?.states_received).toBeGreaterThan(runPeriods);
    expect((await received(vehicle)).commands).toBeGreaterThan(runPeriods / 2);
  });

  it('on other computers are met when they are named as peers', async (context) => {
    const { here, there, startMiddleware, startPeer } = openComputers(context);
    // It does not know the middleware, which announces itself at the start and every 8 s.
    const vehicle = await startPeer(there, 'vehicle', 1);
    const middleware = startMiddleware(
      '--compat=cpm-lab',
      `--dds_initial_peer=4@${there.address}`,
      `--periods=${runPeriods}`,
    );
    await startPeer(here, 'control', 0);
    await middleware.untilLogged('waiting for controllers');
    await startPeer(here, 'controller', 1);
    await startPeer(here, 'controller', 2);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().vehicles[1]?.states_received).toBeGreaterThan(runPeriods);
    expect((await received(vehicle)).commands).toBeGreaterThan(runPeriods / 2);
  });

  it('are served with the settings of docs/guide/matlab.md and --local-addresses=all', async (context) => {
    const { here, startMiddleware, startPeer } = openComputers(context);
    const middleware = startMiddleware(
      '--local_addresses=all',
      '--period_ms=50',
      '--wait_for_start=false',
      `--periods=${runPeriods}`,
    );
    await middleware.untilLogged('waiting for controllers');
    const controllers = [
      await startPeer(here, 'guideController', 1),
      await startPeer(here, 'guideController', 2),
    ];
    await middleware.ended;
    expect(middleware.summary().start_signals).toBe(runPeriods);
    for (const controller of controllers) {
      expect((await received(controller)).startSignals).toBeGreaterThan(runPeriods / 2);
    }
    expect(middleware.summary().controllers[1]?.replies).toBeGreaterThan(runPeriods / 2);
  });

  it('are in the log, when loopback alone is used', async (context) => {
    const { here, startMiddleware, startPeer } = openComputers(context);
    const middleware = startMiddleware('--period_ms=50');
    await middleware.untilLogged('waiting for controllers');
    await startPeer(here, 'controller', 1);
    const { msg } = await middleware.untilLogged('a participant announces no address');
    expect(msg).toContain('RTI Connext');
  });
});
