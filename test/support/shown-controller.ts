import { expect } from 'vitest';
import { ChildProgram } from './child-program.js';
import { isolatedCycloneUri } from './isolation.js';
import { Middleware } from './middleware.js';

/** A controller of vehicle 1 that a page shows, as its reader starts it. */
export interface ShownController {
  readonly command: string;
  readonly args: readonly string[];
  /** What the page has in `CYCLONEDDS_URI`; nothing where it sets none. */
  readonly cycloneUri?: string;
  readonly variables?: NodeJS.ProcessEnv;
  /** The topic that its commands have. */
  readonly topic: string;
}

/** It answers each of a hundred steps of simulated time, and ends when the lab stops. */
export async function expectToDrive(shown: ShownController): Promise<void> {
  const { command, args, cycloneUri, variables = {}, topic } = shown;
  const uri = isolatedCycloneUri();
  const network = cycloneUri === undefined ? uri : `${cycloneUri},${uri}`;
  const controller = new ChildProgram('the controller', command, args, network, { variables });
  const time = ['--simulated-time', '--time-source=self', '--period-ms=50', '--periods=100'];
  const middleware = new Middleware(uri, ['--vehicle-ids=1', ...time], {
    defaults: ['--control-socket=off'],
  });
  // The middleware would wait without end for one that cannot be started.
  await Promise.race([controller.ended, middleware.ended]);
  expect(controller.stderr.items).toEqual([]);
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  expect(await controller.ended).toEqual({ code: 0, signal: null });
  expect(middleware.summary()).toMatchObject({
    start_signals: 100,
    commands_forwarded: { [topic]: 100 },
    commands_refused: {},
    controllers: { 1: { replies: 100, misses: 0 } },
  });
}
