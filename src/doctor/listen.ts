import { setTimeout as pause } from 'node:timers/promises';
import type { HeardSignal, OurSide, SideName } from '../core/diagnosis/index.js';
import type { HeardDomain } from '../core/ports/index.js';
import type { DdsContext, DdsParticipant, DomainNetwork } from '../dds/index.js';
import type { QosLibraries } from '../dds/qos/index.js';
import { CdrError, topics } from '../messages/index.js';
import { createSide, localEndpoints } from '../sides/index.js';

/** What was heard on one side. */
export interface HeardSide {
  readonly ours: OurSide;
  readonly heard: HeardDomain;
  /** Each source id and sender once, in the order of their first signal. */
  readonly signals: readonly HeardSignal[];
}

/** A side that is listened on. */
interface Listening {
  readonly participant: DdsParticipant;
  readonly ours: OurSide;
  readonly signals: HeardSignal[];
}

const profileNames = { lab: 'Lab', controller: 'Controller' } as const;
/** The part of a GUID, in hex digits, that names the participant. */
const prefixDigits = 24;
/** More ready signals than that are not kept. */
const mostSignals = 1024;

/**
 * Listens on the domains of both sides at the same time. Nothing is written.
 * @throws HlcError `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`, `HLC_QOS_PROFILE`.
 */
export async function listen(
  dds: DdsContext,
  networks: Readonly<Record<SideName, DomainNetwork>>,
  libraries: QosLibraries,
  listenMs: number,
): Promise<readonly HeardSide[]> {
  const sides = (['lab', 'controller'] as const).map((side) =>
    open(dds, side, networks[side], libraries),
  );
  await pause(listenMs);
  const heard = sides.map(({ participant, ours, signals }) => ({
    ours,
    heard: participant.heard(),
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
  const topic = topics.readyStatus;
  for (const { qos, options } of side.profile.readersFor(topic.name, side.defaults)) {
    const onSample = ({ bytes, writer }: { bytes: Uint8Array; writer: { guid: string } }) => {
      const sourceId = sourceIdOf(bytes);
      const guidPrefix = writer.guid.slice(0, prefixDigits);
      const key = `${guidPrefix} ${sourceId ?? ''}`;
      if (sourceId === undefined || known.has(key) || known.size >= mostSignals) return;
      known.add(key);
      signals.push({ sourceId, guidPrefix });
    };
    participant.createReader(topic, qos, { onSample }, options);
  }
  return { participant, ours: localEndpoints(name, network.domainId, side), signals };
}

/** Undefined for bytes that are no ready signal. */
function sourceIdOf(bytes: Uint8Array): string | undefined {
  try {
    return topics.readyStatus.codec.decode(bytes).source_id;
  } catch (error) {
    if (error instanceof CdrError) return undefined;
    throw error;
  }
}
