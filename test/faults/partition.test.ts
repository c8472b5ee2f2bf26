import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { badLinkTest, expectEveryStep, steps } from './bad-link.js';
import { ms } from './fault-row.js';

const partitionMs = 5000;
/** For one controller, no faster than a link can be made worse meanwhile. */
const slowSteps = ['--vehicle-ids=1', ...steps, '--real-time-factor=2'];
const now = () => process.hrtime.bigint();

badLinkTest(
  {
    row: 12,
    fault: 'a partition of 5 s between middleware and controller, then heal',
    mode: 'simulated time',
    expected: 'time waits, then goes on at once with no step lost',
  },
  async ({ link, startMiddleware, startController }, measured) => {
    const controller = startController({ ids: [1] });
    const middleware = startMiddleware(...slowSteps, '--periods=200');
    const starts = () => controller.named('start');
    await controller.events.until(() => starts().length >= 20);
    link.lose(1);
    await middleware.untilLogged('waiting for the reply of controller 1');
    const held = starts().length;
    await wait(partitionMs);
    expect(starts().length).toBeLessThanOrEqual(held + 1);
    link.lose(0);
    const healedNs = now();
    await controller.events.until(() => starts().length > held + 2);
    const tookNs = now() - healedNs;
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    measured(`${starts().length} of 200 steps, goes on ${ms(tookNs)} after the heal`);
    expectEveryStep(controller, 200);
    expect(middleware.summary().controllers[1]).toMatchObject({ replies: 200, misses: 0 });
    expect(tookNs).toBeLessThan(5_000_000_000n);
  },
);

badLinkTest(
  {
    row: 27,
    fault: 'the interface of the middleware goes down for 3 s; its address goes and comes back',
    mode: 'real time',
    expected: 'replies again without a restart of anybody',
  },
  async ({ link, startMiddleware, startController }, measured) => {
    const controller = startController({ ids: [1] });
    const middleware = startMiddleware('--vehicle-ids=1', '--period-ms=50');
    const starts = () => controller.named('start');
    await controller.events.until(() => starts().length >= 20);
    const figures: string[] = [];
    for (const { what, cut, mend } of [
      {
        what: 'link down and up',
        cut: () => link.setInterface(link.here, 'down'),
        mend: () => link.setInterface(link.here, 'up'),
      },
      {
        what: 'address away and back',
        cut: () => link.setAddress(link.here, link.here.address, '10.213.78.9'),
        mend: () => link.setAddress(link.here, '10.213.78.9', link.here.address),
      },
    ]) {
      cut();
      await wait(3000);
      const silent = starts().length;
      mend();
      const mendedNs = now();
      await controller.events.until(() => starts().length >= silent + 5);
      figures.push(`${what}: start signals again after ${ms(now() - mendedNs)}`);
      measured(figures.join('; '));
    }
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
  },
);

badLinkTest(
  {
    row: 27,
    fault: 'the interface of the middleware goes down for 3 s and comes back',
    mode: 'simulated time',
    expected: 'goes on without a restart of anybody, no step lost',
  },
  async ({ link, startMiddleware, startController }, measured) => {
    const controller = startController({ ids: [1] });
    const middleware = startMiddleware(...slowSteps, '--periods=100');
    const starts = () => controller.named('start');
    await controller.events.until(() => starts().length >= 20);
    link.setInterface(link.here, 'down');
    await wait(3000);
    link.setInterface(link.here, 'up');
    const mendedNs = now();
    const silent = starts().length;
    await controller.events.until(() => starts().length >= silent + 2);
    const tookNs = now() - mendedNs;
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    measured(`goes on after ${ms(tookNs)}, ${starts().length} of 100 steps`);
    expectEveryStep(controller, 100);
  },
);

badLinkTest(
  {
    row: 12,
    fault: 'a partition of 5 s between middleware and controller, then heal',
    mode: 'real time',
    expected: 'its vehicle is stopped; back with its first answer; no command forwarded twice',
  },
  async ({ link, startMiddleware, startController, startVehicles }, measured) => {
    const vehicles = startVehicles({});
    const controller = startController({ ids: [1] });
    const middleware = startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--miss-policy=stop',
      '--grace-ms=1000',
      '--resume=auto',
    );
    const starts = () => controller.named('start');
    await controller.events.until(() => starts().length >= 30);
    link.lose(1);
    const cutNs = now();
    await middleware.untilLogged('vehicle 1 is being stopped');
    const stoppedNs = now();
    await wait(partitionMs);
    link.lose(0);
    const healedNs = now();
    await middleware.untilLogged('controller 1 is working');
    const backNs = now();
    const { length } = starts();
    await controller.events.until(() => starts().length >= length + 20);
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });
    const stamps = vehicles
      .named('command')
      .filter(({ value }) => value !== 0)
      .map(({ create }) => String(create));
    const twice = stamps.length - new Set(stamps).size;
    measured(
      `stop logged ${ms(stoppedNs - cutNs)} after the cut, served again ${ms(backNs - healedNs)} after the heal, ${twice} of ${stamps.length} commands twice`,
    );
    expect(twice).toBe(0);
    expect(middleware.summary().controllers[1]).toMatchObject({ safe_stops: 1, latched: false });
  },
);
