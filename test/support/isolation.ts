import { randomUUID } from 'node:crypto';

/**
 * A `CYCLONEDDS_URI` with a domain tag of its own (OMG DDSI-RTPS 2.5, section 8.5.3.3.2):
 * participants with other tags are not seen, so that runs at the same time do not meet, whatever
 * their domain ids.
 */
export function isolatedCycloneUri(): string {
  return `<CycloneDDS><Domain Id="any"><Discovery><Tag>${randomUUID()}</Tag></Discovery></Domain></CycloneDDS>`;
}
