import { drawRemoteAgent } from './draw-remote-agent.js';
import { currentPlans, isCurrent, remoteAgents, seenVehicles, stoppedIds, world } from './state.js';

/** The middle of the map, m, and pixels per metre. */
export interface MapFrame {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Space around all that is shown, m; and the least extent. */
const margin = 0.5;
const leastExtent = 2;
const carLength = 0.22;
const carWidth = 0.107;
const leastCarPixels = 14;

/** A frame that shows the track, the vehicles and their trails. */
export function fitted(width: number, height: number): MapFrame {
  const xs = world.track.filter((_, i) => i % 2 === 0);
  const ys = world.track.filter((_, i) => i % 2 === 1);
  const agents = remoteAgents.value.flatMap(({ state }) => state ?? []);
  for (const { x, y } of [...world.vehicles.values(), ...agents]) {
    if (x === null || y === null) continue;
    xs.push(x);
    ys.push(y);
  }
  if (xs.length === 0) return { x: 2.25, y: 2, scale: Math.min(width, height) / 5 };
  const [left, right, bottom, top] = [min(xs), max(xs), min(ys), max(ys)];
  const extent = (from: number, to: number) => Math.max(leastExtent, to - from) + 2 * margin;
  return {
    x: (left + right) / 2,
    y: (bottom + top) / 2,
    scale: Math.min(width / extent(left, right), height / extent(bottom, top)),
  };
}

/** The place on a canvas, px, of a place on the map, m. */
export function pixelsOf(frame: MapFrame, width: number, height: number) {
  return {
    px: (x: number) => width / 2 + (x - frame.x) * frame.scale,
    py: (y: number) => height / 2 - (y - frame.y) * frame.scale,
  };
}

function min(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function max(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

/** What a map shows. */
export interface Shown {
  /** A vehicle without a place is not on the map. */
  readonly vehicles: number;
  readonly stale: number;
  readonly plans: number;
}

export function drawMap(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  width: number,
  height: number,
): Shown {
  const styles = getComputedStyle(document.documentElement);
  const paint = (name: string) => styles.getPropertyValue(name);
  const { px, py } = pixelsOf(frame, width, height);
  const line = (points: readonly number[], colour: string, thickness: number) => {
    context.beginPath();
    let isOpen = false;
    for (let i = 0; i + 1 < points.length; i += 2) {
      const [x, y] = [px(points[i] ?? 0), py(points[i + 1] ?? 0)];
      if (!isOpen) context.moveTo(x, y);
      // A point alone becomes a dot.
      context.lineTo(x, y);
      isOpen = !Number.isNaN(x);
    }
    context.strokeStyle = colour;
    context.lineWidth = thickness;
    context.lineCap = context.lineJoin = 'round';
    context.stroke();
  };
  context.clearRect(0, 0, width, height);
  line(world.track, paint('--track'), Math.max(2, 0.2 * frame.scale));
  const plans = currentPlans().filter(({ points }) => points.length > 0);
  for (const { points } of plans) line(points, paint('--plan'), 2);
  for (const points of world.trails.values()) line(points, paint('--trail'), 2);
  const stopped = stoppedIds();
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'left';
  for (const agent of remoteAgents.value) {
    if (agent.state === null) continue;
    const at = { x: px(agent.state.x), y: py(agent.state.y) };
    drawRemoteAgent(context, agent, { ...at, yaw: agent.state.yaw, isOld: !isCurrent(), paint });
  }
  const shown = { vehicles: 0, stale: 0, plans: plans.length };
  for (const { vehicle, isOld } of seenVehicles()) {
    const { id, x, y, yaw } = vehicle;
    if (x === null || y === null) continue;
    shown.vehicles++;
    if (isOld) shown.stale++;
    const isStopped = stopped.has(id);
    const place = { x: px(x), y: py(y), yaw, scale: frame.scale };
    drawVehicle(context, { ...place, isStopped, isOld, paint });
    context.fillStyle = paint('--text');
    const notes = [isStopped && 'stopped', isOld && 'stale', yaw === null && 'heading unknown'];
    const gap = 4 + lengthOf(frame.scale) / 2;
    const text = [id, notes.filter(Boolean).join(', ')].join(' ');
    context.fillText(text, px(x) + gap, py(y) - gap);
  }
  return shown;
}

/** Length of a vehicle, px. */
export function lengthOf(scale: number): number {
  return Math.max(leastCarPixels, carLength * scale);
}

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly yaw: number | null;
  readonly scale: number;
  readonly isStopped: boolean;
  readonly isOld: boolean;
  readonly paint: (name: string) => string;
}

/** Moving: an arrow, or a disc without a heading. Stopped: a square. Stale: an outline. */
function drawVehicle(context: CanvasRenderingContext2D, drawn: Drawn): void {
  const { x, y, yaw, scale, isStopped, isOld, paint } = drawn;
  const length = lengthOf(scale);
  const width = length * (carWidth / carLength) * 1.3;
  context.save();
  context.translate(x, y);
  context.rotate(-(yaw ?? 0));
  context.beginPath();
  if (isStopped) {
    context.rect(-length / 2, -length / 2, length, length);
  } else if (yaw === null) {
    context.arc(0, 0, length / 2, 0, 2 * Math.PI);
  } else {
    context.moveTo(length / 2, 0);
    context.lineTo(-length / 2, width / 2);
    context.lineTo(-length / 3, 0);
    context.lineTo(-length / 2, -width / 2);
    context.closePath();
  }
  context.lineWidth = 2;
  const colour = isOld ? '--stale' : isStopped ? '--stopped' : '--moving';
  context.strokeStyle = context.fillStyle = paint(colour);
  if (isOld) {
    context.setLineDash([3, 3]);
    context.stroke();
  } else {
    context.fill();
  }
  context.restore();
}
