import type { HeardDomain } from '../ports/index.js';
import { printable } from '../printable.js';
import { describeParticipants } from './describe-participant.js';
import { endpointFindings, fits } from './endpoint-findings.js';
import type { Finding } from './finding.js';
import { domainFlags, type OurSide, type SideName } from './our-side.js';
import { unansweredFindings } from './unanswered-findings.js';
import { wrongSideFindings } from './side-findings.js';

/** A wait that was in vain. */
export interface VainWait {
  /** The topic on which it was waited. */
  readonly topic: string;
  /** What was waited for, for example "the ready signals of controllers 1, 2". */
  readonly what: string;
  readonly ours: OurSide;
  readonly other: OurSide;
  readonly heard: HeardDomain;
  /** Source ids of ready signals that came and do not count. */
  readonly otherIds: readonly string[];
  /** Further domains on which programs of this machine are, as far as is known. */
  readonly domainsInUse: readonly number[];
}

const senders: Readonly<Record<SideName, string>> = {
  lab: 'the lab control',
  controller: 'the controllers',
};

/** Why what was waited for did not come; the first finding is the most likely reason. */
export function explainWait(wait: VainWait): [Finding, ...Finding[]] {
  const { ours, other, heard, topic } = wait;
  const unanswered = unansweredFindings(heard);
  const [silent] = unanswered;
  if (heard.participants.length === 0) return [silent ?? nothingHeard(wait)];
  const unfit = endpointFindings(ours, heard);
  const [first, ...others] = [
    ...unfit.filter((finding) => finding.topic === topic),
    ...(wait.otherIds.length > 0 ? [idFinding(ours, wait.otherIds)] : []),
    ...wrongSideFindings(ours, other, heard),
  ];
  const rest = unfit.filter((finding) => finding.topic !== topic);
  if (first !== undefined) return [first, ...others, ...unanswered, ...rest];
  if (silent !== undefined) return [silent, ...rest];
  return [silence(wait), ...rest];
}

/** Ready signals of ids that are not those of `--vehicle-ids`. */
export function idFinding({ domainId }: OurSide, sourceIds: readonly string[]): Finding {
  const names = sourceIds.map((id) => `"${printable(id)}"`).join(', ');
  return {
    kind: 'otherIds',
    domainId,
    topic: 'readyStatus',
    what: `ready signals came from ${names} on DDS domain ${domainId}, which are no controllers of this middleware`,
    advice: `give their ids with --vehicle-ids, or let each controller send "hlc_" and the id of its vehicle`,
    sourceIds,
  };
}

function nothingHeard({ ours, domainsInUse }: VainWait): Finding {
  const { domainId, side } = ours;
  const used = domainsInUse.filter((id) => id !== domainId);
  const hint =
    used.length === 0 ? '' : `; programs of this machine are on DDS domain ${used.join(', ')}`;
  return {
    kind: 'nothingHeard',
    domainId,
    what: `no participants seen on DDS domain ${domainId}${hint}`,
    advice: `start ${senders[side]} on this domain, interface and machine, or name theirs with ${domainFlags[side]} and --interface`,
  };
}

/** Participants are heard and fit, and yet nothing came. */
function silence({ ours, heard, topic, what }: VainWait): Finding {
  const { domainId } = ours;
  const writers = heard.participants.filter(({ endpoints }) =>
    endpoints.some(
      (endpoint) => endpoint.kind === 'writer' && endpoint.topic === topic && fits(ours, endpoint),
    ),
  );
  const known = writers.length > 0 ? writers : heard.participants;
  const common = { domainId, topic, participants: known.map(({ guidPrefix }) => guidPrefix) };
  if (writers.length > 0) {
    return {
      kind: 'nothingSent',
      ...common,
      what: `${describeParticipants(writers)} could send ${what} on DDS domain ${domainId}, and did not`,
      advice: `look at what that program waits for, and at the ids that it has`,
    };
  }
  return {
    kind: 'nobodyWrites',
    ...common,
    what: `participants are heard on DDS domain ${domainId}, and none of them writes topic ${topic}: ${describeParticipants(known)}`,
    advice: `start ${senders[ours.side]}, or look in its log whether it got as far as that; programs of ROS 2 are heard with --${ours.side}-naming=ros2 only, and others only without it`,
  };
}
