import { expect } from 'vitest';
import type { VehicleStateList } from '../../src/messages/index.js';
import { directCommand } from '../support/commands.js';
import type { ScriptedController } from '../support/scripted-controller.js';
import { openTestLab } from '../support/test-lab.js';
import { faultTest } from './fault-row.js';

const periods = 20;
const s = 1_000_000_000n;

/** In every period a good command, and after it one of the past, one of the future, a repeat. */
function answerBadly({ t_now }: VehicleStateList, controller: ScriptedController): void {
  controller.send(directCommand(1, t_now));
  controller.send(directCommand(1, t_now > s ? t_now - s : 0n));
  controller.send(directCommand(1, t_now + 5n * s));
  controller.send(directCommand(1, t_now));
  // The last one to answer, which in simulated time ends the step.
  controller.send(directCommand(2, t_now));
}

const refusals = {
  HLC_COMMAND_CREATED_BEFORE_PERIOD: periods,
  HLC_COMMAND_CREATED_IN_FUTURE: periods,
  HLC_COMMAND_NOT_NEWER: periods,
};

for (const { mode, flags } of [
  { mode: 'real time', flags: ['--period-ms=50'] },
  { mode: 'simulated time', flags: ['--period-ms=50', '--simulated-time', '--time-source=self'] },
] as const) {
  faultTest(
    {
      row: 24,
      fault: 'commands of the past, of the future, and the same again',
      mode,
      expected: 'refused before they are forwarded; with --check-policy=flag forwarded and logged',
    },
    async (measured) => {
      const lab = openTestLab();
      const vehicles = lab.vehicles();
      const controller = lab.controller({ ids: [1, 2], onStart: answerBadly });
      controller.signIn();
      const run = async (policy: 'reject' | 'flag') => {
        const middleware = lab.startMiddleware(
          '--vehicle-ids=1,2',
          `--periods=${periods}`,
          `--check-policy=${policy}`,
          ...flags,
        );
        // With "flag" a command still waits for its time: the vehicles count as moving.
        const code = policy === 'reject' ? 0 : 7;
        expect(await middleware.ended).toEqual({ code, signal: null });
        return middleware.summary();
      };
      const strict = await run('reject');
      const starts = controller.startSignals.items.map(({ list }) => list.t_now);
      const commands = vehicles.commands.items.filter(({ vehicleId }) => vehicleId === 1);
      // What follows stops the vehicles at the end of the run.
      const driven = commands.map(({ createNs }) => createNs).slice(0, periods);
      expect(driven).toEqual(starts);
      expect(strict.commands_refused).toEqual(refusals);
      expect(strict.commands_flagged).toEqual({});

      const lenient = await run('flag');
      const { vehicleCommandDirect: forwarded = 0 } = lenient.commands_forwarded;
      const flagged = Object.values(lenient.commands_flagged).reduce((a, b) => a + b, 0);
      expect(forwarded).toBe(5 * periods);
      // The one of the future makes no later one look old, so a repeat is flagged once.
      expect(flagged).toBeGreaterThanOrEqual(3 * periods);
      expect(lenient.commands_refused).toEqual({});
      const bad = 3 * periods;
      const kept = Object.values(strict.commands_refused).reduce((a, b) => a + b, 0);
      measured(
        `reject: ${kept} of ${bad} refused, ${driven.length - periods} forwarded; ` +
          `flag: ${forwarded} forwarded, ${flagged} flagged`,
      );
    },
  );
}
