import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram, Middleware } from '../../support/middleware.js';
import { openNamespacePair, type NetworkNamespace } from '../../support/network-namespaces.js';

const controllerProgram = fileURLToPath(
  new URL('../../../build/examples/c/controller', import.meta.url),
);
const labDomain = 40;
const controllerDomain = 41;
/** Where the first participant of a domain is found (OMG DDSI-RTPS 2.5, section 9.6.2.3). */
const firstPort = 7400 + 250 * labDomain + 10;

/** Two computers with a link between them; the middleware runs on the first one. */
function openComputers({ skip }: TestContext) {
  const pair = openNamespacePair();
  if (typeof pair === 'string') return skip(pair);
  const { here, there } = pair;
  const uri = isolatedCycloneUri();
  return {
    here,
    there,
    startMiddleware: (...flags: string[]) =>
      new Middleware(uri, flags, {
        defaults: [
          `--dds_domain=${labDomain}`,
          `--domain_number=${controllerDomain}`,
          '--control_socket=off',
          '--wait_for_start=false',
          '--period_ms=50',
        ],
        through: here.through,
      }),
    /** The example in C, which knows no network but the one in its environment. */
    startController: (on: NetworkNamespace, id: number, network: 'loopback' | 'link') => {
      const peer = on === here ? there : here;
      const settings =
        network === 'loopback' ? loopbackUri(uri) : `${linkSettings(on, peer)},${uri}`;
      const args = [controllerProgram, `--vehicle-id=${id}`, `--domain=${controllerDomain}`];
      const [command = '', ...first] = on.through;
      return new ChildProgram(`controller ${id}`, command, [...first, ...args], settings);
    },
    startFleet: (on: NetworkNamespace, ...flags: string[]) => {
      const args = [process.execPath, cliProgram, 'fleet', `--dds_domain=${labDomain}`, ...flags];
      const [command = '', ...first] = on.through;
      return new ChildProgram('the fleet', command, [...first, ...args], uri);
    },
  };
}

/** Settings of Cyclone DDS for a program that looks for others on the other computer alone. */
function linkSettings(own: NetworkNamespace, peer: NetworkNamespace): string {
  return (
    '<CycloneDDS><Domain Id="any"><General><AllowMulticast>false</AllowMulticast>' +
    `<Interfaces><NetworkInterface name="${own.networkInterface}"/></Interfaces></General>` +
    `<Discovery><Peers><Peer Address="${peer.address}"/></Peers>` +
    '<ParticipantIndex>auto</ParticipantIndex></Discovery></Domain></CycloneDDS>'
  );
}

describe('a peer on another computer', () => {
  it('makes the lab side reach the vehicles there, while the controller side stays on this computer', async (context) => {
    const { here, there, startMiddleware, startController, startFleet } = openComputers(context);
    const middleware = startMiddleware(
      '--vehicle_ids=1',
      `--dds_initial_peer=rtps@udpv4://${there.address}:${firstPort}`,
      '--simulated_time',
      '--periods=40',
    );
    await middleware.untilLogged('waiting for controllers');
    startFleet(there, '--vehicle_ids=1', '--simulated_time', `--dds_initial_peer=${here.address}`);
    const stranger = startController(there, 2, 'link');
    const controller = startController(here, 1, 'loopback');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await controller.ended).toEqual({ code: 0, signal: null });

    const { vehicles, controllers, commands_refused } = middleware.summary();
    expect(controllers[1]).toMatchObject({ replies: 40 });
    expect(vehicles[1]?.states_received).toBeGreaterThan(10);
    // It drives, so what is commanded here arrives there.
    expect(vehicles[1]?.distance_m).toBeGreaterThan(0.01);
    // A participant on the other computer neither sends to the controller side nor receives from it.
    expect(middleware.logged('a ready signal came from a source')).toEqual([]);
    expect(commands_refused).not.toHaveProperty('HLC_COMMAND_UNKNOWN_VEHICLE');
    expect(stranger.gone).toBe(false);
  });

  it('can be a controller when --interface names the link for both sides', async (context) => {
    const { here, there, startMiddleware, startController } = openComputers(context);
    const middleware = startMiddleware(
      '--vehicle_ids=2',
      `--interface=${here.networkInterface}`,
      '--simulated_time',
      '--time_source=self',
      '--periods=5',
    );
    await middleware.untilLogged('waiting for controllers');
    const controller = startController(there, 2, 'link');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await controller.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().controllers[2]).toMatchObject({ replies: 5 });
  });
});
