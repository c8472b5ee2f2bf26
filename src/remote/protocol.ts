import { z } from 'zod';

import { maxVehicleId, toS } from '../core/index.js';
import { HlcError } from '../errors/index.js';

/**
 * The protocol of the control socket. A client sends one request per line and gets one reply per
 * line, in the same order; both are JSON in UTF-8. Times are decimal strings of nanoseconds on the
 * wire, since JSON numbers do not hold 64 bits.
 */

/** The longest request, in bytes of UTF-8 without its line feed. */
export const longestRequest = 4096;

/** Characters of the longest bookmark. */
export const longestMark = 200;

/** The longest reply, in bytes of UTF-8 without its line feed. */
export const longestReply = 1_048_576;

/** The largest time that fits the signed 64-bit nanoseconds of a DDS implementation. */
const latestTimeNs = 2n ** 63n - 1n;

const time = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
  .pipe(z.bigint().max(latestTimeNs));

const controllerId = z.int().min(0).max(maxVehicleId);

/** Monotonic time of this machine at which the client asked, ns. */
const askedAt = { asked_at_ns: time.optional() };

/** A request that lets vehicles move is refused when it is older than this, ns. */
const longestAgeNs = 1_000_000_000n;

const requestSchema = z.discriminatedUnion('command', [
  /** Begin this many further steps, then pause. */
  z.strictObject({ command: z.literal('step'), count: z.int().min(1), ...askedAt }),
  /** Begin no further step. */
  z.strictObject({ command: z.literal('pause') }),
  /** Go on: simulated time, and stopped controllers that are back, or only these controllers. */
  z.strictObject({
    command: z.literal('resume'),
    ids: z
      .array(controllerId)
      .max(maxVehicleId + 1)
      .optional(),
    ...askedAt,
  }),
  /** Begin the steps up to and including this simulated time, then pause. */
  z.strictObject({ command: z.literal('runUntil'), time_ns: time, ...askedAt }),
  /** End the run: the vehicles are brought to rest, then the process ends. */
  z.strictObject({ command: z.literal('stop') }),
  /** Write this text to the log, and to a recording as a bookmark. */
  z.strictObject({ command: z.literal('mark'), text: z.string().min(1).max(longestMark) }),
  /** Only report the status. */
  z.strictObject({ command: z.literal('status') }),
]);

/**
 * What a client asks for: `{ command: 'step', count }` (1 or more), `{ command: 'pause' }`,
 * `{ command: 'resume', ids }` (ids may be left out), `{ command: 'runUntil', time_ns }` (0 to 2^63 - 1),
 * `{ command: 'stop' }`, `{ command: 'mark', text }` (1 to 200 characters) or `{ command: 'status' }`. `pause`,
 * `step` and `runUntil` have a meaning in simulated time only. `step`, `resume` and `runUntil` may say when
 * the client asked (`asked_at_ns`): a middleware that stood still for longer than a second refuses them.
 */
export type ControlRequest = z.output<typeof requestSchema>;

/** A request that the session answers. */
export type SessionRequest = Exclude<ControlRequest, { command: 'mark' | 'stop' }>;

/** Remote agents that a status has at most: so it fits the longest reply. */
export const mostRemoteAgents = 128;

/**
 * A vehicle of another simulation, as a gateway rebuilds it from its description and its newest state:
 * metres, radians, m/s. `source` is the gateway, `vehicle_id` its vehicle in the lab, `state` null
 * before the first one.
 */
export const remoteAgentSchema = z.object({
  source: z.string(),
  node: z.int(),
  agent: z.int(),
  kind: z.enum(['wheeled', 'tracked', 'copter']),
  vehicle_id: z.int().min(0).max(maxVehicleId).nullable(),
  /** Numbers of wheels, track shoes, propellers and so on. */
  parts: z.record(z.string(), z.int().min(0)),
  /** Paths of its files, as the other simulation names them. */
  files: z.record(z.string(), z.string()),
  state: z.object({ x: z.number(), y: z.number(), yaw: z.number(), speed: z.number() }).nullable(),
});

/** A vehicle of another simulation. */
export type RemoteAgentStatus = z.output<typeof remoteAgentSchema>;

