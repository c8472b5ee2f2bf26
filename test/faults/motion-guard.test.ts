import path from 'node:path';
import { expect } from 'vitest';
import { nowUs } from '../support/judged-lab.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  allKindsAndPlaces,
  placeFollower,
  singleKinds,
  weakFollower,
  withDrive,
} from './driven-kinds.js';
import { guardAfterS, guarded, type GuardedLab, type GuardedOptions } from './guarded-lab.js';
import { expectLatched, untilBack } from './latched.js';
import { expectEnd, motionTest, preloaded, type MotionScenario } from './motion-row.js';

/** A middleware with a guard; the name begins with the period. */
function ofPeriod(
  periodMs: number,
  what: string,
  fault: (lab: GuardedLab) => unknown,
  options?: GuardedOptions,
): MotionScenario {
  return guarded(`T ${periodMs} ms, ${what}`, periodMs, fault, options);
}

// Alone: each period of 20 ms has 12 commands for three more processes.
motionTest({ row: 43, fault: 'kill -9 of the middleware with a short period, with a guard' }, [
  ofPeriod(20, 'SIGKILL', ({ kill }) => kill('SIGKILL')),
]);

motionTest({ row: 43, fault: 'kill -9 of the middleware, with a guard' }, [
  ofPeriod(400, 'SIGKILL', ({ kill }) => kill('SIGKILL')),
]);

motionTest({ row: 43, fault: 'kill -9 of the whole process group of the middleware' }, [
  ofPeriod(50, 'SIGKILL of the group', ({ middleware }) => {
    process.kill(-(middleware.program.pid ?? NaN), 'SIGKILL');
  }),
]);

motionTest({ row: 43, fault: 'kill -9 of the middleware, and a controller hangs' }, [
  ofPeriod(50, 'SIGKILL and a controller hangs', ({ controller, kill }) => {
    controller.signal('SIGSTOP');
    kill('SIGKILL');
  }),
]);

motionTest({ row: 43, fault: 'the middleware runs out of memory, with a guard' }, [
  ofPeriod(50, 'out of memory', ({ kill }) => kill('SIGUSR2'), {
    from: preloaded('exhaust-memory.mjs', { nodeFlag: '--max-old-space-size=200' }),
    after: async ({ middleware }) => {
      await middleware.program.stderr.until((line) => line.includes('heap out of memory'));
    },
    // It collects garbage for a while before it gives up; a hang of JavaScript is declared after 1 s.
    detectionS: 1 + guardAfterS(50),
  }),
]);

motionTest({ row: 43, fault: 'JavaScript stands still, and only the guard stops then' }, [
  ofPeriod(50, '--hang-limit-ms=0', ({ kill }) => kill('SIGUSR2'), {
    from: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=8000'] }),
    more: ['--hang-limit-ms=0'],
    // The status is silent after 1 s.
    detectionS: 1 + guardAfterS(50),
  }),
]);

motionTest({ row: 43, fault: 'JavaScript stands still, and the guard stops beside the pacer' }, [
  ofPeriod(50, '--braking-deceleration=0.6', ({ kill }) => kill('SIGUSR2'), {
    from: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=3000'] }),
    more: ['--braking-deceleration=0.6', '--vehicle-timeout-ms=0'],
    // The hang is declared after 1 s; from 1 m/s a stop takes 1.2 s longer than with 2 m/s².
    detectionS: 1 + 1.2,
  }),
]);

motionTest({ row: 43, fault: 'the middleware hangs (SIGSTOP), with a guard' }, [
  ofPeriod(50, 'SIGSTOP', ({ kill }) => kill('SIGSTOP')),
  ofPeriod(400, 'SIGSTOP', ({ kill }) => kill('SIGSTOP')),
]);

/** JavaScript hangs, and the whole process is suspended from and until then, s after the begin of the hang. */
function hungAndSuspended(fromS: number, untilS: number): MotionScenario {
  const fault = async ({ lab, kill }: GuardedLab): Promise<number> => {
    const faultUs = nowUs();
    kill('SIGUSR2');
    await lab.untilTime(faultUs + fromS * 1e6);
    kill('SIGSTOP');
    await lab.untilTime(faultUs + untilS * 1e6);
    kill('SIGCONT');
    return faultUs;
  };
  return ofPeriod(50, `SIGSTOP after ${fromS} s, SIGCONT after ${untilS} s`, fault, {
    vehicles: allKindsAndPlaces,
    from: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=8000'] }),
    // The status is silent from SIGSTOP on, or after 1 s.
    detectionS: (untilS > 1 ? fromS : 1) + guardAfterS(50),
  });
}

