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

/** Ctrl-C ends it, also while it waits for a start signal, and it writes nothing. */
export async function expectToEndQuietly(shown: ShownController): Promise<void> {
  const { controller, middleware } = start(shown, ['--wait-for-start=true', '--period-ms=50']);
  await Promise.race([controller.ended, middleware.untilLogged('all controllers are ready')]);
  controller.signal('SIGINT');
  expect(await controller.ended).toEqual({ code: 0, signal: null });
  expect([...controller.stdout.items, ...controller.stderr.items]).toEqual([]);
  middleware.signal('SIGTERM');
  await middleware.ended;
}

/** It answers each of a hundred steps of simulated time, and ends when the lab stops. */
export async function expectToDrive(shown: ShownController): Promise<void> {
  const { topic } = shown;
  const time = ['--simulated-time', '--time-source=self', '--period-ms=50', '--periods=100'];
  const { controller, middleware } = start(shown, time);
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

/** It, and a middleware that waits for it. */
function start({ command, args, cycloneUri, variables = {} }: ShownController, flags: string[]) {
  const uri = isolatedCycloneUri();
  const network = cycloneUri === undefined ? uri : `${cycloneUri},${uri}`;
  const controller = new ChildProgram('the controller', command, args, network, { variables });
  const middleware = new Middleware(uri, ['--vehicle-ids=1', ...flags], {
    defaults: ['--control-socket=off'],
  });
  return { controller, middleware };
}
