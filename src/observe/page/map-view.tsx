import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { drawMap, fitted, type MapFrame } from './draw-map.js';
import { updates, world } from './state.js';

const followed = signal<number | undefined>(undefined);
const zoomStep = 1.25;
const panPixels = 40;
const largestScale = 5000;
const smallestScale = 1;
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The map: drag to pan, wheel or + and − to zoom, a click on a vehicle follows it. */
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
      <p class="hint">
        {followed.value === undefined
          ? 'f: follow a vehicle'
          : `following vehicle ${followed.value}`}{' '}
        · 0: show all · drag, wheel, arrows, + and −
      </p>
    </section>
  );
}

/** @returns how to end it. */
function startMap(canvas: HTMLCanvasElement): () => void {
  let frame: MapFrame | undefined;
  let isFitted = true;
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
    if (isFitted || frame === undefined) frame = fitted(width, height);
    const target = followed.value === undefined ? undefined : world.vehicles.get(followed.value);
    if (target !== undefined) frame = { ...frame, x: target.x, y: target.y };
    // Without updates vehicles become stale.
    const halfSeconds = Math.floor(performance.now() / 500);
    const { x, y, scale } = frame;
    const shown = [updates.value, halfSeconds, width, height, x, y, scale, dark.matches].join(' ');
    const context = canvas.getContext('2d');
    if (shown === drawn || context === null) return;
    drawn = shown;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    // The browser tests, and people with a debugger, see that something is shown.
    canvas.dataset.vehicles = String(drawMap(context, frame, width, height));
    canvas.dataset.t = String(world.t);
  };
  const move = (dx: number, dy: number) => {
    if (frame === undefined) return;
    isFitted = false;
    followed.value = undefined;
    frame = { ...frame, x: frame.x - dx / frame.scale, y: frame.y + dy / frame.scale };
  };
  const zoom = (factor: number) => {
    if (frame === undefined) return;
    isFitted = false;
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
    '0': () => {
      isFitted = true;
      followed.value = undefined;
    },
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
  const pointers = new Map<number, { x: number; y: number }>();
  const onDown = (event: PointerEvent) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
    const now = { x: event.clientX, y: event.clientY };
    const [other] = others;
    if (other === undefined) move(now.x - before.x, now.y - before.y);
    else zoom(distance(now, other) / Math.max(1, distance(before, other)));
    pointers.set(event.pointerId, now);
  };
  const onUp = (event: PointerEvent) => pointers.delete(event.pointerId);
  canvas.addEventListener('keydown', onKey);
  canvas.addEventListener('wheel', onWheel, { passive: false });
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointercancel', onUp);
  draw();
  return () => cancelAnimationFrame(request);
}

function followNext(): void {
  const ids = [...world.vehicles.keys()].sort((a, b) => a - b);
  followed.value = ids[followed.value === undefined ? 0 : ids.indexOf(followed.value) + 1];
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
