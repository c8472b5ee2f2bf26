import { z } from 'zod';
import { maxVehicleId } from '../core/index.js';
import { mostRemoteAgents, remoteAgentSchema } from '../remote/index.js';
import { TapFormatError } from './byte-reader.js';
import type { PlainType } from './frame-layout.js';
import type { PlainSettings } from './session-settings.js';

/** Version of the format; it rises when a reader of the version before cannot read it. */
export const tapVersion = 2;

/** What the first frame says of the format. */
export const tapFormat = 'hlc-middleware tap';

const clock = z.object({ monotonicNs: z.bigint(), realtimeNs: z.bigint() });
const count = z.int().min(0);
const quantiles = z.object({ p50: z.number(), p99: z.number(), max: z.number() });
/** Recordings of versions before this count have none. */
const addedCount = count.default(0);
/** Recordings of versions before have distances that are not finite. */
const anyNumber = z.custom<number>((value) => typeof value === 'number');
const counts = z.record(z.string(), count);

const controllerSummary = z.object({
  replies: count,
  misses: count,
  late_replies: count,
  commands_refused: addedCount,
  safe_stops: count,
  latched: z.boolean(),
  reply_time_us: quantiles,
});

/** Has every member of what the middleware writes: an unknown one is dropped. */
const runSummary = z.object({
  periods: count,
  start_signals: count,
  start_signals_repeated: count,
  skipped_periods: count,
  event_loop_stalls: count,
  event_loop_stall_max_us: z.number().default(0),
  commands_forwarded: counts,
  commands_refused: counts,
  commands_flagged: counts,
  own_commands: z.object({ hold: count, stop: count }),
  output_lines_lost: addedCount,
  observers_removed: addedCount,
  second_controllers: addedCount,
  writes_failed: counts,
  samples_malformed: counts,
  controllers: z.record(z.string(), controllerSummary),
  start_signal_lateness_us: quantiles,
  reply_time_us: quantiles,
  vehicles: z.record(
    z.string(),
    z.object({ distance_m: anyNumber, states_received: count, stale_periods: count }),
  ),
});

const controllerStatus = z.object({
  id: z.int().min(0).max(maxVehicleId),
  state: z.string(),
  latched: z.boolean(),
  stopping: z.boolean(),
  replies: count,
  misses: count,
});

const schemas = {
  hello: z.object({
    format: z.literal(tapFormat),
    version: z.int().min(1),
    /** Version of the middleware; recordings of versions before have none. */
    program: z.string().optional(),
    /** Its effective configuration as JSON. */
    config: z.string().optional(),
    nodeId: z.string(),
    timeMode: z.enum(['real', 'simulated']),
    compat: z.string(),
    /** DDS domains. */
    domains: z.object({ lab: count, controllers: count }),
    /** Path of the control socket. */
    controlSocket: z.string(),
    cyclone: z.string(),
    /** Of Node. */
    node: z.string(),
    clock,
    /** Simulated time waits so long for a reader that must have everything, ms; 0: it does not wait. */
    waitMs: count.default(0),
  }),
  session: z.object({
    /** The settings of `core`: see `settingsOf`. */
    settings: z.custom<PlainSettings>((value) => typeof value === 'object' && value !== null),
    /** Both clocks when it began. */
    now: clock,
    /** Number of the next event: above 0 when the session began before the reader came. */
    nextEvent: z.bigint(),
  }),
  dropped: z.object({
    records: z
      .array(z.object({ type: z.string(), kind: z.string(), topic: z.string(), count }))
      .max(1024),
  }),
  summary: z.object({
    phase: z.string(),
    timeNs: z.bigint().nullable(),
    periodNs: z.bigint().nullable(),
    controllers: z.array(controllerStatus).max(maxVehicleId + 1),
    /** As `--summary` writes it (docs/reference/summary.md); null before the first session. */
    summary: runSummary.nullable(),
  }),
  /** An entry of the log, as a line of JSON. */
  log: z.looseObject({ level: z.number(), time: z.string(), msg: z.string().optional() }),
  stalled: z.object({ stallNs: z.bigint() }),
  remoteAgents: z.object({ agents: z.array(remoteAgentSchema).max(mostRemoteAgents) }),
  end: z.object({ reason: z.enum(['closed', 'full']) }),
} satisfies Record<PlainType, z.ZodType>;

type Contents = { [T in keyof typeof schemas]: z.output<(typeof schemas)[T]> };

/** Format, versions and clocks of a middleware. */
export type TapHello = Contents['hello'];
/** The settings that a session of `core` began with. */
export type TapSession = Contents['session'];
/** Records that this reader was too slow for, since the record of this type before. */
export type TapDropped = Contents['dropped'];
/** State and counts of the middleware; once per second, and at the end. */
export type TapSummary = Contents['summary'];
export type TapLog = Contents['log'];

/** A record without events and effects. */
export type ContentRecord = {
  [T in keyof Contents]: { readonly type: T; readonly content: Contents[T] };
}[keyof Contents];

/** @throws TapFormatError when the content does not fit its type. */
export function checkContent({
  type,
  content,
}: {
  readonly type: PlainType;
  readonly content: unknown;
}): ContentRecord {
  const result = schemas[type].safeParse(content);
  // Type and content belong together; the compiler cannot see that through the table.
  if (result.success) return { type, content: result.data } as ContentRecord;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new TapFormatError(`a record ${type} is wrong at "${place}": ${issue?.message ?? ''}`);
}
