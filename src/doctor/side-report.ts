import {
  counterparts,
  endpointFindings,
  fits,
  otherIdsFinding,
  sameIdFindings,
  unansweredFindings,
  wrongSideFindings,
  type Finding,
  type LocalSide,
} from '../diagnosis/index.js';
import { controllerSourceId } from '../core/index.js';
import type { DiscoveredEndpoint, DiscoveredParticipant } from '../ports/index.js';
import type { DiscoveredSide } from './listen.js';
import type { DomainReport } from './report.js';

/** Every mismatch on one side. */
export function sideFindings(
  { local, discovered, signals }: DiscoveredSide,
  other: LocalSide,
  vehicleIds: readonly number[],
): Finding[] {
  const awaited = new Set(vehicleIds.map(controllerSourceId));
  const strangers = new Set(
    signals.map(({ sourceId }) => sourceId).filter((sourceId) => !awaited.has(sourceId)),
  );
  const ids = local.side === 'controller' && strangers.size > 0 ? [...strangers] : undefined;
  return [
    ...wrongSideFindings(local, other, discovered),
    ...unansweredFindings(discovered),
    ...endpointFindings(local, discovered),
    ...(ids === undefined ? [] : [otherIdsFinding(local, ids)]),
    ...sameIdFindings(local, discovered, signals),
  ];
}

/** One side in the report. */
export function sideReport({ local, discovered, signals }: DiscoveredSide): DomainReport {
  return {
    side: local.side,
    domain_id: local.domainId,
    participants: discovered.participants.map((participant) =>
      participantReport(local, participant),
    ),
    ready_signals: signals.map(({ sourceId, guidPrefix }) => ({
      source_id: sourceId,
      guid_prefix: guidPrefix,
    })),
  };
}

function participantReport(
  local: LocalSide,
  { guidPrefix, vendor, name, processName, pid, hostName, endpoints }: DiscoveredParticipant,
): DomainReport['participants'][number] {
  return {
    guid_prefix: guidPrefix,
    vendor,
    ...(name !== undefined && { name }),
    ...(processName !== undefined && { process: processName }),
    ...(pid !== undefined && { pid }),
    ...(hostName !== undefined && { host: hostName }),
    endpoints: endpoints.map((endpoint) => endpointReport(local, endpoint)),
  };
}

function endpointReport(
  local: LocalSide,
  endpoint: DiscoveredEndpoint,
): DomainReport['participants'][number]['endpoints'][number] {
  const { kind, topic, typeName, qos } = endpoint;
  return {
    kind,
    topic,
    type: typeName,
    reliability: qos.reliability?.kind ?? (kind === 'writer' ? 'reliable' : 'best-effort'),
    durability: qos.durability?.kind ?? 'volatile',
    fits: counterparts(local, endpoint).length === 0 ? null : fits(local, endpoint),
  };
}
