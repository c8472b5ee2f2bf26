/** User data of a reader or a writer from which ROS 2 reads the hash of its type. */
export function typeHashData(hash: string): Uint8Array {
  return new TextEncoder().encode(`typehash=${hash};`);
}

/** User data of a participant that has nodes: the enclave of security, which is the root here. */
export const participantData = new TextEncoder().encode('enclave=/;');
