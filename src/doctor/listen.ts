import { setTimeout as pause } from 'node:timers/promises';
import type { ReadySignal, LocalSide, SideName } from '../diagnosis/index.js';
import { participantOf, type DiscoveredDomain } from '../ports/index.js';
import type { DdsContext, DdsParticipant, DomainNetwork } from '../dds/index.js';
import type { QosLibraries } from '../dds/qos/index.js';
import { topics } from '../messages/index.js';
import { createSide, localEndpoints, readTopic, type TopicErrors } from '../sides/index.js';

/** The discovered participants and received ready signals of one side. */
export interface DiscoveredSide {
  readonly local: LocalSide;
  readonly discovered: DiscoveredDomain;
  /** Each source id and sender once, in the order of their first signal. */
  readonly signals: readonly ReadySignal[];
}

/** A side with the network interfaces of its participant. */
export interface ListenedSide extends DiscoveredSide {
  /** Names of the network interfaces. */
  readonly interfaces: readonly string[];
}

/** A side that is listened on. */
interface Listening {
  readonly participant: DdsParticipant;
  readonly local: LocalSide;
  readonly signals: ReadySignal[];
}

const profileNames = { lab: 'Lab', controller: 'Controller' } as const;
/** Maximum number of kept ready signals. */
const mostSignals = 1024;

/** Mismatches come from the announcements of the participants instead. */
const unreported: TopicErrors = {
  malformed: () => undefined,
  incompatibleQos: () => undefined,
  writeFailed: () => undefined,
  lost: () => undefined,
};

/**
 * Listens on the domains of both sides at the same time. Nothing is written.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`, `HLC_QOS_PROFILE`.
 */
export async function listen(
  dds: DdsContext,
  networks: Readonly<Record<SideName, DomainNetwork>>,
  libraries: QosLibraries,
  listenMs: number,
): Promise<readonly ListenedSide[]> {
  const sides = (['lab', 'controller'] as const).map((side) =>
    open(dds, side, networks[side], libraries),
  );
  await pause(listenMs);
  const listened = sides.map(({ participant, local, signals }) => ({
    local,
    discovered: participant.discovered(),
    interfaces: participant.domain.interfaces,
    signals,
  }));
  for (const { participant } of sides) participant.close();
  return listened;
}

function open(
  dds: DdsContext,
  name: SideName,
  network: DomainNetwork,
  libraries: QosLibraries,
): Listening {
  const participant = dds.join(network, {}, 'hlc-middleware doctor');
  const side = createSide(profileNames[name], participant, libraries);
  const signals: ReadySignal[] = [];
  const known = new Set<string>();
  readTopic(
    side,
    topics.readyStatus,
    ({ source_id: sourceId }, { writer }) => {
      const guidPrefix = participantOf(writer.guid);
      const key = `${guidPrefix} ${sourceId}`;
      if (known.has(key) || known.size >= mostSignals) return;
      known.add(key);
      signals.push({ sourceId, guidPrefix });
    },
    unreported,
  );
  return { participant, local: localEndpoints(name, network.domainId, side), signals };
}
