import { RecentKeys } from '../core/index.js';
import type { UnansweredParticipant } from '../ports/index.js';
import { vendorOf } from './discovery.js';
import { parseDroppedSample, parseUnanswered } from './library-log.js';
import type { DdsParticipant, DomainState } from './participant.js';

/** A domain that is open, as far as the log of the library concerns it. */
export interface ReportedDomain {
  readonly participants: ReadonlySet<DdsParticipant>;
  readonly state: DomainState & { readonly unanswered: Map<string, string> };
}

export interface LibraryReportsOptions {
  /** A warning or an error of the DDS library that is reported in no other way. */
  readonly onLibraryLog?: (text: string) => void;
  /**
   * A participant announced itself and cannot be answered on the interfaces of its domain; once for
   * each. Not called when `CYCLONEDDS_URI` makes traces of the library.
   */
  readonly onUnanswered?: (participant: UnansweredParticipant, domainId: number) => void;
}

const rememberedSamples = 4096;

/** More participants that cannot be answered are not remembered. */
const mostUnanswered = 1000;

/** Reads the log of the DDS library: some facts are nowhere else. */
export class LibraryReports {
  /** While the readers of a topic get to know a writer, each may report the same sample. */
  readonly #malformed = new RecentKeys(rememberedSamples);

  constructor(
    private readonly domains: ReadonlyMap<number, ReportedDomain>,
    private readonly options: LibraryReportsOptions,
  ) {}

  /** Takes one message of the library. */
  take(text: string, domainId: number): void {
    const domain = this.domains.get(domainId);
    const unanswered = parseUnanswered(text);
    if (unanswered !== undefined) {
      this.#unanswered(unanswered, domainId, domain?.state.unanswered);
      return;
    }
    const dropped = parseDroppedSample(text);
    const reader = dropped && firstReader(domain, dropped.topicName);
    if (dropped === undefined || reader === undefined) {
      this.options.onLibraryLog?.(text);
      return;
    }
    const { writerGuid, sequenceNumber, cause } = dropped;
    if (this.#malformed.add(`${writerGuid} ${sequenceNumber}`)) {
      reader.listener.onMalformed?.({ writerGuid, cause });
    }
  }

  #unanswered(guidPrefix: string, domainId: number, known?: Map<string, string>): void {
    if (known === undefined || known.has(guidPrefix) || known.size >= mostUnanswered) return;
    const vendor = vendorOf(guidPrefix);
    known.set(guidPrefix, vendor);
    this.options.onUnanswered?.({ guidPrefix, vendor }, domainId);
  }
}

function firstReader(domain: ReportedDomain | undefined, topicName: string) {
  for (const participant of domain?.participants ?? []) {
    const reader = participant.readersOf(topicName)[0];
    if (reader !== undefined) return reader;
  }
  return undefined;
}
