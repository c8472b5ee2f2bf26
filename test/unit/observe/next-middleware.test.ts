import { expect, it } from 'vitest';
import { sceneUpdate } from '../../../src/observe/foxglove/scene.js';
import { LiveView } from '../../../src/observe/live/live-view.js';
import { LiveScript } from './live-script.js';

const track = [0, 0, 1, 1];

it('of a middleware that is over, a page gets nothing when the next one is there', () => {
  const script = new LiveScript('real');
  script.state(2000, { vehicle_id: 7 }).connect();
  const update = script.take();
  expect(update).toMatchObject({ begins: true, connection: 'connected' });
  expect(update).not.toHaveProperty('vehicles');
  expect(update).not.toHaveProperty('t');
  expect(script.state(1000, { vehicle_id: 8 }).take().vehicles).toMatchObject([{ id: 8 }]);
});

it('a page keeps its right to control when the next middleware comes before its first update', () => {
  const script = new LiveScript('real');
  const page = script.view.open(true);
  script.connect();
  expect(script.view.take(page)).toMatchObject({ begins: true, mayControl: true });
});

it('the track stays in the scene of Foxglove when the next middleware is there', () => {
  const script = new LiveScript('real', new LiveView(track));
  script.state(2000, { vehicle_id: 7 });
  script.take();
  const scene = sceneUpdate(script.connect().take(), undefined, { sec: 0, nsec: 0 });
  expect(scene).toMatchObject({ entities: [{ id: 'track' }] });
  expect(scene).toHaveProperty('deletions.length', 1);
});

it('records that were lost count once for each jump in a recording', () => {
  const script = new LiveScript('real');
  script.view.played({ from: 0, to: 10, speed: 1, isPaused: false, position: 0 });
  for (let jump = 0; jump < 3; jump++) {
    script.connect();
    const records = [{ type: 'event', kind: '', topic: '', count: 5 }];
    script.view.record({ type: 'dropped', content: { records }, frame: new Uint8Array() });
    expect(script.view.lostRecords).toBe(5);
  }
});
