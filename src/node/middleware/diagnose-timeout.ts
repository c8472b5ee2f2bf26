import { explainWait, type Finding, type OurSide } from '../../diagnosis/index.js';
import type { HeardDomain } from '../../ports/index.js';
import { domainsInUse } from '../../dds/index.js';
import type { Logger } from '../logger.js';

/** One side, and who is heard on it. */
export interface HeardSide {
  readonly ours: OurSide;
  readonly other: OurSide;
  /** Undefined where the transport cannot tell. @throws HlcError `HLC_CLOSED`. */
  readonly heard: () => HeardDomain | undefined;
}

/** What did not come. */
interface Awaited {
  readonly topic: string;
  /** For example "the ready signals of controllers 1, 2". */
  readonly what: string;
  /** Source ids of ready signals that came and do not count. */
  readonly otherIds?: readonly string[];
}

/**
 * Finds out why what was awaited did not come, tells the log all of it, and returns the most likely
 * reason with what to do, as part of a sentence.
 */
export function diagnoseWait(side: HeardSide, awaited: Awaited, log: Logger): string {
  const heard = side.heard();
  if (heard === undefined) {
    return 'the transport ros2 does not tell who is there; look with "ros2 topic info --verbose"';
  }
  const findings = explainWait({
    otherIds: [],
    ...awaited,
    ours: side.ours,
    other: side.other,
    heard,
    domainsInUse: domainsInUse().map(({ domainId }) => domainId),
  });
  for (const finding of findings) log.warn({ finding }, sentenceOf(finding));
  return sentenceOf(findings[0]);
}

function sentenceOf({ what, advice }: Finding): string {
  return `${what}; ${advice}`;
}
