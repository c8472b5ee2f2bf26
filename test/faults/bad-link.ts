import { expect, type TestContext } from 'vitest';
import { builtPeers } from '../peers/build-peers.js';
import { openEmulatedLink, type EmulatedLink } from '../support/emulated-link.js';
import { isolatedCycloneUri } from '../support/isolation.js';
import { Middleware } from '../support/middleware.js';
import type { NetworkNamespace } from '../support/network-namespaces.js';
import { PeerProcess } from '../support/peer-process.js';
import { faultTest, skipRow, type Fault, type FaultOptions, type Measured } from './fault-row.js';

const labDomain = 0;
const controllerDomain = 1;

/** Two computers with a link that can be made worse; the middleware runs on the first one. */
export interface BadLink {
  readonly link: EmulatedLink;
  readonly startMiddleware: (...flags: string[]) => Middleware;
  /** Controllers on a computer, the other one by default. */
  readonly startController: (
    options: Readonly<Record<string, unknown>>,
    on?: NetworkNamespace,
  ) => PeerProcess;
  /** Vehicles on a computer, that of the middleware by default. */
  readonly startVehicles: (
    options: Readonly<Record<string, unknown>>,
    on?: NetworkNamespace,
  ) => PeerProcess;
}

/** What makes simulated time go on as soon as all have answered, in steps of 50 ms. */
export const steps = ['--period-ms=50', '--simulated-time', '--time-source=self'] as const;

/**
 * A test of one row of the fault table on two such computers; the row is skipped where namespaces
 * cannot be made.
 */
export function badLinkTest(
  fault: Fault,
  run: (between: BadLink, measured: Measured) => Promise<void>,
  options?: FaultOptions,
): void {
  const onLink = async (measured: Measured, context: TestContext) => {
    const link = await openEmulatedLink(builtPeers());
    if (typeof link === 'string') return skipRow(context, measured, link);
    await run(badLink(link), measured);
  };
  faultTest(fault, onLink, options);
}

/** The times of the start signals that a controller had, which must be those of so many steps. */
export function expectEveryStep(controller: PeerProcess, count: number): void {
  const times = controller.named('start').map(({ t }) => BigInt(String(t)));
  expect(times).toEqual(Array.from({ length: count }, (_, i) => 1n + BigInt(i) * 50_000_000n));
}

function badLink(link: EmulatedLink): BadLink {
  const { here, there } = link;
  const uri = isolatedCycloneUri();
  const where = (on: NetworkNamespace) => ({
    networkInterface: on.networkInterface,
    peers: [here.address, there.address],
  });
  return {
    link,
    startMiddleware: (...flags) =>
      new Middleware(uri, flags, {
        defaults: [
          '--control-socket=off',
          '--wait-for-start=false',
          // The last commands are repeated on the way, too.
          '--zero-speed-ms=1000',
          `--interface=${here.networkInterface}`,
          `--dds-initial-peer=${here.address}`,
          `--dds-initial-peer=${there.address}`,
        ],
        through: here.through,
      }),
    startController: (options, on = there) =>
      new PeerProcess(
        'controller',
        uri,
        { domain: controllerDomain, ...where(on), ...options },
        on.through,
      ),
    startVehicles: (options, on = here) =>
      new PeerProcess('vehicles', uri, { domain: labDomain, ...where(on), ...options }, on.through),
  };
}
