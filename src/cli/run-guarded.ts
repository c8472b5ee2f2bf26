import type { ChildProcess } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';

import type { RunConfig } from '../config/index.js';
import { HlcError } from '../errors/index.js';
import { runMiddleware, type RunHooks } from '../node/index.js';
import { guardFlags } from './guard-flags.js';
import { recorderFlags } from './recorder-flags.js';
import { SecondProcess } from './second-process.js';

/** A recorder ends by itself within this time after the tap, ms. */
const recorderEndMs = 5000;

/** What becomes of a guard whose middleware has begun. */
interface GuardFate {
  /** What becomes of one that is still needed at the end. */
  readonly atEnd: 'leave' | 'kill';
  /** Called with its process. */
  readonly onStarted?: (guard: ChildProcess) => void;
}

/**
 * Runs one middleware to its end, with a guard and a recorder as further processes where the
 * configuration asks for them.
 * @returns the exit code of the process.
 * @throws HlcError as `runMiddleware`, or `HLC_GUARD`, `HLC_RECORDER`.
 */
export async function runGuarded(
  config: RunConfig,
  hooks: RunHooks = {},
  { atEnd, onStarted }: GuardFate = { atEnd: 'leave' },
): Promise<number> {
  if (config.session.time.mode === 'simulated') {
    // The way of a sample leads through many small functions. By default V8 puts 920 bytecodes of them into
    // one at most, and a step takes 3 to 5 % longer. In real time no step waits for that, and the compiler, which
    // takes longer for larger functions, would work beside the first periods.
    setFlagsFromString('--max-inlined-bytecode-size-cumulative=5000');
  }
  if (!config.safety.guard) return runRecorded(config, hooks);
  // Ctrl-\ and Ctrl-Z on a terminal, and "kill -9 %1", reach the whole group.
  const guard = new SecondProcess(['guard', '--end-with-stdin', ...guardFlags(config)], {
    outlivesGroup: true,
  });
  onStarted?.(guard.child);
  // Until a session begins it guards nothing. With another middleware of this node id it would stay.
  let fate: GuardFate['atEnd'] = 'kill';
  try {
    const cause = await guard.ready();
    if (cause !== undefined) throw new HlcError('HLC_GUARD', { cause });
    return await runRecorded(config, {
      ...hooks,
      onBegin: () => {
        fate = atEnd;
        hooks.onBegin?.();
      },
      onListening: (running) => {
        guard.onUnexpectedEnd = (how) =>
          running.log.error(
            `the guard ended (${how}): no second process stops the vehicles if this one fails`,
          );
        hooks.onListening?.(running);
      },
    });
  } finally {
    await guard.end(fate);
  }
}

async function runRecorded(config: RunConfig, hooks: RunHooks): Promise<number> {
  const { record } = config.output;
  if (record === undefined) return runMiddleware(config, hooks);
  const args = ['record', record, '--end-with-stdin', ...recorderFlags(config)];
  const recorder = new SecondProcess(args);
  const ready = recorder.ready();
  try {
    return await runMiddleware(config, {
      ...hooks,
      onTapOpen: async () => {
        const cause = await ready;
        if (cause !== undefined) throw new HlcError('HLC_RECORDER', { cause });
      },
      onListening: (running) => {
        recorder.onUnexpectedEnd = (how) =>
          running.log.error(`the recorder ended (${how}): the rest of the run is not recorded`);
        hooks.onListening?.(running);
      },
    });
  } finally {
    await recorder.end('leave', recorderEndMs);
  }
}
