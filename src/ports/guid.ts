/** Hex digits of a GUID that name the participant (OMG DDSI-RTPS 2.5, section 8.2.4.1). */
const participantDigits = 24;

/**
 * The participant of an endpoint: its GUID prefix.
 * @param guid of a reader, a writer or the participant itself, 32 hex digits.
 * @returns 24 hex digits.
 */
export function participantOf(guid: string): string {
  return guid.slice(0, participantDigits);
}
