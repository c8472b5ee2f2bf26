import type { LocalSide } from '../../../src/diagnosis/index.js';
import type {
  DiscoveredDomain,
  DiscoveredEndpoint,
  DiscoveredParticipant,
} from '../../../src/ports/index.js';

/** A controller side with one topic of each kind, as the shipped QoS has it. */
export const controllerSide: LocalSide = {
  side: 'controller',
  domainId: 1,
  endpoints: [
    {
      kind: 'reader',
      topic: 'readyStatus',
      typeName: 'ReadyStatus',
      qos: { reliability: { kind: 'reliable' }, durability: { kind: 'transient-local' } },
    },
    {
      kind: 'reader',
      topic: 'vehicleCommandDirect',
      typeName: 'VehicleCommandDirect',
      qos: { reliability: { kind: 'reliable' } },
    },
    {
      kind: 'reader',
      topic: 'vehicleCommandDirect',
      typeName: 'VehicleCommandDirect',
      qos: { reliability: { kind: 'best-effort' } },
    },
    {
      kind: 'writer',
      topic: 'vehicleStateList',
      typeName: 'VehicleStateList',
      qos: { reliability: { kind: 'reliable' } },
    },
  ],
};

export const labSide: LocalSide = {
  side: 'lab',
  domainId: 0,
  endpoints: [
    { kind: 'writer', topic: 'readyStatus', typeName: 'ReadyStatus', qos: {} },
    { kind: 'reader', topic: 'vehicleState', typeName: 'VehicleState', qos: {} },
    { kind: 'writer', topic: 'vehicleCommandDirect', typeName: 'VehicleCommandDirect', qos: {} },
  ],
};

let participants = 0;

/** A Python program with these endpoints. */
export function participant(
  ...endpoints: Pick<DiscoveredEndpoint, 'kind' | 'topic' | 'typeName' | 'qos'>[]
): DiscoveredParticipant {
  const guidPrefix = `0110${String(++participants).padStart(20, '0')}`;
  return {
    guidPrefix,
    vendor: 'Cyclone DDS',
    processName: 'python3',
    pid: 42,
    hostName: 'lab-pc',
    endpoints: endpoints.map((endpoint, index) => ({
      ...endpoint,
      guid: `${guidPrefix}${String(index).padStart(8, '0')}`,
    })),
  };
}

/** The writer of a ready signal that fits. */
export const readyWriter = {
  kind: 'writer',
  topic: 'readyStatus',
  typeName: 'ReadyStatus',
  qos: { reliability: { kind: 'reliable' }, durability: { kind: 'transient-local' } },
} as const;

export function discoveredOn(domainId: number, ...all: DiscoveredParticipant[]): DiscoveredDomain {
  return { domainId, participants: all };
}
