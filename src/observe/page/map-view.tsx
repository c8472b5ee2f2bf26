import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { drawMap, fitted, lengthOf, type MapFrame, pixelsOf } from './draw-map.js';
import { updates, world } from './state.js';

const followed = signal<number | undefined>(undefined);
/** The map shows all vehicles until it is moved. */
const isFitted = signal(true);
const zoomStep = 1.25;
const panPixels = 40;
const largestScale = 5000;
const smallestScale = 1;
/** A pointer that moves less is a tap, px; a vehicle that is nearer to it is meant, px. */
const tapPixels = 8;
const reachPixels = 24;
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The map: drag to pan, wheel, two fingers or + and − to zoom, a tap on a vehicle follows it. */
export function MapView() {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => (place.current === null ? undefined : startMap(place.current)), []);
  return (
    <section aria-label="Map" class="map">
      <canvas
        ref={place}
        tabIndex={0}
        role="img"
        data-testid="map"
        aria-label="Map of the vehicles. Arrow keys move it, plus and minus zoom, 0 shows all, f follows the next vehicle."
      />
      <div class="filters" role="group" aria-label="View of the map">
        <button aria-pressed={isFitted.value && followed.value === undefined} onClick={showAll}>
          Show all
        </button>
        <button onClick={followNext}>Follow next vehicle</button>
        <output data-testid="followed">
          {followed.value !== undefined && `following vehicle ${followed.value}`}
        </output>
      </div>
      <p class="hint">
        A tap on a vehicle follows it · drag, wheel, two fingers · keys: arrows, +, −, 0: all, f:
        follow
      </p>
    </section>
  );
}

/** @returns how to end it. */
function startMap(canvas: HTMLCanvasElement): () => void {
  let frame: MapFrame | undefined;
  let request = 0;
  /** What the last picture showed: nothing is drawn twice. */
  let drawn = '';
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const draw = () => {
    request = requestAnimationFrame(draw);
    const { width, height } = size();
    const ratio = devicePixelRatio;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    if (isFitted.value || frame === undefined) frame = fitted(width, height);
    const target = followed.value === undefined ? undefined : world.vehicles.get(followed.value);
    if (target?.x != null && target.y !== null) frame = { ...frame, x: target.x, y: target.y };
    // Without updates vehicles become stale.
    const halfSeconds = Math.floor(performance.now() / 500);
    const { x, y, scale } = frame;
    const shown = [updates.value, halfSeconds, width, height, x, y, scale, dark.matches].join(' ');
    const context = canvas.getContext('2d');
    if (shown === drawn || context === null) return;
    drawn = shown;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    // The browser tests, and people with a debugger, see that something is shown.
    for (const [what, count] of Object.entries(drawMap(context, frame, width, height))) {
      canvas.dataset[what] = String(count);
    }
    canvas.dataset.t = String(world.t);
  };
  const move = (dx: number, dy: number) => {
    if (frame === undefined) return;
    isFitted.value = false;
    followed.value = undefined;
    frame = { ...frame, x: frame.x - dx / frame.scale, y: frame.y + dy / frame.scale };
  };
  const zoom = (factor: number) => {
    if (frame === undefined) return;
    isFitted.value = false;
    const scale = Math.min(largestScale, Math.max(smallestScale, frame.scale * factor));
    frame = { ...frame, scale };
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(panPixels, 0),
    ArrowRight: () => move(-panPixels, 0),
    ArrowUp: () => move(0, panPixels),
    ArrowDown: () => move(0, -panPixels),
    '+': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': showAll,
    f: followNext,
  };
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? zoomStep : 1 / zoomStep);
  };
  const pointers = new Map<number, Point>();
  /** Where the only pointer came down; undefined once it is no tap any more. */
  let tappedAt: Point | undefined;
  const onDown = (event: PointerEvent) => {
    canvas.setPointerCapture(event.pointerId);
    const at = { x: event.clientX, y: event.clientY };
    tappedAt = pointers.size === 0 ? at : undefined;
    pointers.set(event.pointerId, at);
  };
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
    const now = { x: event.clientX, y: event.clientY };
    // A finger does not hold still.
    if (tappedAt !== undefined && distance(now, tappedAt) < tapPixels) return;
    tappedAt = undefined;
    const [other] = others;
    if (other === undefined) move(now.x - before.x, now.y - before.y);
    else zoom(distance(now, other) / Math.max(1, distance(before, other)));
    pointers.set(event.pointerId, now);
  };
  const onUp = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (event.type === 'pointerup' && tappedAt !== undefined && frame !== undefined) {
      const { left, top } = canvas.getBoundingClientRect();
      const place = { x: tappedAt.x - left, y: tappedAt.y - top };
      follow(vehicleAt(place, frame, size()));
    }
    tappedAt = undefined;
  };
  canvas.addEventListener('keydown', onKey);
  canvas.addEventListener('wheel', onWheel, { passive: false });
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointercancel', onUp);
  draw();
  return () => cancelAnimationFrame(request);
}

/** @param id undefined: the view stays as it is. */
function follow(id: number | undefined): void {
  if (id !== undefined) followed.value = id;
}

function followNext(): void {
  const ids = [...world.vehicles.keys()].sort((a, b) => a - b);
  followed.value = ids[followed.value === undefined ? 0 : ids.indexOf(followed.value) + 1];
}

function showAll(): void {
  isFitted.value = true;
  followed.value = undefined;
}

/** The vehicle that is nearest to this place of the canvas, px, if one is near. */
function vehicleAt(
  place: Point,
  frame: MapFrame,
  { width, height }: { width: number; height: number },
): number | undefined {
  const { px, py } = pixelsOf(frame, width, height);
  let nearest: number | undefined;
  let nearestPixels = Math.max(reachPixels, lengthOf(frame.scale) / 2);
  for (const { id, x, y } of world.vehicles.values()) {
    if (x === null || y === null) continue;
    const pixels = distance(place, { x: px(x), y: py(y) });
    if (pixels >= nearestPixels) continue;
    nearest = id;
    nearestPixels = pixels;
  }
  return nearest;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
