import { builtPeers } from '../peers/build-peers.js';
import { ChildProgram } from '../support/child-program.js';
import { openEmulatedLink, type EmulatedLink } from '../support/emulated-link.js';
import { networkUri } from '../support/loopback-uri.js';
import { cliProgram } from '../support/middleware.js';
import type { NetworkNamespace } from '../support/network-namespaces.js';
import { allKinds } from './driven-kinds.js';
import { faultTest, skipRow } from './fault-row.js';
import { runScenarios, stopExpected, type MotionScenario } from './motion-row.js';

const periodMs = 50;

faultTest(
  {
    row: 43,
    fault: 'a partition between the middleware and the vehicles, with the guard on their side',
    mode: 'real time',
    expected: stopExpected,
  },
  async (measured, context) => {
    const link = await openEmulatedLink(builtPeers());
    if (typeof link === 'string') return skipRow(context, measured, link);
    await runScenarios(43, [partition(link)], measured);
  },
);

/** The vehicles and the guard are on another computer than the middleware and the controller. */
function partition(link: EmulatedLink): MotionScenario {
  const { here, there } = link;
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
    name: `T ${periodMs} ms`,
    vehicles: allKinds,
    place: { vehicles: place(here), controllers: place(there) },
    flags: [`--period-ms=${periodMs}`],
    start: {
      defaults: ['--control-socket=off', '--wait-for-start=false', ...network(there)],
      through: there.through,
    },
    detectionS: 0.3,
    begin: async ({ lab }) => {
      const [command = '', ...args] = here.through;
      const flags = ['guard', '--control-socket=off', ...network(here)];
      const all = [...args, process.execPath, cliProgram, ...flags];
      const guard = new ChildProgram('the guard', command, all, lab.uri);
      await guard.stderr.until((line) => line.includes('the guard watches the middleware'));
    },
    fault: () => link.lose(1),
  };
}
