import {
  counterparts,
  endpointFindings,
  fits,
  idFinding,
  sameIdFindings,
  unansweredFindings,
  wrongSideFindings,
  type Finding,
  type OurSide,
} from '../diagnosis/index.js';
import { controllerSourceId } from '../core/index.js';
import type { HeardEndpoint, HeardParticipant } from '../ports/index.js';
import type { HeardSide } from './listen.js';
import type { DoctorReport, DomainReport } from './report.js';

/** All that does not fit on one side. */
export function sideFindings(
  { ours, heard, signals }: HeardSide,
  other: OurSide,
  vehicleIds: readonly number[],
): Finding[] {
  const awaited = new Set(vehicleIds.map(controllerSourceId));
  const strangers = new Set(
    signals.map(({ sourceId }) => sourceId).filter((sourceId) => !awaited.has(sourceId)),
  );
  const ids = ours.side === 'controller' && strangers.size > 0 ? [...strangers] : undefined;
  return [
    ...wrongSideFindings(ours, other, heard),
    ...unansweredFindings(heard),
    ...endpointFindings(ours, heard),
    ...(ids === undefined ? [] : [idFinding(ours, ids)]),
    ...sameIdFindings(ours, heard, signals),
  ];
}

/** What was heard on one side, as the report has it. */
export function sideReport({ ours, heard, signals }: HeardSide): DomainReport {
  return {
    side: ours.side,
    domain_id: ours.domainId,
    participants: heard.participants.map((participant) => participantReport(ours, participant)),
    ready_signals: signals.map(({ sourceId, guidPrefix }) => ({
      source_id: sourceId,
      guid_prefix: guidPrefix,
    })),
  };
}

function participantReport(
  ours: OurSide,
  { guidPrefix, vendor, name, processName, pid, hostName, endpoints }: HeardParticipant,
): DomainReport['participants'][number] {
  return {
    guid_prefix: guidPrefix,
    vendor,
    ...(name !== undefined && { name }),
    ...(processName !== undefined && { process: processName }),
    ...(pid !== undefined && { pid }),
    ...(hostName !== undefined && { host: hostName }),
    endpoints: endpoints.map((endpoint) => endpointReport(ours, endpoint)),
  };
}

function endpointReport(
  ours: OurSide,
  endpoint: HeardEndpoint,
): DomainReport['participants'][number]['endpoints'][number] {
  const { kind, topic, typeName, qos } = endpoint;
  return {
    kind,
    topic,
    type: typeName,
    reliability: qos.reliability?.kind ?? (kind === 'writer' ? 'reliable' : 'best-effort'),
    durability: qos.durability?.kind ?? 'volatile',
    fits: counterparts(ours, endpoint).length === 0 ? null : fits(ours, endpoint),
  };
}

/** A finding as the report has it. */
export function findingReport(finding: Finding): DoctorReport['findings'][number] {
  const { domainId, sourceIds, mismatches, participants, ...same } = finding;
  return {
    ...same,
    domain_id: domainId,
    ...(participants !== undefined && { participants: [...participants] }),
    ...(sourceIds !== undefined && { source_ids: [...sourceIds] }),
    ...(mismatches !== undefined && {
      mismatches: mismatches.map(({ policyId, ...rest }) => ({ ...rest, policy_id: policyId })),
    }),
  };
}
