import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { errorOf, gainController, RecordedLab } from '../../support/recorded-lab.js';

/** A program that needs a whole core. */
function startBusyLoop(): ChildProgram {
  return new ChildProgram('the busy loop', process.execPath, ['-e', 'for (;;);'], '');
}

/** Records a run of so many periods with a controller. @returns the file. */
async function record(lab: RecordedLab, periods: number): Promise<string> {
  const file = lab.file('run.mcap');
  const controller = lab.controller();
  const run = lab.play('--simulated-time', `--periods=${periods}`, `--record=${file}`);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  await controller.ended;
  return file;
}

it('a recording is replayed to a controller: the same one, one with another gain, a silent one', async () => {
  const lab = new RecordedLab();
  const file = await record(lab, 60);
  const junit = lab.file('replay.xml');
  const replay = (flags = '') => {
    const command = `${process.execPath} ${gainController} ${flags}`;
    const args = [`--controller=${command}`, `--junit=${junit}`];
    // Only one that is silent is to be late, also where a controller waits for a processor.
    if (flags.includes('silent')) args.push('--step-timeout-ms=500');
    return lab.start('replay', file, '--json', ...args);
  };
  const reportOf = (program: ChildProgram) =>
    JSON.parse(program.stdout.items.join('\n')) as { digest: string; differences: object[] };

  const digests: string[] = [];
  for (const busyLoops of [0, availableParallelism()]) {
    const busy = Array.from({ length: busyLoops }, startBusyLoop);
    const program = replay();
    expect(await program.ended).toEqual({ code: 0, signal: null });
    for (const loop of busy) loop.signal('SIGKILL');
    digests.push(reportOf(program).digest);
  }
  expect(digests[0]).toBe(digests[1]);
  const changed = replay('--gain=1.01');
  expect(await changed.ended).toEqual({ code: 1, signal: null });
  expect(reportOf(changed).differences[0]).toMatchObject({
    vehicle: 1,
    kind: 'speedCurvature',
    field: 'curvature',
  });
  expect(readFileSync(junit, 'utf8')).toContain('curvature: recorded');
  const silent = replay('--silent-after=5');
  expect(await silent.ended).toEqual({ code: 1, signal: null });
  expect(reportOf(silent)).toMatchObject({ silent: [1], unanswered: { 1: 3 } });
});

it('a replay beside a middleware is refused before it starts or sends anything', async () => {
  const lab = new RecordedLab();
  const file = await record(lab, 20);
  const controller = lab.controller();
  const other = lab.play('--periods=1000000');
  await other.stderr.until((line) => line.includes('all controllers are ready'));
  const replay = lab.start('replay', file, '--controller=running');
  expect(await replay.ended).toEqual({ code: 1, signal: null });
  expect(errorOf(replay)).toMatch(/a replay beside it would .*\[HLC_OTHER_MIDDLEWARE\]$/);
  // No stop trigger ended it.
  expect(controller.gone).toBe(false);
});