motionTest({ row: 43, fault: 'JavaScript hangs, and the process is suspended, with a guard' }, [
  hungAndSuspended(0, 1.03),
  hungAndSuspended(0.7, 0.95),
]);

/**
 * The middleware is suspended for so long, s, while its guard stops the vehicles; it runs for a moment, ms, and its
 * JavaScript hangs then.
 */
function hungOnReturn(
  suspendedS: number,
  runsMs: number,
  options: GuardedOptions = {},
): MotionScenario {
  const fault = async ({ lab, kill }: GuardedLab): Promise<number> => {
    const faultUs = nowUs();
    kill('SIGSTOP');
    await lab.untilTime(faultUs + suspendedS * 1e6);
    kill('SIGCONT');
    await lab.untilTime(nowUs() + runsMs * 1000);
    kill('SIGUSR2');
    return faultUs;
  };
  return ofPeriod(50, `SIGSTOP for ${suspendedS} s, hangs ${runsMs} ms later`, fault, {
    vehicles: allKindsAndPlaces,
    from: preloaded('stall.mjs', { variables: ['HLC_TEST_STALL_MS=8000'] }),
    detectionS: guardAfterS(50),
    ...options,
  });
}

motionTest(
  { row: 43, fault: 'the middleware is suspended, comes back, and its JavaScript hangs' },
  [
    ...[10, 40].map((ms) => hungOnReturn(0.4, ms)),
    ...[0, 30, 80].map((ms) => hungOnReturn(1.03, ms)),
    // Its place to rest at is still far ahead as the middleware takes over.
    hungOnReturn(0.45, 120, { vehicles: weakFollower(), fastestMps: 2 }),
  ],
);

/** An exception ends the middleware when it comes back from a stall: it was suspended, or blocked by itself, ms. */
function failedOnReturn(by: 'suspended' | 'blocked', stalledMs: number): MotionScenario {
  const isSuspended = by === 'suspended';
  const fault = async ({ lab, kill }: GuardedLab): Promise<number> => {
    const faultUs = nowUs();
    if (isSuspended) kill('SIGSTOP');
    kill('SIGUSR2');
    if (isSuspended) {
      await lab.untilTime(faultUs + stalledMs * 1000);
      kill('SIGCONT');
    }
    return faultUs;
  };
  const hangS = Math.min(stalledMs, 1000) / 1000;
  // The middleware stops the vehicles itself unless it was suspended.
  const detectedS = isSuspended ? guardAfterS(50) : 0.1;
  return ofPeriod(50, `${by} for ${stalledMs} ms, then an exception`, fault, {
    vehicles: allKindsAndPlaces,
    from: preloaded('inject.mjs', {
      variables: ['HLC_TEST_FAULT=stall', `HLC_TEST_STALL_MS=${isSuspended ? 0 : stalledMs}`],
    }),
    detectionS: hangS + detectedS,
  });
}

motionTest({ row: 43, fault: 'an exception in the middleware after a stall, with a guard' }, [
  failedOnReturn('suspended', 200),
  failedOnReturn('suspended', 400),
  failedOnReturn('blocked', 300),
  failedOnReturn('blocked', 1500),
]);

/** The middleware is suspended for so long; its guard brakes when it comes back. @param v m/s */
function suspended(ms: number, v = 1): MotionScenario {
  const fault = async ({ lab, kill }: GuardedLab): Promise<number> => {
    const faultUs = nowUs();
    kill('SIGSTOP');
    await lab.untilTime(faultUs + ms * 1000);
    kill('SIGCONT');
    return faultUs;
  };
  return ofPeriod(50, `SIGSTOP for ${ms} ms at ${v} m/s`, fault, {
    vehicles: withDrive(allKindsAndPlaces, { v }),
    fastestMps: v,
    after: untilBack,
  });
}

