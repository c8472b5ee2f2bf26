import type { RemoteAgentView } from '../live/page-protocol.js';

/** A copter is a circle with a cross, a tracked vehicle has two bars, a wheeled one is a diamond. */
const radius = 13;

/** Where it is on the canvas, px, and radians. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
  /** It was there some time ago. */
  readonly isOld: boolean;
  /** The colour of a name. */
  readonly paint: (name: string) => string;
}

/** Draws the outline of a vehicle of another simulation, around its vehicle in the lab if it has one. */
export function drawRemoteAgent(
  context: CanvasRenderingContext2D,
  { kind, node, agent }: RemoteAgentView,
  { x, y, yaw, isOld, paint }: Place,
): void {
  context.save();
  context.translate(x, y);
  context.save();
  context.rotate(-yaw);
  context.beginPath();
  const line = (...points: readonly (readonly [number, number])[]) => {
    points.forEach(([px, py], i) => (i === 0 ? context.moveTo(px, py) : context.lineTo(px, py)));
  };
  if (kind === 'copter') {
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    line([-radius, 0], [radius, 0]);
    line([0, -radius], [0, radius]);
  } else if (kind === 'tracked') {
    context.rect(-radius, -radius * 0.7, 2 * radius, 1.4 * radius);
    line([-radius, -radius], [radius, -radius]);
    line([-radius, radius], [radius, radius]);
  } else {
    line([radius, 0], [0, radius], [-radius, 0], [0, -radius], [radius, 0]);
  }
  const colour = paint(isOld ? '--stale' : '--remote');
  if (isOld) context.setLineDash([3, 3]);
  context.lineWidth = 2;
  context.strokeStyle = colour;
  context.stroke();
  context.restore();
  context.fillStyle = colour;
  context.fillText(`${node}.${agent} ${kind}${isOld ? ' stale' : ''}`, radius, radius + 12);
  context.restore();
}
