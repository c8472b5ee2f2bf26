import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;

/** A middleware at work, started by the lab control. */
async function running(...flags: string[]) {
  const lab = openOriginalLab();
  const { control, met, signedIn } = lab.realTimeControl();
  const controller = lab.controller({ ids: [1] });
  const middleware = lab.startMiddleware('--vehicle_ids=1', '--period_ms=50', ...flags);
  await met();
  controller.signIn();
  await signedIn('middleware');
  control.time.start(1n);
  await controller.startSignals.untilCount(3);
  return { control, controller, middleware };
}

describe('the middleware', () => {
  it('ends cleanly with exit code 129 when the lab closes its terminal (SIGHUP)', async () => {
    const { controller, middleware } = await running();
    middleware.signal('SIGHUP');
    expect(await middleware.ended).toEqual({ code: 129, signal: null });
    expect(controller.triggers.items).toEqual([1n, stopSymbol]);
    expect(middleware.logged('the run was stopped')).toHaveLength(1);
    expect(middleware.summary().start_signals).toBe(controller.startSignals.items.length);
  });

  it('ends cleanly by SIGHUP while it waits for controllers', async () => {
    const lab = openOriginalLab();
    const middleware = lab.startMiddleware('--vehicle_ids=1', '--period_ms=50');
    await middleware.untilLogged('waiting for controllers');
    middleware.signal('SIGHUP');
    expect(await middleware.ended).toEqual({ code: 129, signal: null });
  });

  it('stays after the stop of the lab with --compat=cpm-lab, and sends nothing more, until a signal comes', async () => {
    const { control, controller, middleware } = await running('--compat=cpm-lab');
    control.time.stop();
    await middleware.untilLogged('stopped by the lab; waiting to be ended');
    const sent = controller.startSignals.items.length;
    // Triggers are still passed on, as by the original; nothing starts again.
    control.time.start(2n);
    expect(await controller.triggers.untilCount(3)).toBe(2n);
    expect(middleware.program.gone).toBe(false);
    middleware.signal('SIGHUP');
    expect(await middleware.ended).toEqual({ code: 129, signal: null });
    expect(controller.startSignals.items).toHaveLength(sent);
    expect(controller.triggers.items).toEqual([1n, stopSymbol, 2n]);
    expect(middleware.summary().start_signals).toBe(sent);
  });

  it('ends after the stop of the lab with --compat=cpm-lab also by "hlc-middleware stop"', async () => {
    const socket = path.join(temporaryFolder(), 'control.sock');
    const { control, middleware } = await running('--compat=cpm-lab', `--control-socket=${socket}`);
    control.time.stop();
    await middleware.untilLogged('stopped by the lab; waiting to be ended');
    expect((await runCli('stop', `--control-socket=${socket}`)).code).toBe(0);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  });
});
