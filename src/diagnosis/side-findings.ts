import type { HeardDomain } from '../ports/index.js';
import { describeParticipants } from './describe-participant.js';
import type { Finding } from './finding.js';
import { domainFlags, type OurSide, type SideName } from './local-side.js';

const inhabitants: Readonly<Record<SideName, string>> = {
  lab: 'vehicles, a lab control or the lab side of a middleware',
  controller: 'controllers or the controller side of a middleware',
};

/** Tells of participants that belong to the other side: they have a topic that is only there. */
export function wrongSideFindings(ours: OurSide, other: OurSide, heard: HeardDomain): Finding[] {
  const here = new Set(ours.endpoints.map(({ topic }) => topic));
  const onlyThere = new Set(
    other.endpoints.map(({ topic }) => topic).filter((topic) => !here.has(topic)),
  );
  const strangers = heard.participants.filter(({ endpoints }) =>
    endpoints.some(({ topic }) => onlyThere.has(topic)),
  );
  if (strangers.length === 0) return [];
  const signs = new Set(
    strangers.flatMap(({ endpoints }) =>
      endpoints.flatMap(({ kind, topic }) => (onlyThere.has(topic) ? [`${kind} of ${topic}`] : [])),
    ),
  );
  return [
    {
      kind: 'wrongSide',
      domainId: ours.domainId,
      what: `DDS domain ${ours.domainId} is the ${ours.side} side, and there is what looks like ${inhabitants[other.side]}: ${describeParticipants(strangers)} (${[...signs].join(', ')})`,
      advice: `move these programs to DDS domain ${other.domainId}, or name the domains as they are with ${domainFlags.lab} and ${domainFlags.controller}`,
      participants: strangers.map(({ guidPrefix }) => guidPrefix),
    },
  ];
}
