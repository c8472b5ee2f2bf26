import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';

const program = fileURLToPath(new URL('../../peers/faulty-middleware.mjs', import.meta.url));

/** A middleware with a fault at this place, one controller that answers, and its start signals. */
function startFaulty(place: string, ...flags: string[]) {
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  controller.signIn();
  const common = ['--vehicle-ids=1', '--period-ms=50', '--wait-for-start=false'];
  const middleware = new ChildProgram(
    'the middleware',
    process.execPath,
    [program, ...common, '--control-socket=off', '--miss-policy=log', ...flags],
    lab.uri,
    { variables: { HLC_TEST_FAULT: place } },
  );
  return { controller, middleware };
}

describe('a fault inside the program ends it with exit code 6 and says so', () => {
  it.each(['session', 'effect', 'codec', 'timer', 'promise'])(
    'in the %s, in real time',
    async (place) => {
      const { middleware } = startFaulty(place);
      expect(await middleware.ended).toEqual({ code: 6, signal: null });
      const sentence = middleware.stderr.items.find((line) => line.includes('[HLC_FAULT]'));
      expect(sentence).toContain(`(broken ${place}); an emergency stop was sent`);
      expect(middleware.stderr.items).toContain(`TypeError: broken ${place}`);
    },
  );

  it.each(['session', 'effect'])('in the %s, in simulated time', async (place) => {
    const { middleware } = startFaulty(place, '--simulated-time', '--time-source=self');
    expect(await middleware.ended).toEqual({ code: 6, signal: null });
  });
});

describe('a fault of the display', () => {
  it('ends the display and not the run', async () => {
    const summary = path.join(temporaryFolder(), 'summary.json');
    const { controller, middleware } = startFaulty(
      'display',
      '--periods=60',
      `--summary=${summary}`,
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items.length).toBeGreaterThanOrEqual(60);
    const told = middleware.stderr.items.filter((line) => line.includes('ended the display'));
    expect(told).toHaveLength(1);
    // The summary is no part of the display.
    expect(middleware.stdout.items.join('\n')).toMatch(/^start signals +60/m);
  });
});
