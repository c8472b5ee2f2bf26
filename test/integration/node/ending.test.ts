import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestLab } from '../../support/test-lab.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;

describe('a run of the middleware', () => {
  it.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)(
    'ends by $signal with exit code $code, a summary, and the stop symbol for the controllers',
    async ({ signal, code }) => {
      const lab = openTestLab();
      const controller = lab.controller({ ids: [1] });
      controller.signIn();
      const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
      await controller.startSignals.untilCount(5);
      expect(controller.triggers.items).toEqual([]);
      middleware.signal(signal);

      expect(await controller.triggers.untilCount(1)).toBe(stopSymbol);
      expect(await middleware.ended).toEqual({ code, signal: null });
      expect(middleware.logged('the run was stopped')).toHaveLength(1);
      expect(middleware.summary().start_signals).toBe(controller.startSignals.items.length);
      expect(middleware.program.stdout.items.join('\n')).toMatch(/^start signals +\d+/m);
    },
  );

  it('takes the same signal at once a second time for the same wish, as npm sends it', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
    await controller.startSignals.untilCount(2);
    middleware.signal('SIGINT');
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    expect(await controller.triggers.untilCount(1)).toBe(stopSymbol);
    expect(middleware.summary().start_signals).toBe(controller.startSignals.items.length);
  });

  it('ends at once by another signal', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
    await controller.startSignals.untilCount(2);
    // Both wait for the process to run again, and then come in the same turn of its event loop.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) {
      middleware.signal(signal);
    }
    // Which of the two a process gets first is not defined.
    const { code, signal } = await middleware.ended;
    expect(code).toBe(null);
    expect(['SIGINT', 'SIGTERM']).toContain(signal);
  });

  it('ends by SIGINT while it still waits for controllers', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=50');
    controller.signIn();
    await middleware.untilLogged('controller is ready');
    middleware.signal('SIGINT');
    expect(await controller.triggers.untilCount(1)).toBe(stopSymbol);
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    expect(middleware.summary()).toMatchObject({ periods: 0, start_signals: 0 });
  });

  it('ends by itself after the wanted periods with exit code 0 and the stop symbol', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', '--periods=7');
    expect(await controller.triggers.untilCount(1)).toBe(stopSymbol);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items).toHaveLength(7);
    expect(middleware.summary()).toMatchObject({ start_signals: 7 });
  });

  it('ends with exit code 1 and one sentence when the summary cannot be written', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const file = path.join(import.meta.dirname, 'no-such-folder', 'summary.json');
    const program = lab.runMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--periods=2',
      `--summary=${file}`,
    );
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const sentences = program.stderr.items.filter((line) => !line.startsWith('{'));
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain(`The summary could not be written to "${file}"`);
    expect(sentences[0]).toContain('[HLC_SUMMARY_FILE]');
    // The numbers are not lost: they are on standard output.
    expect(program.stdout.items.join('\n')).toMatch(/^start signals +2\b/m);
  });
});
