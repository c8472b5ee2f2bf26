import { expect } from 'vitest';
import type { DdsParticipant } from '../../src/dds/index.js';
import { topics } from '../../src/messages/index.js';
import { openDancersLab, type DancersLab, type AgentLine } from './dancers-lab.js';
import { startLabControl, type GatewayClient } from './gateway-program.js';
import { ScriptedController } from './scripted-controller.js';
import { TopicRecorder } from './topic-recorder.js';

/** Length of a window, ns. */
export const windowNs = 100_000_000n;

/** How a run differs from the usual one. */
export interface DancersRunOptions {
  /** The domain of the controller of vehicle 1, which then sees its neighbours only. */
  readonly domainOfFirst?: number;
  /** The gateway keeps the time, in place of a lab control. */
  readonly keepsTime?: boolean;
  /** The controller of vehicle 1 leaves after this simulated time, ns. */
  readonly leaveAt?: number;
  /** Further flags of the middleware. */
  readonly flags?: readonly string[];
  /** Default: the one in Python. */
  readonly startPhysics?: (lab: DancersLab, options: PhysicsOptions) => GatewayClient<AgentLine>;
}

/** What a physics side simulates. */
export interface PhysicsOptions {
  /** Agent id → x and y, m. */
  readonly agents: Readonly<Record<number, readonly [number, number]>>;
  /** Time between two messages, s. */
  readonly step: number;
}

/** The physics side in Python. */
export function pythonPhysics(
  { startWorld }: DancersLab,
  options: PhysicsOptions,
): GatewayClient<AgentLine> {
  return startWorld('physics', { ...options });
}

/**
 * Runs a lab of two vehicles, agents 0 and 1, that drive apart until their radios do not reach; 20
 * windows. To be called in a test, once.
 */
export async function runInDancersLab({
  domainOfFirst,
  keepsTime = false,
  leaveAt = Infinity,
  flags = [],
  startPhysics = pythonPhysics,
}: DancersRunOptions = {}) {
  const dancersLab = await openDancersLab({
    phy_step_size: 50_000,
    net_step_size: 100_000,
    simulation_length: 0,
  });
  const { lab, startGateway, startWorld } = dancersLab;
  const lists = new TopicRecorder(lab.join('controllers'), topics.neighborList);
  const labControl = keepsTime ? undefined : startLabControl(lab.uri);
  const visibility =
    domainOfFirst === undefined
      ? []
      : ['--visibility=neighbors', `--controller-domains=1:${domainOfFirst}`];
  const time = keepsTime ? ['--participants=2'] : [];
  const agents = ['--ids=0:1,1:2', '--commands=velocity'];
  const gateway = startGateway('--lab', ...agents, ...time, ...visibility);
  const physics = startPhysics(dancersLab, { agents: { 0: [0, 0], 1: [1, 0] }, step: 0.05 });
  startWorld('network', { range: 1.5 });
  const timekeeper = labControl ?? gateway;
  await timekeeper.stderr.until((line) => line.startsWith('dancers_gateway signed in'));
  await lists.untilMatched();
  const speeds = { 1: -0.5, 2: 0.5 } as const;
  const drive = (id: 1 | 2, side: DdsParticipant) =>
    new ScriptedController(side, {
      ids: [id],
      onStart({ t_now: createNs }, self) {
        if (id === 1 && createNs > leaveAt) {
          side.close();
          return;
        }
        const stamp = { nanoseconds: createNs };
        const header = { create_stamp: stamp, valid_after_stamp: stamp };
        const message = { vehicle_id: id, header, speed: speeds[id], curvature: 0 };
        self.send({ kind: 'speedCurvature', message });
      },
    });
  const ownSide =
    domainOfFirst === undefined ? lab.join('controllers') : lab.joinDomain(domainOfFirst);
  const controllers = [drive(1, ownSide), drive(2, lab.join('controllers'))] as const;
  const middleware = lab.startMiddleware(
    '--vehicle-ids=1,2',
    '--simulated-time',
    '--period-ms=100',
    '--wait-for-start=true',
    '--periods=20',
    ...flags,
  );
  for (const controller of controllers) controller.signIn();
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  if (labControl === undefined) gateway.signal('SIGTERM');
  else labControl.send('stop');
  expect(await gateway.ended).toEqual({ code: labControl === undefined ? 143 : 0, signal: null });
  const said = labControl === undefined ? 'stopped' : 'the run is over: the lab has stopped';
  expect(gateway.stderr.items.at(-1)).toBe(said);
  await physics.program.ended;
  const [firsts, starts] = controllers.map(({ startSignals }) =>
    startSignals.items.map(({ list }) => list),
  );
  return {
    firsts: firsts ?? [],
    starts: starts ?? [],
    lists: lists.samples,
    physics: physics.seen.items,
  };
}
