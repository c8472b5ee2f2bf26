import { setFlagsFromString } from 'node:v8';

import type { ObserveValues, RunConfig } from '../config/index.js';
import { shareCores } from '../dds/index.js';
import { ExitCode } from '../errors/index.js';
import { tracks } from '../lab/index.js';
import { watchSignals } from '../node/index.js';
import { runObserver } from '../observe/index.js';

const usualPort = 8740;
const trackPoints = 200;

/** The observer of `hlc-middleware observe`. @returns the exit code of the process. */
export async function observe(
  { interruptExitCode }: RunConfig,
  controlSocket: string,
  { port, drawTrack, foxgloveOrigins = [] }: ObserveValues,
): Promise<number> {
  shareCores('observer');
  // Most of what it reads is dropped at once. By default V8 keeps 48 MB for that.
  setFlagsFromString('--semi-space-growth-factor=1');
  // What stays grows by little. By default V8 collects it only when it has become up to four times as large.
  setFlagsFromString('--heap-growing-percent=30');
  const signals = watchSignals(interruptExitCode, () => undefined);
  try {
    await runObserver({
      controlSocket,
      port: port ?? usualPort,
      mayMove: port === undefined,
      track: drawTrack === 'none' ? [] : outline(drawTrack),
      foxgloveOrigins,
      stopped: signals.stopped,
      onListening: ({ address, controlAddress }) => {
        process.stdout.write(
          `page with controls: ${controlAddress}\npage to look at: ${address}\nFoxglove: ${address.replace('http', 'ws')}\n`,
        );
      },
      onProblem: ({ code, message }) => process.stderr.write(`${message} [${code}]\n`),
    });
    return signals.exitCode(ExitCode.ok);
  } finally {
    await signals.close();
  }
}

/** x and y of points on a track, alternating. */
function outline(name: keyof typeof tracks): number[] {
  const track = tracks[name];
  return Array.from({ length: trackPoints + 1 }, (_, i) =>
    track.poseAt((i * track.length) / trackPoints),
  ).flatMap(({ x, y }) => [x, y]);
}