const statusSchema = z.object({
  node_id: z.string(),
  pid: z.int().min(1),
  time_mode: z.enum(['real', 'simulated']),
  phase: z.string(),
  time_ns: time.nullable(),
  period_ns: time.nullable(),
  start_signals: z.int().min(0),
  controllers: z.array(
    z.object({
      id: controllerId,
      state: z.string(),
      latched: z.boolean(),
      stopping: z.boolean(),
      replies: z.int().min(0),
      misses: z.int().min(0),
    }),
  ),
  remote_agents: z.array(remoteAgentSchema).max(mostRemoteAgents).optional(),
});

/**
 * How a middleware stands. `pid` is the id of its process, `phase` that of its session, `time_ns` the time of its last start
 * signal (null before the first), `period_ns` null until the lab's answer is there, `state` that of
 * the roster, `latched` says that it takes part again only after a resume, `stopping` that its
 * vehicle is being brought to rest, `remote_agents` are the vehicles of other simulations. A client also
 * reads a status that holds more than this.
 */
export type ControlStatus = z.output<typeof statusSchema>;

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), status: statusSchema }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);

/** The answer to a request: how things stand after it, or a code and a sentence of the catalogue. */
export type ControlReply = z.output<typeof replySchema>;

/** A request, a reply or its status as one line, with its line feed. */
export function encodeLine(message: ControlRequest | ControlReply | ControlStatus): string {
  const asText = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' ? value.toString() : value;
  return `${JSON.stringify(message, asText)}\n`;
}

/**
 * Reads the line of a request.
 * @throws HlcError `HLC_CONTROL_REQUEST`.
 */
export function decodeRequest(line: string): ControlRequest {
  const result = decode(requestSchema, line);
  if ('cause' in result) throw new HlcError('HLC_CONTROL_REQUEST', result);
  return result.message;
}

/**
 * The request, where its age counts with the instant at which it was made: its own, and this one at the latest.
 */
export function stamped(request: ControlRequest, monotonicNs: bigint): ControlRequest {
  if (!letsMove(request)) return request;
  const { asked_at_ns: askedNs = monotonicNs } = request;
  return { ...request, asked_at_ns: askedNs < monotonicNs ? askedNs : monotonicNs };
}

/**
 * Refuses a request that was made long ago: who made it may have gone, and does not expect that vehicles
 * move now.
 * @returns the request without the instant of {@link stamped}.
 * @throws HlcError `HLC_CONTROL_LATE`.
 */
export function fresh(request: ControlRequest, monotonicNs: bigint): ControlRequest {
  if (!letsMove(request)) return request;
  const { asked_at_ns: askedNs = monotonicNs, ...own } = request;
  const ageNs = monotonicNs - askedNs;
  if (ageNs <= longestAgeNs) return own;
  throw new HlcError('HLC_CONTROL_LATE', { ageS: toS(ageNs).toFixed(1) });
}

type MovingRequest = Extract<ControlRequest, { command: 'step' | 'resume' | 'runUntil' }>;

function letsMove(request: ControlRequest): request is MovingRequest {
  const { command } = request;
  return command === 'step' || command === 'resume' || command === 'runUntil';
}

/**
 * Reads the line of a reply.
 * @param path of the socket, for the error.
 * @throws HlcError `HLC_CONTROL_ANSWER`.
 */
export function decodeReply(line: string, path: string): ControlReply {
  const result = decode(replySchema, line);
  if ('cause' in result) throw new HlcError('HLC_CONTROL_ANSWER', { path, ...result });
  return result.message;
}

/** The failure of an error of the catalogue, as a reply. */
export function refusalReply({ code, message }: HlcError): ControlReply {
  return {
    ok: false,
    code,
    message,
  };
}

function decode<T>(
  schema: z.ZodType<T>,
  line: string,
): { readonly message: T } | { readonly cause: string } {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    return { cause: 'it is no JSON' };
  }
  const result = schema.safeParse(content);
  if (result.success) return { message: result.data };
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  return { cause: `${place === '' ? '' : `${place}: `}${issue?.message ?? 'it is wrong'}` };
}

/** A phase or a state in words: `waitingForControllers` → `waiting for controllers`. */
export function stateWords(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}
