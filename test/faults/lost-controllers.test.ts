import { expect } from 'vitest';
import { PeerProcess } from '../support/peer-process.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, ms } from './fault-row.js';

const controllerDomain = 1;
const steps = ['--period-ms=50', '--simulated-time', '--time-source=self', '--real-time-factor=2'];

faultTest(
  {
    row: 3,
    fault: 'kill -9 of a controller',
    mode: 'simulated time',
    expected: 'after the time-out: wait, drop the controller, or halt with exit 4, as configured',
  },
  async (measured) => {
    const lab = openTestLab();
    const other = lab.controller({ ids: [2] });
    const figures: string[] = [];
    for (const policy of ['wait', 'drop', 'halt'] as const) {
      const controller = new PeerProcess('controller', lab.uri, {
        domain: controllerDomain,
        ids: [1],
      });
      await controller.events.until(({ event }) => event === 'ready');
      other.signIn();
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1,2',
        ...steps,
        '--reply-timeout-ms=500',
        `--reply-timeout-policy=${policy}`,
      );
      await controller.events.until(() => controller.named('start').length > 10);
      const killedNs = lab.clocks.monotonicNs();
      controller.signal('SIGKILL');
      await controller.ended;
      if (policy === 'halt') {
        expect(await middleware.ended).toEqual({ code: 4, signal: null });
        figures.push(`halt: exit 4 after ${ms(lab.clocks.monotonicNs() - killedNs)}`);
        continue;
      }
      await middleware.untilLogged('reply time-out');
      const { length } = other.startSignals.items;
      if (policy === 'wait') {
        await middleware.untilLogged('waiting for the reply of controller 1');
        expect(other.startSignals.items.length).toBeLessThanOrEqual(length + 1);
        figures.push('wait: named, no step without it');
      } else {
        await other.startSignals.untilCount(length + 10);
        figures.push(
          `drop: the other goes on ${ms(lab.clocks.monotonicNs() - killedNs)} after the kill`,
        );
      }
      measured(figures.join('; '));
      middleware.signal('SIGINT');
      await middleware.ended;
    }
    measured(figures.join('; '));
  },
);

faultTest(
  {
    row: 4,
    fault: 'clean exit of a controller',
    mode: 'simulated time',
    expected: 'with --reply-timeout-policy=drop the step goes on at once, without the time-out',
  },
  async (measured) => {
    const lab = openTestLab();
    const other = lab.controller({ ids: [2] });
    other.signIn();
    const controller = new PeerProcess('controller', lab.uri, {
      domain: controllerDomain,
      ids: [1],
    });
    lab.startMiddleware(
      '--vehicle-ids=1,2',
      ...steps,
      '--reply-timeout-ms=10000',
      '--reply-timeout-policy=drop',
    );
    await controller.events.until(() => controller.named('start').length >= 10);
    controller.order('leave');
    await controller.ended;
    const leftNs = lab.clocks.monotonicNs();
    const { length } = other.startSignals.items;
    await other.startSignals.untilCount(length + 3);
    const tookNs = lab.clocks.monotonicNs() - leftNs;
    measured(`three steps of the other within ${ms(tookNs)} of its end (time-out 10 s)`);
    expect(tookNs).toBeLessThan(2_000_000_000n);
  },
);
