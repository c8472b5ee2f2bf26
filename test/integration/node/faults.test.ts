import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

const program = fileURLToPath(new URL('../../peers/faulty-middleware.mjs', import.meta.url));

const firstDomain = 10;

/** A middleware with a fault at this place, one controller that answers, and its start signals. */
function startFaulty(lab: TestLab, place: string, domain: number, ...flags: string[]) {
  const controller = new ScriptedController(lab.joinDomain(domain), { ids: [1] });
  controller.signIn();
  const common = ['--vehicle-ids=1', '--period-ms=20', '--wait-for-start=false'];
  const domains = [`--dds-domain=${domain + 1}`, `--domain-number=${domain}`];
  const middleware = new ChildProgram(
    'the middleware',
    process.execPath,
    [program, ...common, ...domains, '--control-socket=off', '--miss-policy=log', ...flags],
    lab.uri,
    { variables: { HLC_TEST_FAULT: place } },
  );
  return { place, controller, middleware };
}

/** Middlewares with a fault at these places, in a lab each, at the same time. */
function startAll(places: readonly string[], ...flags: string[]) {
  const lab = openTestLab();
  return places.map((place, i) => startFaulty(lab, place, firstDomain + 2 * i, ...flags));
}

describe('a fault inside the program ends it with exit code 6', () => {
  it('and a sentence that names it, in real time', async () => {
    for (const { place, middleware } of startAll([
      'session',
      'effect',
      'codec',
      'timer',
      'promise',
    ])) {
      expect(await middleware.ended, place).toEqual({ code: 6, signal: null });
      const sentence = middleware.stderr.items.find((line) => line.includes('[HLC_FAULT]'));
      expect(sentence).toContain(`(broken ${place}); an emergency stop was sent`);
      expect(middleware.stderr.items).toContain(`TypeError: broken ${place}`);
    }
  });

  it('in simulated time', async () => {
    const flags = ['--simulated-time', '--time-source=self'];
    for (const { place, middleware } of startAll(['session', 'effect'], ...flags)) {
      expect(await middleware.ended, place).toEqual({ code: 6, signal: null });
    }
  });
});

describe('a fault of the display', () => {
  it('ends the display and not the run', async () => {
    const summary = path.join(temporaryFolder(), 'summary.json');
    const { controller, middleware } = startFaulty(
      openTestLab(),
      'display',
      firstDomain,
      '--periods=60',
      `--summary=${summary}`,
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items.length).toBeGreaterThanOrEqual(60);
    const logged = middleware.stderr.items.filter((line) => line.includes('ended the display'));
    expect(logged).toHaveLength(1);
    // The summary is no part of the display.
    expect(middleware.stdout.items.join('\n')).toMatch(/^start signals +60/m);
  });
});
