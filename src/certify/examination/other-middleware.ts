import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { printable } from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import type { DiscoveredDomain, Transport } from '../../ports/index.js';
import { topics } from '../../messages/index.js';

/** So long other programs are discovered, and so often the list is read, ms. */
const discoveryMs = 1000;
const lookMs = 20;

/** What plays the middleware to controllers, for a message. */
export type MiddlewarePlayer = 'a certification' | 'a replay';

/** The side of a certification: it lists the other participants of its domain, with topics as in `idl/`. */
export interface ExaminedSide extends Transport {
  discovered(): DiscoveredDomain;
}

/**
 * Listens for 1 s, before anything is sent.
 * @throws HlcError `HLC_OTHER_MIDDLEWARE` as soon as another participant writes start signals.
 */
export async function listenForOtherMiddleware(
  side: ExaminedSide,
  player: MiddlewarePlayer,
): Promise<void> {
  const endMs = performance.now() + discoveryMs;
  while (performance.now() < endMs) {
    refuseOtherMiddleware(side.discovered(), player);
    await wait(lookMs);
  }
}

/**
 * A controller obeys every middleware of its domain: beside another one the player would stop that lab, and
 * would judge the controller by start signals that it did not send.
 * @throws HlcError `HLC_OTHER_MIDDLEWARE` when another participant writes start signals.
 */
export function refuseOtherMiddleware(
  { domainId, participants }: DiscoveredDomain,
  player: MiddlewarePlayer,
): void {
  const other = participants.find(({ endpoints }) =>
    endpoints.some(
      ({ kind, topic }) => kind === 'writer' && topic === topics.vehicleStateList.name,
    ),
  );
  if (other === undefined) return;
  const { name, processName, pid, guidPrefix } = other;
  const what = printable(name ?? processName ?? guidPrefix);
  const program = pid === undefined ? what : `${what}, process ${pid}`;
  throw new HlcError('HLC_OTHER_MIDDLEWARE', { domainId, program, player });
}
