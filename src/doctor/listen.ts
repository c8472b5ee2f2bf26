import { setTimeout as pause } from 'node:timers/promises';
import type { HeardSignal, OurSide, SideName } from '../diagnosis/index.js';
import { participantOf, type HeardDomain } from '../ports/index.js';
import type { DdsContext, DdsParticipant, DomainNetwork } from '../dds/index.js';
import type { QosLibraries } from '../dds/qos/index.js';
import { topics } from '../messages/index.js';
import { createSide, localEndpoints, readTopic, type TopicErrors } from '../sides/index.js';

/** What was heard on one side. */
export interface HeardSide {
  readonly ours: OurSide;
  readonly heard: HeardDomain;
  /** Each source id and sender once, in the order of their first signal. */
  readonly signals: readonly HeardSignal[];
}

/** The same, and how. */
export interface ListenedSide extends HeardSide {
  /** Names of the network interfaces that were used. */
  readonly interfaces: readonly string[];
}

/** A side that is listened on. */
interface Listening {
  readonly participant: DdsParticipant;
  readonly ours: OurSide;
  readonly signals: HeardSignal[];
}

const profileNames = { lab: 'Lab', controller: 'Controller' } as const;
/** More ready signals than that are not kept. */
const mostSignals = 1024;

/** What does not fit is found in what the participants announce. */
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
  const heard = sides.map(({ participant, ours, signals }) => ({
    ours,
    heard: participant.heard(),
    interfaces: participant.domain.interfaces,
    signals,
  }));
  for (const { participant } of sides) participant.close();
  return heard;
}

function open(
  dds: DdsContext,
  name: SideName,
  network: DomainNetwork,
  libraries: QosLibraries,
): Listening {
  const participant = dds.join(network, {}, 'hlc-middleware doctor');
  const side = createSide(profileNames[name], participant, libraries);
  const signals: HeardSignal[] = [];
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
  return { participant, ours: localEndpoints(name, network.domainId, side), signals };
}
