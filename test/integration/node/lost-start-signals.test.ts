import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { Middleware } from '../../support/middleware.js';

const controllerProgram = fileURLToPath(
  new URL('../../peers/gain-controller.mjs', import.meta.url),
);

/** Of 1000 packets that a program sends, Cyclone DDS drops so many. */
const dropped = 100;
const losing =
  '<CycloneDDS><Domain Id="any"><Internal><Test>' +
  `<XmitLossiness>${dropped}</XmitLossiness></Test></Internal></Domain></CycloneDDS>`;

/** All of them arrive at the first attempt in one of 37,000 runs. */
const periods = 100;

it('a controller of the SDK receives start signals in simulated time that were lost on the way', async () => {
  const uri = loopbackUri(isolatedCycloneUri());
  const controller = new ChildProgram('controller', 'node', [controllerProgram], uri);
  const middleware = new Middleware(`${uri},${losing}`, [
    '--vehicle-ids=1',
    '--period-ms=50',
    '--simulated-time',
    '--time-source=self',
    `--periods=${periods}`,
  ]);
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  expect(middleware.summary().controllers[1]).toMatchObject({ replies: periods, misses: 0 });
  expect(await controller.ended).toEqual({ code: 0, signal: null });
});
