import { z } from 'zod';
import { maxVehicleId, toMs } from '../../core/index.js';
import { replyTimesOf } from './reply-times.js';
import { rules } from './rules/index.js';
import type { Transcript } from './transcript.js';
import { viewOf } from './view.js';

const milliseconds = z.number().nonnegative();

/** What `hlc-middleware certify --json` prints; docs/reference/certification.md has the meaning of the fields. */
export const certificationReportSchema = z.strictObject({
  vehicle_ids: z.array(z.int().min(0).max(maxVehicleId)).min(1),
  domain: z.int().min(0).max(232),
  period_ms: z.number().positive(),
  seed: z.int().nonnegative(),
  appeared: z.boolean(),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  not_tested: z.int().nonnegative(),
  rules: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      outcome: z.enum(['pass', 'fail', 'not-tested']),
      evidence: z.string(),
      change: z.string(),
    }),
  ),
  reply_time_ms: z.record(
    z.string(),
    z.strictObject({
      count: z.int().positive(),
      p50: milliseconds,
      p90: milliseconds,
      p99: milliseconds,
      max: milliseconds,
    }),
  ),
});

export type CertificationReport = z.infer<typeof certificationReportSchema>;

/** What a transcript does not say of the certification. */
export interface CertificationSetting {
  readonly domain: number;
  readonly seed: number;
}

/** Judges a transcript by all rules. */
export function judge(
  transcript: Transcript,
  { domain, seed }: CertificationSetting,
): CertificationReport {
  const view = viewOf(transcript);
  const judged = rules.map((rule) => {
    const { id, title, change } = rule;
    return { id, title, ...rule.judge(view), change };
  });
  const outcomes = (outcome: string) => judged.filter((one) => one.outcome === outcome).length;
  return {
    vehicle_ids: [...transcript.vehicleIds],
    domain,
    period_ms: toMs(transcript.periodNs),
    seed,
    appeared: view.events('readySignal').length > 0,
    passed: outcomes('pass'),
    failed: outcomes('fail'),
    not_tested: outcomes('not-tested'),
    rules: judged,
    reply_time_ms: Object.fromEntries(
      replyTimesOf(view).map(({ vehicleId, count, p50Ns, p90Ns, p99Ns, maxNs }) => [
        String(vehicleId),
        { count, p50: toMs(p50Ns), p90: toMs(p90Ns), p99: toMs(p99Ns), max: toMs(maxNs) },
      ]),
    ),
  };
}

const outcomeTexts = { pass: 'pass', fail: 'FAIL', 'not-tested': 'not tested' } as const;

/** The report for the eye. */
export function reportText(report: CertificationReport): string {
  const { vehicle_ids, domain, period_ms, seed, passed, failed, not_tested } = report;
  const ids = `vehicle${vehicle_ids.length === 1 ? '' : 's'} ${vehicle_ids.join(', ')}`;
  const width = Math.max(0, ...report.rules.map(({ id }) => id.length));
  const indent = ' '.repeat(width + 14);
  // Of a controller that is not there, the rest says nothing.
  const shown = report.rules.filter(({ outcome }) => report.appeared || outcome === 'fail');
  const lines = shown.flatMap(({ id, title, outcome, evidence, change }) => [
    `${outcomeTexts[outcome].padEnd(10)}  ${id.padEnd(width)}  ${title}`,
    `${indent}${evidence}`,
    ...(outcome === 'fail' ? [`${indent}What to change: ${change}`] : []),
  ]);
  return [
    `Controller of ${ids} on DDS domain ${domain}, period ${period_ms} ms, seed ${seed}`,
    '',
    ...lines,
    ...(report.appeared
      ? []
      : [
          '',
          `No controller appeared, so nothing else was tested. Is it on DDS domain ${domain}, and does its`,
          'discovery reach this interface without multicast (docs/guide/network.md)?',
        ]),
    '',
    `${passed} passed, ${failed} failed, ${not_tested} not tested`,
  ].join('\n');
}
