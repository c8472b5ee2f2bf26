import { describe, expect, it } from 'vitest';
import type { VehicleStateList } from '../../../src/messages/index.js';
import type { LabControlEvent } from '../../../src/lab/index.js';
import { directCommand } from '../../support/commands.js';
import type { Middleware } from '../../support/middleware.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { Recorder } from '../../support/recorder.js';
import type { ScriptedController } from '../../support/scripted-controller.js';

/** Answers every third start signal, and the one before it, too, which is then a late reply. */
function answerSeldom(list: VehicleStateList, self: ScriptedController): void {
  const number = self.startSignals.items.length;
  if (number % 3 !== 2) return;
  const missed = self.startSignals.items.at(-1)?.list ?? list;
  self.send(directCommand(1, missed.t_now));
  self.answer(list);
}

/**
 * A middleware that has something to log on every level, again and again: misses (1), controllers
 * that are late and ready again (2), late replies (3).
 *
 * @param level what the lab control says before the middleware starts
 */
async function talkative(logLevelFlag: string, level?: number) {
  const lab = openOriginalLab();
  const { control, events, met } = lab.realTimeControl();
  if (level !== undefined) control.setLogLevel(level);
  const controller = lab.controller({ ids: [1], onStart: answerSeldom });
  const middleware = lab.startMiddleware(
    '--node_id=middleware_1',
    '--vehicle_ids=1',
    '--period_ms=50',
    '--wait_for_start=false',
    logLevelFlag,
  );
  await met('middleware_1');
  controller.signIn();
  return { lab, control, events, middleware };
}

/** The levels of a log entry, one after the other; 0 for each line that the process itself wrote. */
function levelsOf(
  events: Recorder<LabControlEvent>,
  lines: Middleware['logs'],
): Recorder<readonly number[]> {
  const levels: number[] = [];
  const recorder = new Recorder<readonly number[]>('levels of log entries');
  const add = (level: number) => {
    levels.push(level);
    recorder.add([...levels]);
  };
  events.forEach((event) => {
    if (event.kind === 'log') add(event.entry.log_level);
  });
  lines.forEach(() => add(0));
  return recorder;
}

/** The entries of the log of the lab. */
function entriesOf(events: Recorder<LabControlEvent>) {
  return events.items.flatMap((event) => (event.kind === 'log' ? [event.entry] : []));
}

/** Whether the last entries are of these levels, and of no others, and so many in all. */
function endsWith(levels: readonly number[], wanted: readonly number[], count: number): boolean {
  const entries = levels.filter((level) => level > 0).slice(-count);
  return (
    entries.length === count &&
    entries.every((level) => wanted.includes(level)) &&
    wanted.every((level) => entries.includes(level))
  );
}

describe('the log of the lab', () => {
  it('has the entries of the middleware with the levels of the lab, as far as logLevel lets them through', async () => {
    const { lab, control, events, middleware } = await talkative('--log-level=debug');
    const levels = levelsOf(events, middleware.logs);
    // Until a level comes, only what must be seen; the process itself says everything.
    await levels.until((all) => endsWith(all, [1], 10));
    const first = entriesOf(events);
    expect(first.length).toBeGreaterThanOrEqual(10);
    expect(first.every(({ log_level }) => log_level === 1)).toBe(true);

    control.setLogLevel(3);
    await levels.until((all) => endsWith(all, [1, 2, 3], 20));
    control.setLogLevel(2);
    await levels.until((all) => endsWith(all, [1, 2], 20));
    control.setLogLevel(0);
    // 100 lines of the process, and no entry between them.
    await levels.until((all) => all.length > 100 && all.slice(-100).every((level) => level === 0));
    control.setLogLevel(1);
    await levels.until((all) => endsWith(all, [1], 5));

    const entries = entriesOf(events);
    const missed = entries.find(({ content }) => content.startsWith('period missed'));
    // On a busy machine it also says that the start signal was late.
    expect(missed?.content).toMatch(/^period missed by controller 1(;|$)/);
    expect(missed?.log_level).toBe(1);
    const ageNs = lab.clocks.realtimeNs() - (missed?.stamp.nanoseconds ?? 0n);
    expect(ageNs).toBeGreaterThan(0n);
    expect(ageNs).toBeLessThan(60_000_000_000n);
    const contentOf = (level: number) =>
      new Set(entries.filter((entry) => entry.log_level === level).map((entry) => entry.content));
    expect(contentOf(2)).toEqual(new Set(['controller 1 is late', 'controller 1 is ready']));
    expect(contentOf(3)).toEqual(new Set(['late reply']));
    expect(new Set(entries.map((entry) => entry.id))).toEqual(new Set(['middleware_1']));
  });

  it('takes the level that was set before the middleware started', async () => {
    // What the lab sees does not depend on what the process itself shows.
    const { events, middleware } = await talkative('--log-level=silent', 2);
    await events.until((event) => event.kind === 'log' && event.entry.log_level === 2);
    middleware.signal('SIGTERM');
    await middleware.ended;
    expect(middleware.logs.items).toEqual([]);
  });
});
