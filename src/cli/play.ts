import { fileURLToPath } from 'node:url';

import type { PlayValues, RunConfig } from '../config/index.js';
import { ExitCode, HlcError } from '../errors/index.js';
import { controllerSourceId, toMs } from '../core/index.js';
import { DemoLab, LabProcess, orphanWatch, privateLabUri } from '../lab/index.js';
import type { RunHooks, RunningNode } from '../node/index.js';
import { runGuarded } from './run-guarded.js';

const mainScript = fileURLToPath(new URL('main.js', import.meta.url));

/**
 * The middleware with a lab of its own. `CYCLONEDDS_URI` is honoured; without it the lab is private
 * to this run, unless a controller of the user's own is to find it.
 * @returns the exit code of the process; a program of the lab that ends early makes it 1.
 */
export async function play(config: RunConfig, lab: PlayValues): Promise<number> {
  const { vehicleIds } = config.session;
  const { lab: labSide, controller } = config.sides;
  const { domainId, networkInterface } = controller;
  const ownIds = lab.controllers === 'none' ? vehicleIds : (lab.own ?? []);
  // Empty is as unset for Cyclone DDS.
  const { CYCLONEDDS_URI = '' } = process.env;
  if (ownIds.length === 0 && CYCLONEDDS_URI === '') process.env.CYCLONEDDS_URI = privateLabUri();
  const lost: string[] = [];
  let demo: DemoLab | undefined;
  let page: LabProcess | undefined;
  try {
    const hooks: RunHooks = {
      statusLines: true,
      onListening: ({ log, showOnly, stop }) => {
        for (const id of ownIds) {
          log.info(
            { vehicle_id: id, domain: domainId, interface: networkInterface },
            `vehicle ${id} waits for your controller: ready signal ${controllerSourceId(id)} on DDS domain ${domainId}, interface ${networkInterface}, without multicast`,
          );
        }
        if (lab.page) page = startPage(config, lab, { log, showOnly });
        demo = new DemoLab({
          vehicleIds,
          ownIds,
          labDomain: labSide.domainId,
          controllerDomain: domainId,
          networkInterface,
          track: lab.track,
          fleetFlags: fleetFlags(config, lab),
          self: [process.execPath, mainScript],
          events: {
            onLine: (name, line) => log.info({ program: name }, `${name}: ${line}`),
            onUnexpectedEnd: (name, how) => {
              lost.push(name);
              log.error({ program: name }, `${name} ended (${how}); the run ends with it`);
              stop();
            },
          },
        });
      },
      onEnding: () => demo?.expectEnd(),
    };
    // Its vehicles do not outlive this process, so it need not hold them any longer.
    const code = await runGuarded(config, hooks, {
      atEnd: 'kill',
      onStarted: (guard) => orphanWatch.watch(guard),
    });
    return lost.length > 0 ? ExitCode.failure : code;
  } finally {
    await Promise.all([demo?.stop(), page?.stop()]);
  }
}

/** The page as a process of its own: a fault in it does not end the run. */
function startPage(
  { output }: RunConfig,
  { track }: PlayValues,
  { log, showOnly }: Pick<RunningNode, 'log' | 'showOnly'>,
): LabProcess {
  if (output.controlSocket === null) throw new HlcError('HLC_CONTROL_OFF', {});
  const flags = [`--control-socket=${output.controlSocket.path}`, `--draw-track=${track}`];
  const program = {
    name: 'page',
    command: process.execPath,
    args: [mainScript, 'observe', ...flags],
  };
  return new LabProcess(program, {
    // The log goes to the page, to the lab and into recordings; the control token is for the user.
    onLine: (_, line) => (line.includes('?token=') ? showOnly(line) : log.info(line)),
    onUnexpectedEnd: (_, how) => log.error(`the page ended (${how}); the run goes on without it`),
  });
}

/** The settings of the vehicles, as flags. */
function fleetFlags({ session, sides }: RunConfig, lab: PlayValues): string[] {
  return [
    `--simulated-time=${session.time.mode === 'simulated'}`,
    `--lab-side=${sides.lab.kind}`,
    `--track=${lab.track}`,
    `--seed=${lab.seed}`,
    `--loss=${lab.loss}`,
    `--delay-ms=${toMs(lab.delayMs)}`,
    `--state-noise=${lab.stateNoise}`,
  ];
}
