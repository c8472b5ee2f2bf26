import { builtPeers } from '../peers/build-peers.js';
import { ChildProgram } from '../support/child-program.js';
import { openEmulatedLink, type EmulatedLink } from '../support/emulated-link.js';
import { nowUs } from '../support/judged-lab.js';
import { networkUri } from '../support/loopback-uri.js';
import { cliProgram } from '../support/middleware.js';
import type { NetworkNamespace } from '../support/network-namespaces.js';
import { allKinds, allKindsAndPlaces, withDrive } from './driven-kinds.js';
import { faultTest, skipRow } from './fault-row.js';
import { untilWatching } from './guarded-lab.js';
import { runScenarios, stopExpected, type MotionScenario } from './motion-row.js';

const periodMs = 50;

/** The guard still commands its vehicles to rest when it is connected again. */
const cutUs = 1_500_000;

linkTest(
  'a partition between the middleware and the vehicles, with the guard on their side',
  partition,
);
linkTest('a guard that was cut off for 1.5 s while the middleware drove the vehicles', guardAlone);

/** A row whose lab is on two computers. */
function linkTest(fault: string, scenario: (link: EmulatedLink) => MotionScenario): void {
  const row = 43;
  const of = { row, fault, mode: 'real time', expected: stopExpected } as const;
  faultTest(of, async (measured, context) => {
    const link = await openEmulatedLink(builtPeers());
    if (typeof link === 'string') return skipRow(context, measured, link);
    await runScenarios(row, [scenario(link)], measured);
  });
}

/** The guard is on another computer than the middleware; so are the vehicles, unless given. */
function onTwoComputers(
  { here, there }: EmulatedLink,
  vehiclesAt: NetworkNamespace = here,
): Pick<MotionScenario, 'place' | 'flags' | 'start' | 'begin'> {
  const addresses = [here.address, there.address];
  const place = ({ through, networkInterface }: NetworkNamespace) => ({
    through,
    network: networkUri(networkInterface, addresses),
  });
  const network = ({ networkInterface }: NetworkNamespace) => [
    `--interface=${networkInterface}`,
    ...addresses.map((address) => `--dds-initial-peer=${address}`),
  ];
  return {
    place: { vehicles: place(vehiclesAt), controllers: place(there) },
    flags: [`--period-ms=${periodMs}`],
    start: {
      defaults: ['--control-socket=off', '--wait-for-start=false', ...network(there)],
      through: there.through,
    },
    begin: async ({ lab }) => {
      const [command = '', ...args] = here.through;
      const flags = ['guard', '--control-socket=off', ...network(here)];
      const all = [...args, process.execPath, cliProgram, ...flags];
      const guard = new ChildProgram('the guard', command, all, lab.uri);
      await untilWatching(guard);
    },
  };
}

function partition(link: EmulatedLink): MotionScenario {
  return {
    ...onTwoComputers(link),
    name: `T ${periodMs} ms`,
    vehicles: allKinds,
    detectionS: 0.3,
    fault: () => link.lose(1),
  };
}

/** The guard holds the vehicles, and what it commands arrives once it is connected again. */
function guardAlone(link: EmulatedLink): MotionScenario {
  return {
    ...onTwoComputers(link, link.there),
    name: `T ${periodMs} ms, connected again`,
    vehicles: withDrive(allKindsAndPlaces, { v: 2 }),
    fastestMps: 2,
    detectionS: 0.1,
    // What the guard commands and what the middleware commands take turns until the middleware knows of the stop.
    rippleMps: 0.2,
    fault: async ({ lab }) => {
      link.lose(1);
      await lab.untilTime(nowUs() + cutUs);
      link.lose(0);
      return nowUs();
    },
  };
}
