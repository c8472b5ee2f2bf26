import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openTestLab } from '../../support/test-lab.js';

const program = fileURLToPath(new URL('../../../build/examples/c/controller', import.meta.url));

describe('the controller of examples/c', () => {
  it('is driven by the middleware alone, answers every start signal, and ends with it', async () => {
    expect(existsSync(program)).toBe(true);
    const lab = openTestLab();
    const controller = lab.startProgram(program, '--vehicle-id=17');
    const middleware = lab.startMiddleware('--vehicle-ids=17', '--period-ms=50', '--periods=40');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(await controller.ended).toEqual({ code: 0, signal: null });
    expect(controller.stderr.items).toEqual([]);
    expect(middleware.summary()).toMatchObject({
      start_signals: 40,
      commands_forwarded: { vehicleCommandSpeedCurvature: 40 },
      commands_refused: {},
      samples_malformed: {},
      controllers: { 17: { replies: 40, misses: 0, late_replies: 0 } },
    });
  });
});
