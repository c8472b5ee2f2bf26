import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../../src/node/index.js';
import type { LogLine, Middleware } from '../../support/middleware.js';
import { directCommand } from '../../support/commands.js';
import { openTestLab } from '../../support/test-lab.js';

interface MissedLine extends LogLine {
  readonly t_now_ns: string;
  readonly misses: readonly { readonly id: number; readonly consecutive: number }[];
}

/** Of the runs in which single misses are counted. */
const periodNs = 50_000_000n;

/** The missed periods in the log: start and controller. */
function loggedMisses(middleware: Middleware): string[] {
  const lines = middleware.logged('period missed') as MissedLine[];
  return lines.flatMap(({ t_now_ns, misses }) => misses.map(({ id }) => `${t_now_ns} ${id}`));
}

/**
 * Commands that were refused as late for their period. One that only the middleware held up is too old to be
 * forwarded, and still a reply.
 */
function refusedAsLate({ commands_refused: refused }: RunSummary): number {
  const { HLC_COMMAND_TOO_OLD: heldUp = 0 } = refused;
  return Object.values(refused).reduce((total, count) => total + count, 0) - heldUp;
}

function forwardedOrHeldUp({ commands_forwarded, commands_refused }: RunSummary): number {
  const { vehicleCommandDirect: forwarded = 0 } = commands_forwarded;
  return forwarded + (commands_refused.HLC_COMMAND_TOO_OLD ?? 0);
}

