import { printable } from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import type { DiscoveredDomain, Transport } from '../../ports/index.js';
import { topics } from '../../messages/index.js';

/** The side of a check: it lists the other participants of its domain, with topics as in `idl/`. */
export interface ExaminedSide extends Transport {
  discovered(): DiscoveredDomain;
}

/**
 * A controller obeys every middleware of its domain: beside another one the check would stop that lab, and
 * would judge the controller by start signals that it did not send.
 * @throws HlcError `HLC_CHECK_MIDDLEWARE` when another participant writes start signals.
 */
export function refuseOtherMiddleware({ domainId, participants }: DiscoveredDomain): void {
  const other = participants.find(({ endpoints }) =>
    endpoints.some(
      ({ kind, topic }) => kind === 'writer' && topic === topics.vehicleStateList.name,
    ),
  );
  if (other === undefined) return;
  const { name, processName, pid, guidPrefix } = other;
  const what = printable(name ?? processName ?? guidPrefix);
  const program = pid === undefined ? what : `${what}, process ${pid}`;
  throw new HlcError('HLC_CHECK_MIDDLEWARE', { domainId, program });
}
