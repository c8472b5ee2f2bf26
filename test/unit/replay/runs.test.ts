import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/core/index.js';
import {
  analyseRun,
  compareRuns,
  comparisonPage,
  comparisonText,
  reportPage,
} from '../../../src/replay/index.js';
import { timeChart } from '../../../src/replay/charts.js';
import { htmlPage } from '../../../src/replay/html-page.js';
import { directCommand } from '../../support/commands.js';
import { recordTap, recordTapTo, recordTapUntil } from '../../support/recorded-tap.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ScriptRecords, tNowOf } from './script-records.js';

/** A recording of ten steps with vehicle 1 on its way, and what `change` adds. */
async function runOf({ offsetM = 0, replyNs = 2_000_000n, missAt = -1 } = {}) {
  const records = new ScriptRecords([1]);
  for (let step = 0; step < 10; step++) {
    const command = directCommand(1, tNowOf(step)) as Command;
    records.step(step, step === missAt ? [] : [command], replyNs);
    if (step === missAt) records.missed(step, 1);
    records.state(1, step, step * 0.1 + offsetM);
  }
  records.log({ level: 40, msg: 'x <script>alert(1)</script>', code: 'HLC_X' });
  records.log({ level: 30, msg: 'mark: near miss', mark: 'near miss' });
  records.log({ level: 30, msg: 'controller is ready', controller: 1 });
  const { file } = await recordTap(records.records);
  return analyseRun(file);
}

describe('The analysis of a run', () => {
  it('has start signals, replies, misses, paths, the log and its marks', async () => {
    const run = await runOf({ missAt: 4 });
    expect(run).toMatchObject({
      nodeId: 'lab <1>',
      mode: 'simulated',
      periodMs: 50,
      startSignals: 10,
      commandsForwarded: 9,
      damage: { isCut: false, brokenRecords: 0 },
      wasLost: false,
      dropped: 0,
    });
    const controller = run.controllers.get(1);
    expect(controller?.replyMs.points.map(({ value }) => value)).toEqual(Array(9).fill(2));
    expect(controller?.misses).toBe(1);
    expect(run.paths.get(1)).toHaveLength(10);
    expect(run.paths.get(1)?.at(3)).toEqual({ timeS: 0.15, x: 0.30000000000000004, y: 0 });
    expect(run.speeds.get(1)?.points[3]).toEqual({ timeS: 0.15, value: 1 });
    expect(run.log.map(({ code, isMark }) => [code, isMark])).toEqual([
      ['HLC_X', false],
      [null, true],
      [null, false],
    ]);
    expect(run.log.at(-1)?.text).toBe('controller is ready, controller 1');
    expect(run.simulatedS).toBeCloseTo(0.5, 9);
  });
});

it('has no place of a vehicle without a position', async () => {
  const records = new ScriptRecords([1]);
  for (let step = 0; step < 4; step++) {
    records.step(step, [directCommand(1, tNowOf(step))]).state(1, step, step === 2 ? NaN : step);
  }
  const { file } = await recordTap(records.records);
  const run = await analyseRun(file);
  expect(Array.from(run.paths.get(1) ?? [], ({ x }) => x)).toEqual([0, 1, 3]);
  expect(reportPage(run, '1')).not.toContain('NaN');
  expect(comparisonText(compareRuns(run, run))).not.toContain('NaN');
});

it('reads no other recording that has the name of a further part', async () => {
  const folder = temporaryFolder();
  const record = (name: string, steps: number) => {
    const records = new ScriptRecords([1]);
    for (let step = 0; step < steps; step++) records.step(step, []);
    return recordTapTo({ file: path.join(folder, name), clock: name }, records.records);
  };
  const { file } = await record('drive.mcap', 3);
  const second = await record('drive.2.mcap', 4);
  expect((await analyseRun(file)).startSignals).toBe(3);
  expect((await analyseRun(second.file)).startSignals).toBe(4);
});

/** A run of two steps whose middleware was killed. */
async function lostRun() {
  const records = new ScriptRecords([1]);
  for (const step of [0, 1]) records.step(step, [directCommand(1, tNowOf(step))]);
  const end = [{ name: 'end', metadata: new Map([['middleware', 'lost']]) }];
  const { file } = await recordTapUntil(end, records.records);
  return analyseRun(file);
}

