import { printable } from '../core/index.js';
import type { EndpointFinding, Finding, QosMismatch, SideName } from '../diagnosis/index.js';
import type { DiscoveredParticipant, EndpointKind } from '../ports/index.js';

/** A finding for a person; both parts start small and have no full stop, to stand in a sentence. */
export interface FindingWords {
  readonly what: string;
  /** What to do. */
  readonly advice: string;
}

/** The flag of the domain of a side. */
const domainFlags: Readonly<Record<SideName, string>> = {
  lab: '--dds-domain',
  controller: '--domain-number',
};

/** The programs that belong on the domain of a side. */
const inhabitants: Readonly<Record<SideName, string>> = {
  lab: 'vehicles, a lab control or the lab side of a middleware',
  controller: 'controllers or the controller side of a middleware',
};

const senders: Readonly<Record<SideName, string>> = {
  lab: 'the lab control',
  controller: 'the controllers',
};

/**
 * A finding in words.
 * @param awaited the samples that did not come, for example "the ready signals of controllers 1, 2".
 */
export function findingWords(finding: Finding, awaited = 'the awaited samples'): FindingWords {
  const { domainId } = finding;
  switch (finding.kind) {
    case 'noParticipants': {
      const { side, domainsInUse } = finding;
      const hint =
        domainsInUse.length === 0
          ? ''
          : `; programs of this machine are on DDS domain ${domainsInUse.join(', ')}`;
      return {
        what: `no participants seen on DDS domain ${domainId}${hint}`,
        advice: `start ${senders[side]} on this domain, interface and machine, or name theirs with ${domainFlags[side]} and --interface`,
      };
    }
    case 'unanswered': {
      const { unanswered } = finding;
      const named = shortList(unanswered.map((one) => `${one.vendor} (${one.guidPrefix})`));
      return {
        what: `${unanswered.length === 1 ? 'a participant announces' : `${unanswered.length} participants announce`} no address that this middleware reaches on DDS domain ${domainId}: ${named.join(', ')}`,
        advice:
          'for a program of this machine use --local-addresses=all (the default with --compat=cpm-lab), for one of another machine --interface',
      };
    }
    case 'noWriter':
      return {
        what: `no participant on DDS domain ${domainId} writes topic ${finding.topic}; discovered: ${participantList(finding.participants)}`,
        advice: `start ${senders[finding.side]}, or look in its log how far it came; use --${finding.side}-side=ros2 for programs of ROS 2, and only for them`,
      };
    case 'nothingSent':
      return {
        what: `${participantList(finding.participants)} could send ${awaited} on DDS domain ${domainId}, and did not`,
        advice: 'check what that program waits for, and which ids it has',
      };
    case 'otherIds':
      return {
        what: `ready signals came from ${quoted(finding.sourceIds)} on DDS domain ${domainId}, which are no controllers of this middleware`,
        advice:
          'give their ids with --vehicle-ids, or let each controller send "hlc_" and the id of its vehicle',
      };
    case 'typeMismatch':
      return {
        what: `${endpointOf(finding)} has the type ${printable(finding.types.discovered)}, and the type of this topic is ${finding.types.local}`,
        advice: `use the type ${finding.types.local} of idl/ in that program, under exactly this name`,
      };
    case 'qosMismatch': {
      const { endpoint, mismatches } = finding;
      return {
        what: `${endpointOf(finding)} does not fit: ${mismatches.map((one) => mismatchWords(one, endpoint)).join('; ')}`,
        advice: `${mismatches.map((one) => remedy(one, endpoint)).join(', ')}, or change the QoS of this middleware with --qos-file`,
      };
    }
    case 'wrongSide': {
      const { side, other, participants, endpoints } = finding;
      const signs = endpoints.map(({ kind, topic }) => `${kind} of ${topic}`);
      return {
        what: `DDS domain ${domainId} is the ${side} side, and has what looks like ${inhabitants[other.side]}: ${participantList(participants)} (${signs.join(', ')})`,
        advice: `move these programs to DDS domain ${other.domainId}, or name the domains as they are with ${domainFlags.lab} and ${domainFlags.controller}`,
      };
    }
    case 'sameControllerId':
      return {
        what: `two programs send the ready signal of ${quoted(finding.sourceIds)} on DDS domain ${domainId}: ${participantList(finding.participants)}`,
        advice: 'end one of them, or give it the id of another vehicle',
      };
    case 'sameNodeId':
      return {
        what: `two middlewares have the node id ${quoted(finding.sourceIds)} on DDS domain ${domainId}: ${participantList(finding.participants)}`,
        advice: 'end one of them, or give each its own --node-id',
      };
  }
}

function endpointOf({ endpoint, topic, participants: [owner] }: EndpointFinding): string {
  return `the ${endpoint} of topic ${topic} of ${participantWords(owner)}`;
}

function mismatchWords(
  { policy, requested, offered }: QosMismatch,
  discovered: EndpointKind,
): string {
  return discovered === 'writer'
    ? `it offers ${policy} ${offered}, and this middleware requests ${requested}`
    : `it requests ${policy} ${requested}, and this middleware offers ${offered}`;
}

function remedy({ policy, requested, offered }: QosMismatch, discovered: EndpointKind): string {
  return discovered === 'writer'
    ? `let that writer offer ${policy} ${requested}`
    : `let that reader request ${policy} ${offered}`;
}

function quoted(ids: readonly string[]): string {
  return ids.map((id) => `"${printable(id)}"`).join(', ');
}

function participantList(participants: readonly DiscoveredParticipant[]): string {
  return shortList(participants.map(participantWords)).join('; ');
}

/** A participant by its name, its process and its machine, as far as they are known. */
function participantWords(participant: DiscoveredParticipant): string {
  const { pid, vendor, guidPrefix } = participant;
  const [name, processName, hostName] = [
    participant.name,
    participant.processName,
    participant.hostName,
  ].map((text) => (text === undefined ? undefined : printable(text)));
  const process = [processName, pid === undefined ? undefined : `process ${pid}`].filter(
    (part) => part !== undefined,
  );
  const program = process.length > 0 ? process.join(', ') : `a ${vendor} participant ${guidPrefix}`;
  const place = hostName === undefined ? '' : ` on ${hostName}`;
  return name === undefined ? `${program}${place}` : `"${name}" (${program}${place})`;
}

const mostNamed = 4;

/** The first items, and the number of the others. */
function shortList(items: readonly string[]): string[] {
  const more = items.length - mostNamed;
  return [...items.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
}