describe('a controller that does not answer', () => {
  it('is reported and counted for exactly the periods that it missed', async () => {
    const lab = openTestLab();
    /** By start and controller. */
    const withheld: string[] = [];
    const answered: string[] = [];
    let period = 0;
    const controller = lab.controller({
      ids: [1, 2, 3],
      onStart: (list, self) => {
        period++;
        for (const id of self.ids) {
          const withholds = (period * 7 + id * 3) % 10 === 0;
          if (!withholds) self.answer(list, [id]);
          (withholds ? withheld : answered).push(`${list.t_now} ${id}`);
        }
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1,2,3', '--period-ms=50', '--periods=50');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });

    const reported = loggedMisses(middleware);
    expect(new Set(reported).size).toBe(reported.length);
    expect(withheld).toHaveLength(15);
    // A busy machine may skip a period. The one before it is judged only if the middleware was back before the next.
    const starts = controller.startSignals.items.map(({ list }) => list.t_now);
    const unjudged = new Set(
      starts.filter((start, i) => (starts[i + 1] ?? start) - start > periodNs).map(String),
    );
    const isJudged = (key: string) => !unjudged.has(key.split(' ', 1)[0] ?? '');
    expect(unjudged.size).toBeLessThan(10);
    expect(reported).toEqual(expect.arrayContaining(withheld.filter(isJudged)));

    const summary = middleware.summary();
    const { controllers, start_signals } = summary;
    expect(start_signals).toBe(50);
    // A busy machine may delay an answer beyond its period. It was refused then, unless the run was over.
    let cameLate = 0;
    const isUnreported = (key: string) => !reported.includes(key);
    for (const id of [1, 2, 3]) {
      const ofController = (key: string) => key.endsWith(` ${id}`);
      const misses = reported.filter(ofController).length;
      const notAnswered = withheld.filter((key) => ofController(key) && isUnreported(key)).length;
      const { replies = NaN } = controllers[id] ?? {};
      expect(controllers[id]?.misses).toBe(misses);
      expect(replies).toBeLessThanOrEqual(50 - misses - notAnswered);
      expect(replies).toBeGreaterThanOrEqual(50 - misses - unjudged.size);
      const own = answered.filter(ofController);
      const lastInTime = own.findLastIndex(isUnreported);
      cameLate += own.slice(0, lastInTime + 1).filter((key) => reported.includes(key)).length;
    }
    const late = answered.filter((key) => reported.includes(key)).length;
    expect(refusedAsLate(summary)).toBeGreaterThanOrEqual(cameLate);
    expect(refusedAsLate(summary)).toBeLessThanOrEqual(late);
  });

  it('is late from its first miss to its next answer, and its misses in a row are reported', async () => {
    const lab = openTestLab();
    const withheld: string[] = [];
    const controller = lab.controller({
      ids: [1, 2],
      onStart: (list, self) => {
        // On a busy machine others may be answered too late; these stand alone then, too.
        const withholds = self.startSignals.items.length >= 2 && withheld.length < 3;
        if (withholds) withheld.push(String(list.t_now));
        self.answer(list, withholds ? [1] : [1, 2]);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=200', '--periods=8');
    await middleware.ended;
    const changes = middleware.logs.items.filter(({ to }) => to !== undefined);
    const missed = middleware.logged('period missed') as MissedLine[];
    const times = controller.startSignals.items.map(({ list }) => String(list.t_now));
    for (const id of [1, 2]) {
      // What its misses say of the run.
      let consecutive = 0;
      const expected = times.flatMap((time) => {
        const miss = missed.find(({ t_now_ns }) => t_now_ns === time)?.misses;
        const own = miss?.find((one) => one.id === id);
        const before = consecutive;
        consecutive = own === undefined ? 0 : before + 1;
        if (own !== undefined) expect(own.consecutive).toBe(consecutive);
        if (before === 0 && consecutive === 1) return [`controller ${id} is late`];
        return before > 0 && consecutive === 0 ? [`controller ${id} is ready`] : [];
      });
      const own = changes.map(({ msg }) => msg).filter((msg) => msg.includes(` ${id} `));
      expect(own).toEqual(expected);
    }
    expect(loggedMisses(middleware)).toEqual(
      expect.arrayContaining(withheld.map((time) => `${time} 2`)),
    );
    expect(changes.map(({ msg }) => msg)).toContain('controller 2 is late');
  });

  it('misses its period also when the answer comes afterwards; that answer is refused and counted as late', async () => {
    const lab = openTestLab();
    let heldBackNs: bigint | undefined;
    let period = 0;
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        period++;
        if (heldBackNs !== undefined) self.send(directCommand(1, heldBackNs));
        heldBackNs = period % 4 === 0 ? list.t_now : undefined;
        if (heldBackNs === undefined) self.answer(list);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=100', '--periods=15');
    await middleware.ended;
    const summary = middleware.summary();
    const { replies = 0, misses = 0, late_replies = 0 } = summary.controllers[1] ?? {};
    // A busy machine may delay other answers beyond their periods: they count in the same way.
    expect(replies + misses).toBe(15);
    expect(late_replies).toBeGreaterThanOrEqual(3);
    expect(misses).toBeGreaterThanOrEqual(late_replies);
    expect(forwardedOrHeldUp(summary)).toBe(replies);
    expect(refusedAsLate(summary)).toBeGreaterThanOrEqual(late_replies);
    expect(summary.commands_refused.HLC_COMMAND_CREATED_BEFORE_PERIOD).toBeGreaterThan(0);
  });

  it('has the whole of the last period for its answer', async () => {
    const lab = openTestLab();
    const periods = 2;
    const periodMs = 1000;
    let period = 0;
    const controller = lab.controller({
      ids: [1, 2],
      onStart: (list, self) => {
        period++;
        if (period < periods) self.answer(list);
        // Half of the period is over then.
        else setTimeout(() => self.answer(list, [1]), periodMs / 2);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1,2',
      `--period-ms=${periodMs}`,
      `--periods=${periods}`,
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    const { list } = await controller.startSignals.untilCount(periods);
    expect(lab.clocks.realtimeNs()).toBeGreaterThan(list.t_now + BigInt(periodMs) * 1_000_000n);
    const { controllers } = middleware.summary();
    expect(controllers).toMatchObject({
      1: { replies: 2, misses: 0 },
      2: { replies: 1, misses: 1 },
    });
    expect(loggedMisses(middleware)).toEqual([`${list.t_now} 2`]);
  });
});
