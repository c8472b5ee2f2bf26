import { explainTimeout, type LocalSide } from '../../diagnosis/index.js';
import type { DiscoveredDomain } from '../../ports/index.js';
import { domainsInUse } from '../../dds/index.js';
import { findingReport } from '../finding-report.js';
import { findingWords } from '../finding-words.js';
import type { Logger } from '../logger.js';

/** One side, and the participants on its domain. */
export interface DiagnosedSide {
  readonly local: LocalSide;
  readonly other: LocalSide;
  /** Undefined over a transport that lists no participants. @throws HlcError `HLC_CLOSED`. */
  readonly discovered: () => DiscoveredDomain | undefined;
}

/** The samples that did not come. */
interface Awaited {
  readonly topic: string;
  /** For example "the ready signals of controllers 1, 2". */
  readonly what: string;
  /** Source ids of received ready signals that do not count. */
  readonly otherIds?: readonly string[];
}

/**
 * Logs every likely reason of a time-out.
 * @returns the most likely reason and what to do, as part of a sentence.
 */
export function diagnoseTimeout(
  { local, other, discovered: discover }: DiagnosedSide,
  { topic, what: awaited, otherIds = [] }: Awaited,
  log: Logger,
): string {
  const discovered = discover();
  if (discovered === undefined) {
    return 'the transport rclnodejs lists no participants; look with "ros2 topic info --verbose"';
  }
  const reports = explainTimeout({
    topic,
    local,
    other,
    discovered,
    otherIds,
    domainsInUse: domainsInUse().map(({ domainId }) => domainId),
  }).map((finding) => findingReport(finding, findingWords(finding, awaited)));
  for (const finding of reports) log.warn({ finding }, `${finding.what}; ${finding.advice}`);
  return reports
    .slice(0, 1)
    .map(({ what, advice }) => `${what}; ${advice}`)
    .join('');
}
