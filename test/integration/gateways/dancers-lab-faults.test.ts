import { describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../src/core/index.js';
import { topics } from '../../../src/messages/index.js';
import { openDancersLab, type SeenBySide } from '../../support/dancers-lab.js';
import { windowNs } from '../../support/dancers-run.js';
import { startLabControl } from '../../support/gateway-program.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

/** The network side answers in so many windows. */
const soundWindows = 5;

/**
 * Runs a lab with one vehicle until its network side fails. The gateway ends with an error that names it, and
 * the physics side receives CLOSE.
 */
async function runUntilFault(
  mode: 'hang' | 'vanish',
  cause: string,
  timekeeper: 'gateway' | 'lab control',
) {
  const { lab, startGateway, startSide, startWorld } = await openDancersLab({
    phy_step_size: 50_000,
    net_step_size: 100_000,
    simulation_length: 0,
  });
  const commands = new TopicRecorder(lab.join('lab'), topics.vehicleCommandDirect);
  const labControl = timekeeper === 'lab control' ? startLabControl(lab.uri) : undefined;
  const gateway = startGateway(
    ...['--lab', '--ids=0:1', '--commands=velocity'],
    ...(labControl === undefined ? ['--participants=2'] : []),
    // Only one that hangs is to be late.
    ...(mode === 'hang' ? ['--answer-timeout-ms=5000'] : []),
  );
  const physics = startWorld('physics', { agents: { 0: [0, 0] }, step: 0.05 });
  startSide('network', { mode, at: soundWindows, quiet: true });
  await (labControl ?? gateway).stderr.until((line) =>
    line.startsWith('dancers_gateway signed in'),
  );
  const controller = new ScriptedController(lab.join('controllers'), { ids: [1] });
  const middleware = lab.startMiddleware(
    ...['--vehicle-ids=1', '--simulated-time', '--period-ms=100', '--wait-for-start=true'],
  );
  await commands.untilMatched();
  controller.signIn();
  expect(await gateway.ended).toEqual({ code: 1, signal: null });
  const text = gateway.stderr.items.join('\n');
  expect(text).toContain('HLC_DANCERS_SIDE');
  expect(text).toContain('The network side of DANCERS at ');
  expect(text).toContain(`failed: ${cause}`);
  // Without CLOSE it would end with code 1.
  expect(await physics.program.ended).toEqual({ code: 0, signal: null });
  return { labControl, controller, middleware, commands };
}

/** The middleware ends with code 0, and its last command brings the vehicle to rest. */
async function expectStopped({
  controller,
  middleware,
  commands,
}: Awaited<ReturnType<typeof runUntilFault>>): Promise<void> {
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  await controller.triggers.until((next) => next === stopSymbol);
  await commands.messages.until(({ message }) => message.motor_throttle === 0);
  expect(commands.samples.at(0)?.motor_throttle).toBeGreaterThan(0);
  expect(commands.samples.at(-1)?.motor_throttle).toBe(0);
  // No window without the network side reaches a controller.
  const lastNs = controller.startSignals.items.at(-1)?.list.t_now;
  expect(lastNs).toBeLessThanOrEqual(BigInt(soundWindows) * windowNs + 1n);
}

const beginsOf = (seen: readonly SeenBySide[]) => seen.filter(({ type }) => type === 0);

describe('a fault of a DANCERS side in a lab', () => {
  it('ends the run and stops the lab when the gateway keeps the time: hang', async () => {
    await expectStopped(await runUntilFault('hang', 'no answer within 5000 ms', 'gateway'));
  });

  it('ends the run, and time stands until the lab control stops: vanish', async () => {
    const run = await runUntilFault('vanish', 'it closed its connection;', 'lab control');
    await run.middleware.logs.until(({ msg }) =>
      /^waiting for the system trigger of the lab control for [56]00000001 ns/.test(msg),
    );
    run.labControl?.send('stop');
    await expectStopped(run);
  });

  it('that answers nothing is named, and its step is repeated: it keeps the time of the lab', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const gateway = startGateway('--lab', '--ids=0:1', '--participants=1');
    const physics = startSide('physics', { mode: 'empty', at: 3 });
    const network = startSide('network', { mode: 'empty', at: 2 });
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    for (const side of ['physics', 'network']) {
      expect(gateway.stderr.items).toContain(
        `the ${side} side answered nothing; its step is skipped and counts no time`,
      );
    }
    await Promise.all([physics.program.ended, network.program.ended]);
    // Five windows have 10 and 2 steps; one step of each side is repeated.
    expect(beginsOf(physics.seen.items)).toHaveLength(51);
    expect(beginsOf(network.seen.items)).toHaveLength(11);
  });
});
