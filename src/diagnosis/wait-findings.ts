import type { DiscoveredDomain } from '../ports/index.js';
import { endpointFindings, fits } from './endpoint-findings.js';
import type { Finding, LocalSide } from './finding.js';
import { unansweredFindings, wrongSideFindings } from './side-findings.js';

/** A wait for a sample that timed out. */
export interface TimedOutWait {
  /** The awaited topic. */
  readonly topic: string;
  /** The side of the topic. */
  readonly local: LocalSide;
  readonly other: LocalSide;
  readonly discovered: DiscoveredDomain;
  /** Source ids of received ready signals that do not count. */
  readonly otherIds: readonly string[];
  /** Domains with programs of this machine, as far as is known. */
  readonly domainsInUse: readonly number[];
}

/** The reasons of a time-out; the first one is the most likely. */
export function explainTimeout(wait: TimedOutWait): [Finding, ...Finding[]] {
  const { local, other, discovered, topic } = wait;
  const unanswered = unansweredFindings(discovered);
  const [firstUnanswered] = unanswered;
  if (discovered.participants.length === 0) return [firstUnanswered ?? noParticipants(wait)];
  const unfit = endpointFindings(local, discovered);
  const [first, ...others] = [
    ...unfit.filter((finding) => finding.topic === topic),
    ...(wait.otherIds.length > 0 ? [otherIdsFinding(local, wait.otherIds)] : []),
    ...wrongSideFindings(local, other, discovered),
  ];
  const rest = unfit.filter((finding) => finding.topic !== topic);
  if (first !== undefined) return [first, ...others, ...unanswered, ...rest];
  if (firstUnanswered !== undefined) return [firstUnanswered, ...rest];
  return [silence(wait), ...rest];
}

/** Ready signals of ids that belong to no controller of this middleware. */
export function otherIdsFinding({ domainId }: LocalSide, sourceIds: readonly string[]): Finding {
  return { kind: 'otherIds', domainId, topic: 'readyStatus', sourceIds };
}

function noParticipants({ local: { domainId, side }, domainsInUse }: TimedOutWait): Finding {
  const others = domainsInUse.filter((id) => id !== domainId);
  return { kind: 'noParticipants', domainId, side, domainsInUse: others };
}

/** Participants were discovered, all their endpoints fit, and no sample came. */
function silence({ local, discovered, topic }: TimedOutWait): Finding {
  const { domainId, side } = local;
  const writers = discovered.participants.filter(({ endpoints }) =>
    endpoints.some(
      (endpoint) => endpoint.kind === 'writer' && endpoint.topic === topic && fits(local, endpoint),
    ),
  );
  return writers.length > 0
    ? { kind: 'nothingSent', domainId, topic, participants: writers }
    : { kind: 'noWriter', domainId, side, topic, participants: discovered.participants };
}
