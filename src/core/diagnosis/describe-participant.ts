import type { HeardParticipant } from '../ports/index.js';
import { printable } from '../printable.js';

/** A participant in a few words: what it calls itself, its process, its machine. */
export function describeParticipant(participant: HeardParticipant): string {
  const { pid, vendor, guidPrefix } = participant;
  const [name, processName, hostName] = [
    participant.name,
    participant.processName,
    participant.hostName,
  ].map((text) => (text === undefined ? undefined : printable(text)));
  const process = [processName, ...(pid === undefined ? [] : [`process ${pid}`])].filter(
    (part) => part !== undefined,
  );
  const who = process.length > 0 ? process.join(', ') : `a ${vendor} participant ${guidPrefix}`;
  const where = hostName === undefined ? '' : ` on ${hostName}`;
  return name === undefined ? `${who}${where}` : `"${name}" (${who}${where})`;
}

const mostNamed = 4;

/** Several participants in a few words. */
export function describeParticipants(participants: readonly HeardParticipant[]): string {
  const named = participants.slice(0, mostNamed).map(describeParticipant);
  const more = participants.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
