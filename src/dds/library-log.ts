/** A message of the DDS library about a sample that it dropped without another report. */
export interface DroppedSample {
  readonly writerGuid: string;
  /** RTPS sequence number of the sample, decimal. */
  readonly sequenceNumber: string;
  readonly topicName: string;
  readonly cause: string;
}

/**
 * `data(application, vendor 1.16): 110a2b:3c:1:103 #7: deserialization vehicleState/VehicleState
 * failed (…)`, as Cyclone DDS 0.10 words it (src/core/ddsi/src/q_receive.c): bytes that are no
 * sample of the type they claim to be.
 */
const malformed =
  /(?<guid>[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]+) #(?<number>\d+): deserialization (?<topic>.*)\/[^/]* failed \((?<cause>.*)\)/;

/**
 * `dropping oversize (40000032 > 4194304) sample 1 from remote writer 110a2b:3c:1:103
 * vehicleState/VehicleState`, from the same file: its first fragment announced more bytes than
 * `Internal/MaxSampleSize`.
 */
const oversize =
  /dropping oversize \((?<size>\d+) > \d+\) sample (?<number>\d+) from remote writer (?<guid>[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]+) (?<topic>.*)\/[^/]*$/;

/** Recognises the library's messages of a sample that is malformed or too large. */
export function parseDroppedSample(text: string): DroppedSample | undefined {
  const found = (malformed.exec(text) ?? oversize.exec(text.trimEnd()))?.groups;
  if (found === undefined) return undefined;
  const { guid = '', number = '', topic = '', size = '' } = found;
  return {
    writerGuid: guid
      .split(':')
      .map((word) => word.padStart(8, '0'))
      .join(''),
    sequenceNumber: number,
    topicName: topic,
    cause: found.cause ?? `a sample of ${size} bytes is larger than this side takes`,
  };
}

/**
 * `SPDP ST0 110a2b:3c:1:1c1 bes c3f NEW (data meta) (no unicast address`, as Cyclone DDS 0.10 traces
 * it (src/core/ddsi/src/q_ddsi_discovery.c): a participant announced itself, and none of its
 * addresses can be reached on the interfaces of the domain.
 */
const unanswered =
  /SPDP ST0 (?<prefix>[0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+ .*\(no unicast address/;

/** The GUID prefix, 24 hex digits, of a participant that was received and cannot be answered. */
export function parseUnanswered(text: string): string | undefined {
  const prefix = unanswered.exec(text)?.groups?.prefix;
  return prefix
    ?.split(':')
    .map((word) => word.padStart(8, '0'))
    .join('');
}
