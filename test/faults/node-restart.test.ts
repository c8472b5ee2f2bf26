import { expect } from 'vitest';
import { topics } from '../../src/messages/index.js';
import { ChildProgram } from '../support/child-program.js';
import { directCommand } from '../support/commands.js';
import { cliProgram } from '../support/middleware.js';
import { openTestLab } from '../support/test-lab.js';
import { TopicRecorder } from '../support/topic-recorder.js';
import { faultTest, ms } from './fault-row.js';

const s = 1_000_000_000n;
/** A vehicle of the lab stops 1 s after its last command; then it rolls out. */
const longestStopNs = 5n * s;

faultTest(
  {
    row: 13,
    fault: 'kill -9 of the middleware, then a restart',
    mode: 'real time',
    expected:
      'the vehicle stops itself; after the restart the barrier is passed again, old replies refused',
  },
  async (measured) => {
    const lab = openTestLab();
    const fleetArgs = [cliProgram, 'fleet', '--vehicle-ids=1'];
    new ChildProgram('the fleet', process.execPath, fleetArgs, lab.uri);
    const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
    let oldStartNs = 0n;
    let sendOld = false;
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        if (sendOld) self.send(directCommand(1, oldStartNs));
        else oldStartNs = list.t_now;
        self.answer(list);
      },
    });
    controller.signIn();
    const flags = ['--vehicle-ids=1', '--period-ms=50'];
    const first = lab.startMiddleware(...flags);
    await states.messages.until(({ message }) => message.speed > 0.2);
    const killedNs = lab.clocks.monotonicNs();
    first.signal('SIGKILL');
    expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const { receivedAtNs: stoppedNs } = await states.messages.until(
      ({ message, receivedAtNs }) => receivedAtNs > killedNs && Math.abs(message.speed) < 0.01,
    );
    expect(stoppedNs - killedNs).toBeLessThan(longestStopNs);

    sendOld = true;
    const before = controller.startSignals.items.length;
    const startedNs = lab.clocks.monotonicNs();
    const second = lab.startMiddleware(...flags, '--periods=20');
    const { receivedAtNs: againNs } = await controller.startSignals.untilCount(before + 1);
    expect(await second.untilLogged('controller is ready')).toMatchObject({ controller: 1 });
    expect(await second.ended).toEqual({ code: 0, signal: null });
    const { commands_refused, controllers } = second.summary();
    expect(commands_refused).toEqual({ HLC_COMMAND_CREATED_BEFORE_PERIOD: 20 });
    expect(controllers[1]?.replies).toBeGreaterThan(10);
    measured(
      `vehicle at rest ${ms(stoppedNs - killedNs)} after the kill, start signals again ` +
        `${ms(againNs - startedNs)} after the restart, 20 of 20 old replies refused`,
    );
    expect(againNs - startedNs).toBeLessThan(5n * s);
  },
);

faultTest(
  {
    row: 13,
    fault: 'kill -9 of the middleware, then a restart',
    mode: 'simulated time',
    expected: 'time starts anew at its configured start, replies to the old run are refused',
  },
  async (measured) => {
    const lab = openTestLab();
    const periodNs = 50_000_000n;
    let oldStartNs: bigint | null = null;
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        // An answer to a step that the new run has not come to yet.
        if (oldStartNs !== null) self.send(directCommand(1, oldStartNs));
        self.answer(list);
      },
    });
    controller.signIn();
    const flags = ['--vehicle-ids=1', '--period-ms=50', '--simulated-time', '--time-source=self'];
    const first = lab.startMiddleware(...flags, '--real-time-factor=20');
    const { list } = await controller.startSignals.untilCount(100);
    first.signal('SIGKILL');
    await first.ended;
    oldStartNs = list.t_now;
    const before = controller.startSignals.items.length;
    const startedNs = lab.clocks.monotonicNs();
    const second = lab.startMiddleware(...flags, '--periods=50');
    const { receivedAtNs: againNs } = await controller.startSignals.untilCount(before + 1);
    expect(await second.ended).toEqual({ code: 0, signal: null });
    const times = controller.startSignals.items.slice(before).map((signal) => signal.list.t_now);
    expect(times).toEqual(times.map((_, i) => 1n + BigInt(i) * periodNs));
    const { commands_refused, controllers } = second.summary();
    expect(commands_refused).toEqual({ HLC_COMMAND_CREATED_IN_FUTURE: 50 });
    expect(controllers[1]?.replies).toBe(50);
    measured(
      `first step ${ms(againNs - startedNs)} after the restart at t = ${times[0]} ns, 50 of 50 old replies refused`,
    );
  },
);
