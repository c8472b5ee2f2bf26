import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LiveView } from '../../src/observe/live/live-view.js';
import { metricsText } from '../../src/observe/metrics/metrics-text.js';
import type { TapRecord } from '../../src/tap/index.js';
import { oneController } from '../support/open-tap.js';
import { skipWithout } from '../support/skip-without.js';
import { noPromtool, promtool } from './promtool.js';

const launch = (file: string) => fileURLToPath(new URL(`../../launch/${file}`, import.meta.url));

function metrics(): string {
  const view = new LiveView();
  const hello = { nodeId: 'middleware', timeMode: 'real' };
  view.connected(hello as Extract<TapRecord, { type: 'hello' }>['content']);
  view.record({ type: 'summary', content: oneController, frame: new Uint8Array() });
  return metricsText(view);
}

describe('with promtool', () => {
  skipWithout(noPromtool);

  it('the metrics are clean', () => {
    expect(promtool(['check', 'metrics'], metrics())).toEqual({ code: 0, text: '' });
  });

  it('the alert rules are clean', () => {
    const { code, text } = promtool(['check', 'rules', launch('prometheus/alerts.yml')]);
    expect([code, text]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('each alert fires when it should, and none while all is well', () => {
    const file = fileURLToPath(new URL('alerts.test.yml', import.meta.url));
    const { code, text } = promtool(['test', 'rules', file]);
    expect([code, text]).toEqual([0, expect.stringContaining('SUCCESS')]);
    const rules = readFileSync(launch('prometheus/alerts.yml'), 'utf8').match(/(?<=alert: )\w+/g);
    const tested = readFileSync(file, 'utf8');
    expect(rules?.filter((name) => !tested.includes(`"${name}"`))).toEqual([]);
  });

  it('the configuration is clean', () => {
    const { code } = promtool(['check', 'config', launch('prometheus/prometheus.yml')]);
    expect(code).toBe(0);
  });
});

describe('the shipped rules and the dashboard', () => {
  it('use only metrics that exist', () => {
    const known = new Set(metrics().match(/(?<=# TYPE )hlc_\w+/g));
    for (const file of ['prometheus/alerts.yml', 'grafana/dashboard.json']) {
      const used = readFileSync(launch(file), 'utf8').match(/\bhlc_\w+/g) ?? [];
      expect(used.length).toBeGreaterThan(5);
      expect(used.filter((name) => !known.has(name))).toEqual([]);
    }
  });
});
