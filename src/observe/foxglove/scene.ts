import type { PageUpdate, PlanView, StatusView, VehicleView } from '../live/page-protocol.js';

/** An instant, as Foxglove has it. */
export interface Stamp {
  readonly sec: number;
  readonly nsec: number;
}

/** The panel needs no transform: all is in this frame. */
const frame = 'map';

/** A vehicle or a plan that is not renewed for this time is no longer shown, as it is stale on the page: ms, and periods. */
const lifetimeMs = 1000;
const lifetimePeriods = 3;

const msPerS = 1000;
const nsPerMs = 1e6;

/** `DELETE_ALL` of `SceneEntityDeletion`. */
const deleteAll = 1;
/** `LINE_STRIP` of `LinePrimitive`. */
const lineStrip = 0;

/** Sizes of a model car, m. */
const arrow = { shaft_length: 0.12, shaft_diameter: 0.08, head_length: 0.1, head_diameter: 0.14 };
const labelHeight = 0.2;
const labelPixels = 14;

const colours = {
  moving: { r: 0.1, g: 0.5, b: 0.9, a: 1 },
  stopped: { r: 0.85, g: 0.15, b: 0.1, a: 1 },
  plan: { r: 0.1, g: 0.6, b: 0.3, a: 0.8 },
  track: { r: 0.5, g: 0.5, b: 0.5, a: 0.5 },
};

const nothing = {
  arrows: [],
  cubes: [],
  spheres: [],
  cylinders: [],
  lines: [],
  triangles: [],
  texts: [],
  models: [],
};

/** @param t ms since 1970. */
export function stampOf(t: number): Stamp {
  const sec = Math.floor(t / msPerS);
  return { sec, nsec: Math.round((t - sec * msPerS) * nsPerMs) };
}

/**
 * The changes of the page as `foxglove.SceneUpdate`; undefined when nothing in the scene changed.
 * @param status the newest one: it says which vehicles are stopped.
 * @param isRecording it may stand still, as simulated time: what it shows stays.
 */
export function sceneUpdate(
  { begins, track, vehicles = [], plans = [] }: PageUpdate,
  status: StatusView | undefined,
  timestamp: Stamp,
  isRecording = false,
): object | undefined {
  const stopped = stoppedIds(status);
  const lasts = isRecording || status?.mode !== 'real' ? 0 : lifetimeOf(status);
  const isNew = begins === true;
  const entities = [
    ...(track === undefined || track.length === 0
      ? []
      : [entity('track', timestamp, { lines: [line(track, colours.track)] })]),
    ...plans.map((plan) => planEntity(plan, timestamp, lasts)),
    ...vehicles.map((vehicle) => vehicleEntity(vehicle, stopped.has(vehicle.id), timestamp, lasts)),
  ];
  if (entities.length === 0 && !isNew) return undefined;
  return { deletions: isNew ? [{ timestamp, type: deleteAll, id: '' }] : [], entities };
}

/** The vehicles that are being stopped, or were stopped. */
export function stoppedIds(status: StatusView | undefined): ReadonlySet<number> {
  const all = status?.controllers ?? [];
  return new Set(all.filter((each) => each.stopping || each.latched).map(({ id }) => id));
}

function lifetimeOf({ periodMs }: StatusView): number {
  return Math.max(lifetimeMs, lifetimePeriods * (periodMs ?? 0));
}

/** @param lasts ms; 0: until it is replaced. */
function entity(id: string, timestamp: Stamp, primitives: object, lasts = 0): object {
  const lifetime = stampOf(lasts);
  const head = { timestamp, frame_id: frame, id, lifetime, frame_locked: false, metadata: [] };
  return { ...head, ...nothing, ...primitives };
}

function vehicleEntity(
  { id, x, y, yaw }: VehicleView,
  isStopped: boolean,
  at: Stamp,
  lasts: number,
): object {
  // Nothing stays at its last place.
  if (x === null || y === null) return entity(`vehicle ${id}`, at, {});
  const color = isStopped ? colours.stopped : colours.moving;
  const label = {
    pose: poseOf(x, y, 0, labelHeight),
    billboard: true,
    font_size: labelPixels,
    scale_invariant: true,
    color,
    text: isStopped ? `${id} stopped` : String(id),
  };
  const arrows = yaw === null ? [] : [{ pose: poseOf(x, y, yaw), ...arrow, color }];
  return entity(`vehicle ${id}`, at, { arrows, texts: [label] }, lasts);
}

function planEntity({ id, points }: PlanView, at: Stamp, lasts: number): object {
  const lines = points.length > 0 ? [line(points, colours.plan)] : [];
  return entity(`plan ${id}`, at, { lines }, lasts);
}

function line(coordinates: readonly number[], color: object): object {
  const points = Array.from({ length: Math.floor(coordinates.length / 2) }, (_, i) => ({
    x: coordinates[2 * i] ?? 0,
    y: coordinates[2 * i + 1] ?? 0,
    z: 0,
  }));
  const style = { type: lineStrip, pose: poseOf(0, 0, 0), thickness: 2, scale_invariant: true };
  return { ...style, points, color };
}

function poseOf(x: number, y: number, yaw: number, z = 0): object {
  const orientation = { x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) };
  return { position: { x, y, z }, orientation };
}
