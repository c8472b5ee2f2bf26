import { ExitCode } from './exit-codes.js';

interface CatalogueEntry<D> {
  /** Process exit code when this error ends the program. */
  readonly exitCode: ExitCode;
  /** One sentence: what happened, and what to do. */
  readonly sentence: (details: D) => string;
}

const entry = <D>(exitCode: ExitCode, sentence: (details: D) => string): CatalogueEntry<D> => ({
  exitCode,
  sentence,
});

/** Every error that a user can meet: its code, its exit code and its sentence. */
export const catalogue = {
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
} as const satisfies Record<string, unknown>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** The details that the sentence of code `C` needs. */
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]['sentence']>[0];