/** It continues before the guard acts, and is suspended again at once, until all vehicles are at rest. */
function suspendedTwice(v: number): MotionScenario {
  const firstS = 0.25;
  const fault = async ({ lab, kill }: GuardedLab): Promise<number> => {
    kill('SIGSTOP');
    await lab.untilTime(nowUs() + firstS * 1e6);
    kill('SIGCONT');
    kill('SIGSTOP');
    const faultUs = nowUs();
    await lab.untilTime(faultUs + 3e6);
    kill('SIGCONT');
    return faultUs;
  };
  return ofPeriod(50, `twice, at ${v} m/s`, fault, {
    vehicles: withDrive(allKindsAndPlaces, { v }),
    fastestMps: v,
    // The first status after the first time may still come.
    detectionS: guardAfterS(50) + 0.05,
    after: untilBack,
  });
}

// About the limit of a hang of the control loop, 1 s.
motionTest({ row: 44, fault: 'the middleware comes back while its guard brakes' }, [
  suspended(970),
  suspended(1030),
  suspended(700, 2),
  suspendedTwice(2),
]);

motionTest({ row: 44, fault: 'the middleware comes back after its guard stopped the vehicles' }, [
  ofPeriod(50, 'SIGSTOP, later SIGCONT: at rest until a resume', ({ kill }) => kill('SIGSTOP'), {
    after: async (lab) => {
      lab.kill('SIGCONT');
      await untilBack(lab);
      return await expectLatched(lab, lab.socket);
    },
  }),
  ofPeriod(
    50,
    'SIGKILL, then started again: at rest until a resume',
    ({ kill }) => kill('SIGKILL'),
    {
      after: async (lab) => {
        const middleware = lab.lab.startMiddleware(lab.flags);
        await untilBack({ ...lab, middleware });
        return await expectLatched({ ...lab, middleware }, lab.socket);
      },
    },
  ),
  ofPeriod(
    10,
    'SIGKILL, then started again without its latch file: at rest until a resume',
    ({ kill }) => kill('SIGKILL'),
    {
      // With more vehicles, the first periods of 10 ms take a whole processor.
      vehicles: singleKinds,
      after: async (lab) => {
        const socket = path.join(temporaryFolder(), 'control.sock');
        const same = lab.flags.filter((flag) => !flag.startsWith('--control-socket='));
        const other = ['--node-id=other', `--control-socket=${socket}`];
        const middleware = lab.lab.startMiddleware([...same, ...other]);
        await untilBack({ ...lab, middleware });
        return await expectLatched({ ...lab, middleware }, socket);
      },
    },
  ),
]);

motionTest(
  { row: 44, fault: 'the middleware fails again after it took a stop over, without states' },
  [
    ofPeriod(
      50,
      'SIGSTOP, SIGCONT and SIGKILL',
      ({ kill, lab }) => {
        for (const { id } of lab.vehicles) lab.judge.order(`set ${id} states=off`);
        kill('SIGSTOP');
      },
      {
        vehicles: placeFollower,
        more: ['--vehicle-timeout-ms=0'],
        after: async (lab) => {
          lab.kill('SIGCONT');
          await untilBack(lab);
          // It goes on with the stop.
          await lab.lab.untilTime(nowUs() + 0.5e6);
          lab.kill('SIGKILL');
          await lab.lab.untilTime(nowUs() + 3e6);
          const { items } = lab.middleware.program.stderr;
          const stops = items.filter((line) => line.includes(': the guard stops vehicle'));
          expect(stops, 'stops of the guard').toHaveLength(2);
        },
      },
    ),
  ],
);

motionTest({ row: 44, fault: 'a run that drives nothing takes the stop over from the guard' }, [
  ofPeriod(
    400,
    'SIGKILL of all, started again at once',
    ({ controller, kill, lab, flags }) => {
      controller.signal('SIGKILL');
      kill('SIGKILL');
      lab.startMiddleware(flags);
    },
    // The guard brakes them slowly: otherwise they would count as standing by their own time-out.
    { more: ['--vehicle-timeout-ms=0'] },
  ),
]);

motionTest({ row: 44, fault: 'the run ends (SIGTERM), with a guard' }, [
  ofPeriod(50, 'SIGTERM: the guard does nothing, and ends', ({ kill }) => kill('SIGTERM'), {
    detectionS: 0,
    after: async (lab) => {
      await expectEnd(lab, 143);
      expect(lab.middleware.logged('no status from the middleware')).toEqual([]);
      expect(lab.middleware.logged('the middleware "middleware" ended')).toHaveLength(1);
    },
  }),
]);
