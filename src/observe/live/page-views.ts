import { type Command, nsPerUs, toMs } from '../../core/index.js';
import { VehicleStateCodec } from '../../messages/index.js';
import {
  logText,
  TapFormatError,
  type EffectRecord,
  type EventRecord,
  type TapHello,
  type TapLog,
  type TapSummary,
} from '../../tap/index.js';
import type { CommandView, EventView, PlanView, StatusView, VehicleView } from './page-protocol.js';

type CommandOf = Extract<EventRecord['event'], { kind: 'command' }>['command'];

/** Points of a plan that the page draws. */
const mostPoints = 64;
const usPerMs = 1000;

/** ms since 1970. */
export function msOf(realtimeNs: bigint): number {
  return Number(realtimeNs / nsPerUs) / usPerMs;
}

/** Duration in ms. */
export function durationMs(ns: bigint): number {
  return toMs(ns);
}

/** @throws TapFormatError when the record has no vehicle state. */
export function vehicleView({ event }: EventRecord, t: number): VehicleView {
  if (event.kind !== 'vehicleState') throw new TapFormatError('a record has no vehicle state');
  const state = VehicleStateCodec.decode(event.bytes);
  const { x, y, yaw } = state.pose;
  return {
    id: state.vehicle_id,
    t,
    ...finiteOrNull({ x, y, yaw, speed: state.speed, battery: state.battery_voltage }),
    poseAgeMs: durationMs(state.IPS_update_age_nanoseconds),
  };
}

/** JSON has no other numbers. */
function finiteOrNull<K extends string>(numbers: Record<K, number>): Record<K, number | null> {
  const entries = Object.entries<number>(numbers);
  return Object.fromEntries(
    entries.map(([key, n]) => [key, Number.isFinite(n) ? n : null]),
  ) as Record<K, number | null>;
}

function commandOf({ event }: EventRecord): CommandOf {
  if (event.kind !== 'command') throw new TapFormatError('a record has no command');
  return event.command;
}

/** What the command of an effect plans. @throws TapFormatError when it has none. */
export function planView({ cause }: EffectRecord, t: number): PlanView {
  return planOf(commandOf(cause), t);
}

/** What a command plans. */
export function planOf(command: Command, t: number): PlanView {
  const { kind, message } = command;
  return {
    id: message.vehicle_id,
    t,
    kind,
    points: pointsOf(command),
    ...(kind === 'trajectory' && { untilMs: lastOf(message.trajectory_points) }),
  };
}

function lastOf(points: readonly { readonly t: { readonly nanoseconds: bigint } }[]): number {
  return msOf(points.at(-1)?.t.nanoseconds ?? 0n);
}

function pointsOf(command: Command): number[] {
  switch (command.kind) {
    case 'trajectory':
      return thinned(command.message.trajectory_points.map(({ px, py }) => [px, py]));
    case 'pathTracking':
      return thinned(command.message.path.map(({ pose }) => [pose.x, pose.y]));
    default:
      return [];
  }
}

function thinned(points: readonly (readonly [number, number])[]): number[] {
  const step = Math.max(1, Math.ceil(points.length / mostPoints));
  return points
    .filter((_, i) => i % step === 0 || i === points.length - 1)
    .flatMap(([x, y]) => (Number.isFinite(x) && Number.isFinite(y) ? [x, y] : []));
}

/** The command of an event as numbers. @throws TapFormatError when it has none. */
export function commandView(event: EventRecord, t: number, forwarded: boolean): CommandView {
  const command = commandOf(event);
  return { t, kind: command.kind, forwarded, numbers: finiteOrNull(numbersOf(command)) };
}

function numbersOf(command: Command): Record<string, number> {
  switch (command.kind) {
    case 'direct': {
      const { motor_throttle, steering_servo } = command.message;
      return { motor_throttle, steering_servo };
    }
    case 'speedCurvature': {
      const { speed, curvature } = command.message;
      return { speed, curvature };
    }
    case 'trajectory': {
      const { trajectory_points: points } = command.message;
      const { px = 0, py = 0, vx = 0, vy = 0 } = points.at(-1) ?? {};
      return { points: points.length, last_px: px, last_py: py, last_vx: vx, last_vy: vy };
    }
    case 'pathTracking':
      return { points: command.message.path.length, speed: command.message.speed };
  }
}

export function statusView({ nodeId, timeMode }: TapHello, content: TapSummary): StatusView {
  const { phase, timeNs, periodNs, controllers, summary } = content;
  return {
    nodeId,
    mode: timeMode,
    phase,
    simulatedNs: timeMode === 'simulated' && timeNs !== null ? timeNs.toString() : '',
    periodMs: periodNs === null ? null : durationMs(periodNs),
    startSignals: summary?.start_signals ?? 0,
    skippedPeriods: summary?.skipped_periods ?? 0,
    refused: summary?.commands_refused ?? {},
    latenessP99Ms: (summary?.start_signal_lateness_us.p99 ?? 0) / usPerMs,
    controllers: controllerViews(controllers, summary),
    statesReceived: Object.fromEntries(
      Object.entries(summary?.vehicles ?? {}).map(([id, each]) => [id, each.states_received]),
    ),
  };
}

/** All controllers of the summary: the state of one is unknown when its session is over. */
function controllerViews(
  states: TapSummary['controllers'],
  summary: TapSummary['summary'],
): StatusView['controllers'] {
  const byId = new Map(states.map((state) => [state.id, state]));
  return Object.entries(summary?.controllers ?? {}).map(([key, counts]) => {
    const id = Number(key);
    const state = byId.get(id);
    return {
      id,
      state: state?.state ?? 'ended',
      latched: state?.latched ?? counts.latched,
      stopping: state?.stopping ?? false,
      replies: counts.replies,
      misses: counts.misses,
      lateReplies: counts.late_replies,
      refusals: counts.commands_refused,
      safeStops: counts.safe_stops,
      replyP50Ms: counts.reply_time_us.p50 / usPerMs,
      replyP99Ms: counts.reply_time_us.p99 / usPerMs,
    };
  });
}

/** @param entry of the log. */
export function eventView(entry: TapLog): EventView {
  const { level, time, code } = entry;
  const t = Date.parse(time);
  return {
    t: Number.isFinite(t) ? t : 0,
    level,
    text: logText(entry),
    ...(typeof code === 'string' && /^HLC_[A-Z0-9_]{1,60}$/.test(code) && { code }),
  };
}
