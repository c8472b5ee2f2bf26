import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of DDS and of what arrives over it. */
export const networkErrors = {
  HLC_NATIVE_MISSING: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The DDS add-on ${d.path} cannot be loaded (${d.cause}); run "npm run setup" in the project folder to build it.`,
  ),
  HLC_DDS_DOMAIN: entry<{ domainId: number; networkInterface: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `DDS domain ${d.domainId} cannot be opened on network interface "${d.networkInterface}" (${d.cause}); check --interface, the domain id (0 to 232) and CYCLONEDDS_URI.`,
  ),
  HLC_DDS_ENTITY: entry<{ what: string; topic: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `A DDS ${d.what} for topic "${d.topic}" cannot be made (${d.cause}); check the QoS profile of that topic.`,
  ),
  HLC_DDS_WRITE: entry<{ topic: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `A sample for topic "${d.topic}" cannot be written (${d.cause}); the readers of this topic may be stalled.`,
  ),
  HLC_CLOSED: entry<{ what: string }>(
    ExitCode.failure,
    (d) => `The ${d.what} is already closed; make a new one before you use it.`,
  ),
  HLC_SAMPLE_MALFORMED: entry<{ topic: string; writerGuid: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The writer ${d.writerGuid} sent bytes on topic "${d.topic}" that are no sample of its type (${d.cause}), and they were dropped; build that program with the types in idl/.`,
  ),
  HLC_PEER_QOS: entry<{ topic: string; end: 'reader' | 'writer'; policy: string }>(
    ExitCode.failure,
    (d) =>
      `The ${d.end} of topic "${d.topic}" does not match an endpoint of another program, since the QoS policy ${d.policy} does not fit; compare it with the table of the topics.`,
  ),
  HLC_PEER_UNREACHABLE: entry<{ peer: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The discovery peer "${d.peer}" cannot be reached (${d.cause}); check its name and this machine's network, or name the way to it with --interface.`,
  ),
} as const;
