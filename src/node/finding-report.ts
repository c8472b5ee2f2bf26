import { z } from 'zod';
import type { Finding } from '../diagnosis/index.js';
import { type FindingWords, findingWords } from './finding-words.js';

/** A finding in the log and in the report of `hlc-middleware doctor --json`. */
export const findingReportSchema = z.strictObject({
  kind: z.string(),
  domain_id: z.number(),
  what: z.string(),
  advice: z.string(),
  topic: z.string().optional(),
  /** GUID prefixes. */
  participants: z.array(z.string()).optional(),
  /** Source ids of ready signals, or node ids. */
  source_ids: z.array(z.string()).optional(),
  types: z.strictObject({ discovered: z.string(), local: z.string() }).optional(),
  mismatches: z
    .array(
      z.strictObject({
        policy: z.string(),
        policy_id: z.number(),
        requested: z.string(),
        offered: z.string(),
      }),
    )
    .optional(),
});

export type FindingReport = z.infer<typeof findingReportSchema>;

/** @param words what the report says to a person. */
export function findingReport(
  finding: Finding,
  { what, advice }: FindingWords = findingWords(finding),
): FindingReport {
  const participants = participantsOf(finding);
  return {
    kind: finding.kind,
    domain_id: finding.domainId,
    what,
    advice,
    ...('topic' in finding && { topic: finding.topic }),
    ...(participants !== undefined && { participants }),
    ...('sourceIds' in finding && { source_ids: [...finding.sourceIds] }),
    ...('types' in finding && { types: finding.types }),
    ...('mismatches' in finding && {
      mismatches: finding.mismatches.map(({ policyId, ...rest }) => ({
        ...rest,
        policy_id: policyId,
      })),
    }),
  };
}

function participantsOf(finding: Finding): string[] | undefined {
  if ('guidPrefixes' in finding) return [...finding.guidPrefixes];
  const named = 'unanswered' in finding ? finding.unanswered : undefined;
  const participants = named ?? ('participants' in finding ? finding.participants : undefined);
  return participants?.map(({ guidPrefix }) => guidPrefix);
}
