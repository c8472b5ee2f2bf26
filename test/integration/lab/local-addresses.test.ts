import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { doctorReport } from '../../../src/doctor/index.js';
import { builtPeers, type PeerName } from '../../peers/build-peers.js';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram, Middleware } from '../../support/middleware.js';
import { openNamespacePair, type NetworkNamespace } from '../../support/network-namespaces.js';

const controllerProgram = fileURLToPath(
  new URL('../../../build/examples/c/controller', import.meta.url),
);
const relayProgram = fileURLToPath(new URL('../../peers/announcement-relay.mjs', import.meta.url));
const labDomain = 42;
const controllerDomain = 43;
const domains = [`--dds_domain=${labDomain}`, `--domain_number=${controllerDomain}`];
/** Simulated time: each start signal is answered, however slow the machine is. */
const steps = ['--simulated_time', '--time_source=self'];
/** As in the start scripts of the CPM Lab. */
const relayPort = 25_598;

let peers: Readonly<Record<PeerName, string>>;
beforeAll(() => {
  peers = builtPeers();
});

/**
 * Settings of Cyclone DDS as RTI Connext behaves without settings: only the address of the network
 * card is announced. It looks for others at this address and at `peers`, without multicast.
 */
function cardOnly(on: NetworkNamespace, ...others: string[]): string {
  const addresses = ['127.0.0.1', on.address, ...others];
  return (
    '<CycloneDDS><Domain Id="any"><General><AllowMulticast>false</AllowMulticast>' +
    `<Interfaces><NetworkInterface name="${on.networkInterface}"/></Interfaces></General>` +
    `<Discovery><Peers>${addresses.map((one) => `<Peer Address="${one}"/>`).join('')}</Peers>` +
    '<ParticipantIndex>auto</ParticipantIndex></Discovery></Domain></CycloneDDS>'
  );
}

/** The computer of a lab, and another one that can be reached from it. */
function openComputers({ skip }: TestContext, settings = '') {
  const pair = openNamespacePair();
  if (typeof pair === 'string') return skip(pair);
  const uri = isolatedCycloneUri();
  const start = (on: NetworkNamespace, what: string, settings: string, ...command: string[]) => {
    const [program = '', ...args] = [...on.through, ...command];
    return new ChildProgram(what, program, args, settings);
  };
  const node = (...args: string[]) => [process.execPath, ...args];
  return {
    ...pair,
    startMiddleware: (...flags: string[]) =>
      new Middleware(`${uri}${settings}`, flags, {
        defaults: [...domains, '--control_socket=off', '--wait_for_start=false', '--period_ms=50'],
        through: pair.here.through,
      }),
    startController: (on: NetworkNamespace, id: number, settings: string) => {
      const args = [`--vehicle-id=${id}`, `--domain=${controllerDomain}`];
      return start(on, `controller ${id}`, `${settings},${uri}`, controllerProgram, ...args);
    },
    /** A node of ROS 2 that is the controller of vehicle 1. */
    startRosController: (on: NetworkNamespace, settings: string) => {
      const args = ['controller', String(controllerDomain)];
      return start(on, 'the node', `${settings},${uri}`, peers['ros-node'], ...args);
    },
    startFleet: (on: NetworkNamespace, settings: string, ...flags: string[]) => {
      const [labDomainFlag = ''] = domains;
      const command = node(cliProgram, 'fleet', labDomainFlag, '--vehicle_ids=1', ...flags);
      return start(on, 'the fleet', settings === '' ? uri : `${settings},${uri}`, ...command);
    },
    runDoctor: async (...flags: string[]) => {
      const command = node(cliProgram, 'doctor', '--json', ...domains, ...flags);
      const doctor = start(pair.here, 'the doctor', uri, ...command);
      const { code } = await doctor.ended;
      return { code, ...doctorReport.parse(JSON.parse(doctor.stdout.items.join('\n'))) };
    },
    /** Lines "SOURCE PORT DESTINATION PORT" of all UDP on the link. */
    startCapture: async () => {
      const { there } = pair;
      const capture = start(there, 'the capture', '', peers['udp-capture'], there.networkInterface);
      await capture.stdout.until((line) => line === 'ready');
      return capture;
    },
    startRelay: async () => {
      const command = node(relayProgram, String(relayPort));
      await start(pair.here, 'the relay', '', ...command).stdout.until((line) => line === 'ready');
    },
  };
}

