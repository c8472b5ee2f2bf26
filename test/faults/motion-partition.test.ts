import { builtPeers } from '../peers/build-peers.js';
import { openEmulatedLink, type EmulatedLink } from '../support/emulated-link.js';
import { networkUri } from '../support/loopback-uri.js';
import { allKinds } from './driven-kinds.js';
import { faultTest, skipRow } from './fault-row.js';
import { detectionS, runScenarios, stopExpected, type MotionScenario } from './motion-row.js';

const periodMs = 50;

faultTest(
  {
    row: 12,
    fault: 'a partition between middleware and controller',
    mode: 'real time',
    expected: stopExpected,
  },
  async (measured, context) => {
    const link = await openEmulatedLink(builtPeers());
    if (typeof link === 'string') return skipRow(context, measured, link);
    await runScenarios(12, [partition(link)], measured);
  },
);

/** The controller is on another computer than the middleware and the vehicles. */
function partition(link: EmulatedLink): MotionScenario {
  const { here, there } = link;
  const addresses = [here.address, there.address];
  return {
    name: `T ${periodMs} ms`,
    vehicles: allKinds,
    place: {
      vehicles: { through: here.through, network: networkUri(here.networkInterface, addresses) },
      controllers: {
        through: there.through,
        network: networkUri(there.networkInterface, addresses),
      },
    },
    flags: [`--period-ms=${periodMs}`],
    start: {
      defaults: [
        '--control-socket=off',
        '--wait-for-start=false',
        `--interface=${here.networkInterface}`,
        ...addresses.map((address) => `--dds-initial-peer=${address}`),
      ],
      through: here.through,
    },
    detectionS: detectionS(periodMs),
    fault: () => link.lose(1),
  };
}
