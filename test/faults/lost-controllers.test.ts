import { expect } from 'vitest';
import { PeerProcess } from '../support/peer-process.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, ms } from './fault-row.js';
import { untilStopped } from './stop-commands.js';

const controllerDomain = 1;
const steps = ['--period-ms=50', '--simulated-time', '--time-source=self', '--real-time-factor=2'];

faultTest(
  {
    row: 3,
    fault: 'kill -9 of a controller at random phases, T = 20 and 50 ms, N = 1 and 3',
    mode: 'real time',
    expected: 'first stop command at the vehicle within N + 1 periods, the other goes on',
  },
  async (measured) => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const other = lab.controller({ ids: [2] });
    const figures: string[] = [];
    for (const [periodMs, limit, phase] of [
      [50, 3, 0.15],
      [50, 1, 0.8],
      [20, 3, 0.55],
      [50, 3, 0.95],
    ] as const) {
      const controller = new PeerProcess('controller', lab.uri, {
        domain: controllerDomain,
        ids: [1],
      });
      await controller.events.until(({ event }) => event === 'ready');
      other.signIn();
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1,2',
        `--period-ms=${periodMs}`,
        `--miss-policy=stop,2:log`,
        `--miss-limit=${limit}`,
        '--grace-ms=1000',
      );
      await controller.events.until(() => controller.told('start').length > 1500 / periodMs);
      await controller.next('start');
      await new Promise((resolve) => setTimeout(resolve, phase * periodMs));
      const killedNs = lab.clocks.monotonicNs();
      controller.signal('SIGKILL');
      const stoppedNs = await untilStopped(vehicles, 1, killedNs);
      const periods = Number(stoppedNs - killedNs) / 1e6 / periodMs;
      const { length } = other.startSignals.items;
      await other.startSignals.untilCount(length + 10);
      middleware.signal('SIGINT');
      await middleware.ended;
      figures.push(
        `T ${periodMs} ms, N ${limit}: ${ms(stoppedNs - killedNs)} = ${periods.toFixed(2)} T`,
      );
      measured(figures.join('; '));
      expect(periods).toBeLessThanOrEqual(limit + 1);
      expect(middleware.logged('vehicle 1 is being stopped')).toHaveLength(1);
      expect(middleware.logged('vehicle 2 is being stopped')).toEqual([]);
    }
  },
);

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
      await controller.events.until(() => controller.told('start').length > 10);
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
        await middleware.untilLogged('waiting for the replies of controllers 1');
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
    mode: 'real time',
    expected: 'known at once: its vehicle is stopped without waiting for N misses',
  },
  async (measured) => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = new PeerProcess('controller', lab.uri, {
      domain: controllerDomain,
      ids: [1],
    });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=100',
      '--miss-policy=stop',
      '--miss-limit=20',
    );
    await controller.events.until(() => controller.told('start').length >= 10);
    controller.order('leave');
    await controller.ended;
    const leftNs = lab.clocks.monotonicNs();
    const stoppedNs = await untilStopped(vehicles, 1, 0n);
    // It says that it leaves before its process is gone.
    const when =
      stoppedNs > leftNs
        ? `${ms(stoppedNs - leftNs)} after the end of its process`
        : `${ms(leftNs - stoppedNs)} before the end of its process was noticed here`;
    measured(`stop command ${when} (T 100 ms, N 20)`);
    expect(stoppedNs - leftNs).toBeLessThan(500_000_000n);
    await middleware.untilLogged('controller 1 is dead');
    await middleware.untilLogged('vehicle 1 is being stopped');
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
    await controller.events.until(() => controller.told('start').length >= 10);
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
