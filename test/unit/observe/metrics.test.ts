import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LiveView } from '../../../src/observe/live/live-view.js';
import { metricsText } from '../../../src/observe/metrics/metrics-text.js';
import type { TapRecord, TapSummary } from '../../../src/tap/index.js';
import { oneController } from '../../support/open-tap.js';
import { LiveScript } from './live-script.js';

const mostScrapeMs = 10;

function viewOf(content: TapSummary): LiveView {
  const view = new LiveView();
  const hello = { nodeId: 'middleware', timeMode: 'real' };
  view.connected(hello as Extract<TapRecord, { type: 'hello' }>['content']);
  view.record({ type: 'summary', content, frame: new Uint8Array() });
  return view;
}

describe('the metrics', () => {
  it('have the counts of the summary', () => {
    const lines = metricsText(viewOf(oneController)).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'hlc_up 1',
        'hlc_start_signals_total 9',
        'hlc_event_loop_stalls_total 2',
        'hlc_event_loop_stall_max_seconds 0.061',
        'hlc_observers_removed_total 1',
        'hlc_second_controllers_total 3',
        'hlc_misses_total{controller="1"} 2',
        'hlc_replies_total{controller="1"} 7',
        'hlc_safe_stops_total{controller="1"} 1',
        'hlc_commands_refused_total{code="HLC_COMMAND_TOO_OLD"} 3',
        'hlc_controller_commands_refused_total{controller="1"} 3',
        'hlc_reply_time_p99_seconds{controller="1"} 0.009',
      ]),
    );
  });

  it('say that no middleware is there', () => {
    expect(metricsText(new LiveView())).toContain('hlc_up 0\n');
  });

  it('say so too while the middleware writes nothing, and that it is back', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const view = viewOf(oneController);
    const page = view.open(false);
    view.take(page);
    const shown = () => {
      view.watch();
      return [/^hlc_up \d/m.exec(metricsText(view))?.[0], view.take(page)?.connection];
    };
    vi.advanceTimersByTime(2400);
    expect(shown()).toEqual(['hlc_up 1', undefined]);
    vi.advanceTimersByTime(200);
    expect(shown()).toEqual(['hlc_up 0', 'silent']);
    view.record({ type: 'summary', content: oneController, frame: new Uint8Array() });
    expect(shown()).toEqual(['hlc_up 1', 'connected']);
    view.disconnected('gone');
    vi.advanceTimersByTime(9000);
    expect(shown()).toEqual(['hlc_up 0', 'gone']);
  });

  it.each(['rejoining', 'dead', 'absent'])('have a controller that is %s as not alive', (state) => {
    const controllers = oneController.controllers.map((each) => ({ ...each, state }));
    expect(metricsText(viewOf({ ...oneController, controllers }))).toContain(
      'hlc_controller_alive{controller="1"} 0\n',
    );
  });

  it('have nothing of now when the middleware is gone, but its counts', () => {
    const script = new LiveScript('real').state(1000, { vehicle_id: 1, speed: 2 });
    const { view } = script;
    view.record({ type: 'summary', content: oneController, frame: new Uint8Array() });
    const ofNow = ['hlc_vehicle_speed_metres_per_second{', 'hlc_controller_alive{'];
    for (const name of ofNow) expect(metricsText(view)).toContain(name);
    view.disconnected('gone');
    const text = metricsText(view);
    for (const name of ofNow) expect(text).not.toContain(name);
    expect(text).toContain('hlc_replies_total{controller="1"} 7');
  });

  it('of 100 controllers take less than 10 ms', () => {
    const { summary } = oneController;
    if (summary === null) throw new Error('there is no summary');
    const [one] = Object.values(summary.controllers);
    const [vehicle] = Object.values(summary.vehicles);
    if (one === undefined || vehicle === undefined) throw new Error('there is no controller');
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const many = {
      ...summary,
      controllers: Object.fromEntries(ids.map((id) => [id, one])),
      vehicles: Object.fromEntries(ids.map((id) => [id, vehicle])),
    };
    const view = viewOf({ ...oneController, summary: many });
    const times = Array.from({ length: 20 }, () => {
      const begun = performance.now();
      metricsText(view);
      return performance.now() - begun;
    });
    expect(Math.min(...times)).toBeLessThan(mostScrapeMs);
  });
});