describe('The figures of a run are those of its summary:', () => {
  it('an end because of a missing reply is no miss', async () => {
    const records = new ScriptRecords([1]).step(0, []).replyTimedOut(0, [1]);
    const run = await analyseRun((await recordTap(records.records)).file);
    expect(run.controllers.get(1)).toMatchObject({ misses: 0 });
  });

  it('a refused command for a vehicle without a controller makes no controller', async () => {
    const records = new ScriptRecords([1]).step(0, []);
    for (const id of [1, 7, 8]) records.refused(directCommand(id, tNowOf(0)));
    const run = await analyseRun((await recordTap(records.records)).file);
    expect([...run.controllers.keys()]).toEqual([1]);
    expect([...(run.controllers.get(1)?.refused ?? [])]).toEqual([
      ['HLC_COMMAND_UNKNOWN_VEHICLE', 1],
    ]);
    expect([...run.otherRefusals]).toEqual([['HLC_COMMAND_UNKNOWN_VEHICLE', 2]]);
    expect(reportPage(run, '1')).toMatch(
      /vehicles without a controller here<\/th><td>2 × HLC_COMMAND_UNKNOWN_VEHICLE/,
    );
  });
});

describe('A middleware that was killed', () => {
  it('is named in the report and in the comparison', async () => {
    const run = await lostRun();
    expect(run.wasLost).toBe(true);
    expect(reportPage(run, '1')).toContain('<p class="notice">The middleware was lost');
    const other = await runOf();
    expect(comparisonText(compareRuns(other, run))).toMatch(/^B: The middleware was lost/m);
    expect(comparisonPage(run, other)).toContain('<p class="notice">A: The middleware was lost');
    expect(reportPage(other, '1')).not.toContain('was lost');
  });
});

describe('A chart', () => {
  it('draws 24 lines in different ways, and names each line and its sample in the legend', () => {
    const names = Array.from({ length: 24 }, (_, i) => `controller ${i + 1}`);
    const points = [{ timeS: 0, value: 1 }];
    const chart = timeChart(
      'Times',
      'ms',
      names.map((name) => ({ name, points })),
    );
    const classesOf = (element: string) =>
      [...chart.matchAll(new RegExp(`<${element} class="(line [^"]*)"`, 'g'))].map(
        ([, name]) => name,
      );
    expect(new Set(classesOf('polyline')).size).toBe(24);
    expect(classesOf('line')).toEqual(classesOf('polyline'));
    for (const name of names) expect(chart).toContain(`<title>${name}</title></polyline>`);
    const page = htmlPage('x', chart);
    for (const each of classesOf('polyline')) {
      const [, colour, dash] = (each ?? '').split(' ');
      expect(page).toContain(`.line.${colour}{stroke:`);
      expect(page).toContain(`.line.${dash}{stroke-dasharray:`);
    }
  });
});

describe('The comparison of two runs', () => {
  it('says how replies, misses and paths differ', async () => {
    const a = await runOf();
    const b = await runOf({ offsetM: 0.25, replyNs: 5_000_000n, missAt: 4 });
    const comparison = compareRuns(a, b);
    expect(comparison.controllers['1']).toMatchObject({
      replies: { a: 10, b: 9, change: -1 },
      misses: { a: 0, b: 1, change: 1 },
      replyMs: { p50: { a: 2, b: 5, change: 3 } },
    });
    expect(comparison.paths['1']?.meanM).toBeCloseTo(0.25, 9);
    expect(comparison.paths['1']?.maxM).toBeCloseTo(0.25, 9);
    const text = comparisonText(comparison);
    expect(text).toMatch(/^controller 1: misses +0 +1 +\+1$/m);
    expect(text).toContain('B is 0.250 m from A on average');
  });

  it('is one page with the numbers and the charts of both, and nothing from outside', async () => {
    const page = comparisonPage(await runOf(), await runOf({ replyNs: 5_000_000n, missAt: 4 }));
    expect(page).toContain('<h1>A: lab &lt;1&gt;, B: lab &lt;1&gt;</h1>');
    expect(page).toContain('controller 1: misses</th><td>0</td><td>1</td><td>+1</td>');
    expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(4);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|https?:/);
  });

  it('finds no difference of a run from itself', async () => {
    const run = await runOf();
    const { controllers, paths, startSignals } = compareRuns(run, run);
    expect(startSignals.change).toBe(0);
    expect(controllers['1']?.replyMs.p99.change).toBe(0);
    expect(paths['1']).toMatchObject({ maxM: 0, poses: 10 });
  });
});

describe('The report of a run', () => {
  it('is one page with figures, charts and events, and nothing from outside', async () => {
    const page = reportPage(await runOf({ missAt: 4 }), '1.2.3');
    expect(page).toContain('<h1>Run of lab &lt;1&gt;</h1>');
    expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(4);
    expect(page).toContain('near miss');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|https?:/);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    const headings = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toContain('Reply times, in wall-clock time');
    expect(headings).toContain('Speeds, in simulated time');
    expect(page).toMatch(/Simulated duration<\/th><td>0\.5 s/);
  });
});
