import { fileURLToPath } from 'node:url';

import type { RunConfig } from '../config/index.js';
import { ExitCode } from '../core/errors/index.js';
import { privateLabUri, startDemoLab } from '../lab/index.js';
import { runMiddleware } from '../node/index.js';

const mainScript = fileURLToPath(new URL('main.js', import.meta.url));

/**
 * The middleware with a lab of its own. `CYCLONEDDS_URI` is honoured; without it the lab is private
 * to this run.
 * @returns the exit code of the process; a program of the lab that ends early makes it 1.
 */
export async function play(config: RunConfig): Promise<number> {
  process.env.CYCLONEDDS_URI ??= privateLabUri();
  const lost: string[] = [];
  let programs: ReturnType<typeof startDemoLab> = [];
  try {
    const code = await runMiddleware(config, {
      statusLines: true,
      onListening: ({ log, stop }) => {
        programs = startDemoLab({
          vehicleIds: config.vehicleIds,
          labDomain: config.ddsDomain,
          controllerDomain: config.domainNumber,
          self: [process.execPath, mainScript],
          environment: process.env,
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
      onEnding: () => {
        for (const program of programs) program.expectEnd();
      },
    });
    return lost.length > 0 ? ExitCode.failure : code;
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
  }
}
