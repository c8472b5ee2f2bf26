import { expect } from 'vitest';
import { runCli } from '../support/cli.js';
import { nowUs } from '../support/judged-lab.js';
import { oneAtATime } from '../support/one-at-a-time.js';
import type { RunningLab } from './motion-row.js';

/** So long the vehicles of a latched stop are watched before the resume, s. */
const restingS = 3;

/** The vehicles rest for 3 s from now on, and drive again after a resume; gives when it was sent. */
export async function expectLatched({ lab }: RunningLab, socket: string): Promise<number> {
  await lab.untilTime(nowUs() + restingS * 1e6);
  // A lab that starts at the same time would take the processor: three misses are a stop once more.
  return await oneAtATime('lab-drive', () => resumed(lab, socket));
}

async function resumed(lab: RunningLab['lab'], socket: string): Promise<number> {
  lab.favour('driving');
  const resumedUs = nowUs();
  const { code, errors } = await runCli('resume', '--control-socket', socket);
  expect(errors).toEqual([]);
  expect(code).toBe(0);
  await Promise.all(
    lab.vehicles.map((vehicle) =>
      lab.judge.events.until(
        ({ event, id, t = 0 }) => event === 'moves' && id === vehicle.id && t > resumedUs,
      ),
    ),
  );
  return resumedUs;
}

/** Settles when the controller of every vehicle is back. */
export async function untilBack({ lab, middleware }: RunningLab): Promise<void> {
  for (const { id } of lab.vehicles) {
    await middleware.untilLogged(`controller ${id} is rejoining`);
  }
}
