import { z } from 'zod';
import { findingReportSchema } from '../node/index.js';

/** `ok`; `advice`: it works, and could be better; `problem`: something will not work. */
const state = z.enum(['ok', 'advice', 'problem']);

const check = z.strictObject({
  name: z.string(),
  state,
  found: z.string(),
  advice: z.string().optional(),
});

const endpoint = z.strictObject({
  kind: z.enum(['writer', 'reader']),
  topic: z.string(),
  type: z.string(),
  reliability: z.string(),
  durability: z.string(),
  /** Null: the middleware has no counterpart for it. */
  fits: z.boolean().nullable(),
});

const participant = z.strictObject({
  guid_prefix: z.string(),
  vendor: z.string(),
  name: z.string().optional(),
  process: z.string().optional(),
  pid: z.number().optional(),
  host: z.string().optional(),
  endpoints: z.array(endpoint),
});

const domain = z.strictObject({
  side: z.enum(['lab', 'controller']),
  domain_id: z.number(),
  participants: z.array(participant),
  ready_signals: z.array(z.strictObject({ source_id: z.string(), guid_prefix: z.string() })),
});

/** What `hlc-middleware doctor --json` prints; docs/reference/doctor.md has the meaning of each field. */
export const doctorReport = z.strictObject({
  healthy: z.boolean(),
  listened_ms: z.number(),
  checks: z.array(check),
  domains: z.array(domain),
  domains_in_use: z.array(z.number()),
  findings: z.array(findingReportSchema),
});

export type DoctorReport = z.infer<typeof doctorReport>;
export type Check = z.infer<typeof check>;
export type DomainReport = z.infer<typeof domain>;
