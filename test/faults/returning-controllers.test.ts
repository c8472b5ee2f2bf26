import path from 'node:path';
import { expect } from 'vitest';
import type { VehicleStateList } from '../../src/messages/index.js';
import { runCli } from '../support/cli.js';
import { directCommand } from '../support/commands.js';
import { PeerProcess } from '../support/peer-process.js';
import { Recorder } from '../support/recorder.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest, ms } from './fault-row.js';
import { throttles } from './stop-commands.js';

const controllerDomain = 1;

/** A step of simulated time. */
const stepNs = 50_000_000n;

const modes = [
  { mode: 'real time', flags: ['--period-ms=50'] },
  {
    mode: 'simulated time',
    flags: [
      '--period-ms=50',
      '--simulated-time',
      '--time-source=self',
      '--real-time-factor=2',
      '--reply-timeout-ms=3000',
      '--reply-timeout-policy=drop',
    ],
  },
] as const;

for (const { mode, flags } of modes) {
  const isReal = mode === 'real time';
  faultTest(
    {
      row: 5,
      fault: 'a controller is killed and started again',
      mode,
      expected: isReal
        ? 'rejoining when it signs in, and served again only after a resume'
        : 'takes part again at the next step, at the time of now',
    },
    async (measured) => {
      const lab = openTestLab();
      const socket = path.join(temporaryFolder(), 'control.sock');
      const start = () =>
        new PeerProcess('controller', lab.uri, { domain: controllerDomain, ids: [1] });
      const vehicles = lab.vehicles();
      const heldSteps = new Recorder<VehicleStateList>('steps without a reply of controller 2');
      let isHolding = false;
      const other = lab.controller({
        ids: [2],
        onStart: (list, self) => {
          if (isHolding) heldSteps.add(list);
          else self.answer(list);
        },
      });
      other.signIn();
      const first = start();
      const middleware = lab.startMiddleware(
        '--vehicle-ids=1,2',
        '--miss-policy=stop,2:log',
        ...(isReal ? ['--grace-ms=1000'] : []),
        `--control-socket=${socket}`,
        ...flags,
      );
      await first.events.until(() => first.named('start').length >= 30);
      first.signal('SIGKILL');
      await first.ended;
      await middleware.untilLogged('controller 1 is dead');
      // In simulated time, the step under way stays so until controller 1 is back.
      isHolding = !isReal;
      if (!isReal) await heldSteps.untilCount(1);
      const second = start();
      await middleware.untilLogged('controller 1 is rejoining');
      const figures: string[] = [];
      if (isReal) {
        await second.events.until(() => second.named('start').length >= 10);
        const waiting = middleware.logged('controller 1 is working').length;
        expect(waiting, 'served without a resume').toBe(0);
        figures.push('not served for 10 periods without a resume');
      }
      const mayDriveNs = lab.clocks.monotonicNs();
      isHolding = false;
      for (const step of heldSteps.items) other.answer(step);
      if (isReal) expect((await runCli('resume', '1', '--control-socket', socket)).code).toBe(0);
      await middleware.untilLogged('controller 1 is working');
      const driven = () =>
        throttles(vehicles, 1).filter(
          ({ throttle, receivedAtNs }) => throttle > 0 && receivedAtNs > mayDriveNs,
        );
      await vehicles.commands.until(() => driven().length >= 10);
      const [command = { createNs: 0n, receivedAtNs: 0n }] = driven();
      if (isReal) {
        const tookNs = command.receivedAtNs - mayDriveNs;
        figures.push(`first command forwarded ${ms(tookNs)} after the order to resume`);
      } else {
        const heldNs = heldSteps.items.map(({ t_now }) => t_now);
        const step = Number((command.createNs - (heldNs[0] ?? 0n)) / stepNs);
        figures.push(`drives from step ${step} on after it was back, t ${command.createNs} ns`);
        measured(figures.join('; '));
        expect(heldNs).toHaveLength(1);
        expect(command.createNs).toBe((heldNs[0] ?? 0n) + stepNs);
      }
      measured(figures.join('; '));
      middleware.signal('SIGINT');
      await middleware.ended;
      expect(middleware.summary().controllers[1]).toMatchObject({ safe_stops: 1, latched: false });
    },
  );

  faultTest(
    {
      row: 6,
      fault: 'a second process with the same id',
      mode,
      expected: 'refused and named; no command of it is forwarded, none of it counts as a reply',
    },
    async (measured) => {
      const lab = openTestLab();
      const vehicles = lab.vehicles();
      const first = new PeerProcess('controller', lab.uri, { domain: controllerDomain, ids: [1] });
      const middleware = lab.startMiddleware('--vehicle-ids=1', ...flags);
      await first.events.until(() => first.named('start').length >= 10);
      const intruder = lab.controller({
        ids: [1],
        onStart: (list, self) =>
          self.send(directCommand(1, list.t_now + 1n, { motor_throttle: 0.75 })),
      });
      intruder.signIn();
      await middleware.untilLogged('a second process signs in or commands as controller 1');
      const { length } = intruder.startSignals.items;
      await intruder.startSignals.untilCount(length + 20);
      middleware.signal('SIGINT');
      await middleware.ended;
      const forwarded = throttles(vehicles, 1).filter(({ throttle }) => throttle === 0.75);
      const refused = Object.values(middleware.summary().commands_refused);
      measured(
        `${refused.reduce((sum, count) => sum + count, 0)} commands of ${intruder.sent.length} refused, ${forwarded.length} forwarded`,
      );
      expect(intruder.sent.length).toBeGreaterThan(10);
      expect(forwarded).toEqual([]);
    },
  );
}
