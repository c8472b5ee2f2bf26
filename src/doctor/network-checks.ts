import {
  discoveryPort,
  isLoopback,
  maxParticipantIndex,
  type DomainInUse,
  type DomainNetwork,
} from '../dds/index.js';
import type { InterfaceFacts, MachineFacts } from './machine-facts.js';
import type { Check } from './report.js';

/** The interface of one side, and how others are looked for on it. */
export function interfaceCheck(
  side: string,
  network: DomainNetwork,
  facts: InterfaceFacts | undefined,
  cycloneUri: string | undefined,
): Check {
  const name = `interface of the ${side} side`;
  if (facts === undefined) {
    return {
      name,
      state: 'problem',
      found: `there is no interface "${network.networkInterface}"`,
      advice: 'name one that "ip address" lists with --interface',
    };
  }
  const multicast = multicastOf(network, facts, cycloneUri);
  const found = `${facts.name} (${facts.addresses.join(', ') || 'no address'}), ${facts.up ? 'up' : 'down'}${facts.loopback || network.thisMachineOnly === true ? ', this machine only' : ''}; multicast: ${multicast}`;
  if (!facts.up || facts.addresses.length === 0) {
    const advice = `bring it up and give it an address ("ip link set ${facts.name} up"), or name another one with --interface`;
    return { name, state: 'problem', found, advice };
  }
  return { name, state: 'ok', found };
}

function multicastOf(
  network: DomainNetwork,
  facts: InterfaceFacts,
  cycloneUri: string | undefined,
): string {
  const able = facts.multicast ? '' : ', and the interface cannot';
  const variable =
    cycloneUri === undefined || cycloneUri === ''
      ? ''
      : '; CYCLONEDDS_URI is set and has the last word';
  const { multicast = true, thisMachineOnly = false } = network;
  const off = !multicast || thisMachineOnly || isLoopback(network.networkInterface);
  return `${off ? 'off' : 'as Cyclone DDS has it by default'}${able}${variable}`;
}

/** Whether a further participant finds two ports on this machine, in this domain. */
export function portCheck(
  side: string,
  domainId: number,
  inUse: readonly DomainInUse[],
  { ephemeralPorts }: Pick<MachineFacts, 'ephemeralPorts'>,
): Check {
  const most = maxParticipantIndex(domainId);
  const first = discoveryPort(domainId, 0);
  const last = discoveryPort(domainId, most) + 1;
  const taken = inUse.find((domain) => domain.domainId === domainId)?.participantIndexes ?? [];
  const name = `ports of the ${side} side`;
  const found = `UDP ${first} to ${last} for DDS domain ${domainId}; ${taken.length} of ${most + 1} participant numbers taken`;
  if (taken.length > most) {
    return {
      name,
      state: 'problem',
      found,
      advice: 'end programs that have them, or use another domain',
    };
  }
  if (ephemeralPorts !== undefined && last >= ephemeralPorts[0] && first <= ephemeralPorts[1]) {
    const advice = `use a lower domain: any program may get one of these ports by chance (${ephemeralPorts.join(' to ')} are given out so)`;
    return { name, state: 'advice', found, advice };
  }
  return { name, state: 'ok', found };
}