describe('a program of this machine that announces only the address of a network card', () => {
  it('is served with --compat=cpm-lab, beside one on loopback', async (context) => {
    const { here, startMiddleware, startController } = openComputers(context);
    const flags = ['--compat=cpm-lab', '--vehicle_ids=1,2', ...steps, '--periods=15'];
    const middleware = startMiddleware(...flags);
    await middleware.untilLogged('waiting for controllers');
    const onCard = startController(here, 1, cardOnly(here));
    const onLoopback = startController(here, 2, loopbackUri(''));
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await onCard.ended).toEqual({ code: 0, signal: null });
    expect(await onLoopback.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().controllers).toMatchObject({
      1: { replies: 15 },
      2: { replies: 15 },
    });
  });

  it('is served on a side with the names of ROS 2, whose nodes announce that address', async (context) => {
    const { here, startMiddleware, startRosController } = openComputers(context);
    const flags = ['--controller-side=ros2', '--vehicle_ids=1', ...steps, '--periods=20'];
    const middleware = startMiddleware(...flags);
    await middleware.untilLogged('waiting for controllers');
    startRosController(here, cardOnly(here));
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().controllers[1]).toMatchObject({ replies: 20 });
  });

  it('is in the log and in the report of the doctor, when loopback alone is used', async (context) => {
    const { here, startMiddleware, startController, runDoctor } = openComputers(context);
    const middleware = startMiddleware('--vehicle_ids=1', '--ready-timeout-ms=6000');
    await middleware.untilLogged('waiting for controllers');
    startController(here, 1, cardOnly(here));
    const { msg } = await middleware.untilLogged('a participant announces no address');
    expect(msg).toContain(`DDS domain ${controllerDomain}: Cyclone DDS`);
    expect(msg).toContain('--local-addresses=all');
    expect((await middleware.ended).code).toBe(3);
    const [reason = ''] = middleware.program.stderr.items.filter((line) => !line.startsWith('{'));
    expect(reason).toContain('announces no address');

    const [onLoopback, onAll] = await Promise.all([
      runDoctor(),
      runDoctor('--local-addresses=all'),
    ]);
    expect(onLoopback).toMatchObject({ code: 2, healthy: false });
    expect(onLoopback.findings).toMatchObject([
      { kind: 'unanswered', domain_id: controllerDomain },
    ]);
    expect(onAll).toMatchObject({ code: 0, findings: [] });
    expect(onAll.domains[1]?.ready_signals).toMatchObject([{ source_id: 'hlc_1' }]);
  });

  it('and that is the lab, is met with the flags of the control centre', async (context) => {
    const { here, startMiddleware, startController, startFleet } = openComputers(context);
    const middleware = startMiddleware(
      '--compat=cpm-lab',
      '--vehicle_ids=1',
      `--dds_initial_peer=rtps@udpv4://${here.address}:${relayPort}`,
      '--simulated_time',
      '--periods=40',
    );
    const { lab_interfaces, controller_interfaces } =
      await middleware.untilLogged('waiting for controllers');
    expect(lab_interfaces).toEqual([here.networkInterface]);
    expect(controller_interfaces).toEqual(expect.arrayContaining(['lo', here.networkInterface]));
    startFleet(here, cardOnly(here), '--simulated_time');
    startController(here, 1, cardOnly(here));
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { vehicles } = middleware.summary();
    expect(vehicles[1]?.states_received).toBeGreaterThan(10);
    // It drives, so what is commanded arrives.
    expect(vehicles[1]?.distance_m).toBeGreaterThan(0.01);
  });
});

describe('a participant on another machine that asks the controller side', () => {
  it.for([
    { flags: ['--compat=cpm-lab'], leaves: false },
    { flags: ['--local-addresses=all'], leaves: false },
    { flags: ['--interface=hlc-here'], leaves: true },
  ])('is sent something: $leaves, with $flags', async ({ flags, leaves }, context) => {
    const { here, there, startMiddleware, startController, startCapture } = openComputers(context);
    const capture = await startCapture();
    const middleware = startMiddleware(...flags, '--vehicle_ids=1', '--periods=20');
    await middleware.untilLogged('waiting for controllers');
    startController(there, 2, cardOnly(there, here.address));
    const askedAt = `${here.address} ${7400 + 250 * controllerDomain + 10}`;
    await capture.stdout.until((line) => line.endsWith(askedAt));
    if (leaves) await middleware.untilLogged('a ready signal came from a source');
    startController(here, 1, leaves ? cardOnly(here) : loopbackUri(''));
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const left = capture.stdout.items.filter((line) => line.startsWith(`${here.address} `));
    console.log(
      `${flags.join(' ')}: of ${capture.stdout.items.length - 1} datagrams on the link, ${left.length} left this machine`,
    );
    expect(left.length > 0).toBe(leaves);
    if (!leaves) expect(middleware.logged('a ready signal came from a source')).toEqual([]);
  });
});

describe('vehicles on another machine that know only the service that relays announcements', () => {
  it('are met with the flags of the control centre', async (context) => {
    const { here, there, startMiddleware, startController, startFleet, startRelay } =
      openComputers(context);
    await startRelay();
    const relay = `--dds_initial_peer=rtps@udpv4://${here.address}:${relayPort}`;
    const middleware = startMiddleware(
      '--compat=cpm-lab',
      '--vehicle_ids=1',
      relay,
      '--simulated_time',
      '--periods=40',
    );
    await middleware.untilLogged('waiting for controllers');
    startFleet(there, '', relay, '--simulated_time');
    startController(here, 1, loopbackUri(''));
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { vehicles } = middleware.summary();
    expect(vehicles[1]?.states_received).toBeGreaterThan(10);
    expect(vehicles[1]?.distance_m).toBeGreaterThan(0.01);
  });
});

describe('the log', () => {
  it('names the interfaces that CYCLONEDDS_URI chose', async (context) => {
    const chosen = `,<CycloneDDS><Domain Id="${labDomain}"><General><Interfaces><NetworkInterface name="hlc-here"/></Interfaces></General></Domain></CycloneDDS>`;
    const { startMiddleware } = openComputers(context, chosen);
    const middleware = startMiddleware('--vehicle_ids=1');
    const begun = await middleware.untilLogged('waiting for controllers');
    expect(begun).toMatchObject({ lab_interfaces: ['hlc-here'], controller_interfaces: ['lo'] });
  });
});
