import { describe, expect, it } from 'vitest';
import type { LogLine, Middleware } from '../../support/middleware.js';
import { directCommand } from '../../support/commands.js';
import { openTestLab } from '../../support/test-lab.js';

const ms = 1_000_000n;
/** An answer that is sent so soon after the start of a period of 50 ms is in time. */
const spareNs = 25n * ms;

interface MissedLine extends LogLine {
  readonly t_now_ns: string;
  readonly misses: readonly { readonly id: number; readonly consecutive: number }[];
}

/** What the log tells of missed periods: start and controller. */
function toldMisses(middleware: Middleware): string[] {
  const lines = middleware.logged('period missed') as MissedLine[];
  return lines.flatMap(({ t_now_ns, misses }) => misses.map(({ id }) => `${t_now_ns} ${id}`));
}

describe('a controller that does not answer', () => {
  it('is told and counted for exactly the periods that it missed', async () => {
    const lab = openTestLab();
    /** By start and controller: when the answer was sent; undefined when it was withheld. */
    const answers = new Map<string, bigint | undefined>();
    let period = 0;
    const controller = lab.controller({
      ids: [1, 2, 3],
      onStart: (list, self) => {
        period++;
        for (const id of self.ids) {
          const withheld = (period * 7 + id * 3) % 10 === 0;
          if (!withheld) self.answer(list, [id]);
          const sentNs = lab.clocks.realtimeNs() - list.t_now;
          answers.set(`${list.t_now} ${id}`, withheld ? undefined : sentNs);
        }
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1,2,3', '--period-ms=50', '--periods=50');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });

    const told = toldMisses(middleware);
    expect(new Set(told).size).toBe(told.length);
    const withheld = [...answers].filter(([, sentNs]) => sentNs === undefined);
    expect(withheld).toHaveLength(15);
    expect(told).toEqual(expect.arrayContaining(withheld.map(([key]) => key)));
    // A busy machine may delay this test, too; what was answered with time to spare is not told.
    const answered = [...answers].filter(([, sentNs]) => sentNs !== undefined && sentNs < spareNs);
    expect(answered.length).toBeGreaterThan(100);
    expect(answered.filter(([key]) => told.includes(key))).toEqual([]);

    const { controllers, start_signals } = middleware.summary();
    expect(start_signals).toBe(50);
    for (const id of [1, 2, 3]) {
      const misses = told.filter((key) => key.endsWith(` ${id}`)).length;
      expect(controllers[id]).toMatchObject({ misses, replies: 50 - misses });
    }
  });

  it('is late from its first miss to its next answer, and its misses in a row are told', async () => {
    const lab = openTestLab();
    let period = 0;
    const controller = lab.controller({
      ids: [1, 2],
      onStart: (list, self) => {
        period++;
        self.answer(list, period >= 3 && period <= 5 ? [1] : [1, 2]);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=200', '--periods=8');
    await middleware.ended;
    expect(middleware.logged('period missed').map(({ misses }) => misses)).toEqual([
      [{ id: 2, consecutive: 1 }],
      [{ id: 2, consecutive: 2 }],
      [{ id: 2, consecutive: 3 }],
    ]);
    const changes = middleware.logs.items.filter(({ to }) => to !== undefined);
    expect(changes.map(({ msg }) => msg)).toEqual([
      'controller 2 is late',
      'controller 2 is ready',
    ]);
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
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=100', '--periods=14');
    await middleware.ended;
    expect(middleware.summary()).toMatchObject({
      controllers: { 1: { replies: 11, misses: 3, late_replies: 3 } },
      commands_forwarded: { vehicleCommandDirect: 11 },
      commands_refused: { HLC_COMMAND_CREATED_BEFORE_PERIOD: 3 },
    });
  });

  it('has the whole of the last period for its answer', async () => {
    const lab = openTestLab();
    const periods = 4;
    let period = 0;
    const controller = lab.controller({
      ids: [1, 2],
      onStart: (list, self) => {
        period++;
        if (period < periods) self.answer(list);
        // Half of the period is over then.
        else setTimeout(() => self.answer(list, [1]), 100);
      },
    });
    controller.signIn();
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1,2',
      '--period-ms=200',
      `--periods=${periods}`,
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items).toHaveLength(periods);
    const { controllers } = middleware.summary();
    expect(controllers).toMatchObject({
      1: { replies: 4, misses: 0 },
      2: { replies: 3, misses: 1 },
    });
    expect(controllers[1]?.reply_time_us.max).toBeGreaterThan(90_000);
    const { list } = await controller.startSignals.untilCount(periods);
    expect(toldMisses(middleware)).toEqual([`${list.t_now} 2`]);
  });
});
