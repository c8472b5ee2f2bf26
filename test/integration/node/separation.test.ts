import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { Middleware } from '../../support/middleware.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';

describe('CYCLONEDDS_URI', () => {
  it('is honoured by the middleware: with another domain tag it discovers no participant', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    const flags = ['--vehicle-ids=1', '--period-ms=50', '--periods=10'];
    const stranger = new Middleware(isolatedCycloneUri(), flags);
    await stranger.untilLogged('waiting for controllers');
    const middleware = lab.startMiddleware(...flags);
    controller.signIn();
    await middleware.ended;
    expect(middleware.summary().start_signals).toBe(10);
    expect(controller.startSignals.items).toHaveLength(10);

    // It was there all the time, and goes on waiting.
    const { controllers } = await stranger.untilLogged(
      'waiting for the ready signal of controller 1',
    );
    expect(controllers).toEqual([1]);
    expect(stranger.logged('controller is ready')).toEqual([]);
  });

  it('may name a file', async () => {
    const lab = openTestLab();
    const file = path.join(temporaryFolder(), 'cyclonedds.xml');
    writeFileSync(file, lab.uri);
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = new Middleware(`file://${file}`, [
      '--vehicle-ids=1',
      '--period-ms=50',
      '--periods=3',
    ]);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items).toHaveLength(3);
  });
});
