import type { HeardDomain, UnansweredParticipant } from '../ports/index.js';
import type { Finding } from './finding.js';

/** What to do about participants that announce no address that a side reaches. */
const advice =
  'for a program of this machine use --local-addresses=all (the default with --compat=cpm-lab), for one of another machine --interface';

/** The participants of a domain that announced themselves and receive nothing from us. */
export function unansweredFindings({
  domainId,
  unanswered = [],
}: Pick<HeardDomain, 'domainId' | 'unanswered'>): Finding[] {
  if (unanswered.length === 0) return [];
  return [
    {
      kind: 'unanswered',
      domainId,
      what: `${unanswered.length === 1 ? 'a participant announces' : `${unanswered.length} participants announce`} no address that this middleware reaches on DDS domain ${domainId}: ${describe(unanswered)}`,
      advice,
      participants: unanswered.map(({ guidPrefix }) => guidPrefix),
    },
  ];
}

const mostNamed = 4;

function describe(unanswered: readonly UnansweredParticipant[]): string {
  const named = unanswered
    .slice(0, mostNamed)
    .map(({ vendor, guidPrefix }) => `${vendor} (${guidPrefix})`);
  const more = unanswered.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
