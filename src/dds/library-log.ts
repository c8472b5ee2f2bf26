/** A message of the DDS library about bytes that are no sample of the type they claim to be. */
export interface DeserializationFailure {
  readonly writerGuid: string;
  /** RTPS sequence number of the sample, decimal. */
  readonly sequenceNumber: string;
  readonly topicName: string;
  readonly cause: string;
}

/**
 * `data(application, vendor 1.16): 110a2b:3c:1:103 #7: deserialization vehicleState/VehicleState
 * failed (…)`, as Cyclone DDS 0.10 words it (src/core/ddsi/src/q_receive.c); the library drops
 * such a sample and tells nobody else.
 */
const failure =
  /([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+) #(\d+): deserialization (.*)\/[^/]* failed \((.*)\)/;

/** Recognises the library's message of a malformed sample. */
export function parseDeserializationFailure(text: string): DeserializationFailure | undefined {
  const found = failure.exec(text);
  if (found === null) return undefined;
  const [, a = '', b = '', c = '', d = '', sequenceNumber = '', topicName = '', cause = ''] = found;
  const writerGuid = [a, b, c, d].map((word) => word.padStart(8, '0')).join('');
  return { writerGuid, sequenceNumber, topicName, cause };
}
