import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { connectTap, tapPathOf, type TapRecord } from '../../../src/observe/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';
import { ChildProgram } from '../../support/child-program.js';
import { cliProgram } from '../../support/middleware.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the tap of a run over DDS', () => {
  it.each([
    ['real time', []],
    ['simulated time', ['--simulated-time', '--time-source=self']],
  ])('in %s has each start signal as the controllers received it', async (_, flags) => {
    const lab = openTestLab();
    const socket = path.join(temporaryFolder(), 'a.sock');
    const middleware = lab.startMiddleware(
      '--period-ms=20',
      '--periods=20',
      `--control-socket=${socket}`,
      ...flags,
    );
    await middleware.untilLogged('waiting for controllers');
    const tap = await connectTap(tapPathOf(socket));
    onTestFinished(() => tap.close());
    const records: TapRecord[] = [];
    const reading = (async () => {
      for await (const some of tap.records()) records.push(...some);
    })();
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    await middleware.ended;
    await reading;
    const sent = records
      .flatMap((record) => ('sample' in record ? (record.sample ?? []) : []))
      .filter(({ topic }) => topic === 'vehicleStateList');
    const summary = middleware.summary();
    expect(sent).toHaveLength(summary.start_signals);
    expect(sent.map(({ bytes }) => hex(bytes))).toEqual(
      controller.startSignals.items.map(({ list }) =>
        hex(topics.vehicleStateList.codec.encode(list)),
      ),
    );
    const last = records.filter((record) => record.type === 'summary').at(-1);
    expect(last?.content.summary?.controllers).toEqual(summary.controllers);
  });
});

/** Thousands of steps take long on a busy machine: no wait is for more than these. */
const atOnce = 500;
const patience = { timeout: 180_000 };

describe('an observer that is stopped', patience, () => {
  it.each([
    {
      time: 'simulated time',
      flags: ['--simulated-time', '--time-source=self', '--period-ms=20'],
      periods: { all: 20_000, stopped: 1000, killed: 12_000 },
    },
    {
      time: 'real time',
      flags: ['--period-ms=50'],
      periods: { all: 100, stopped: 20, killed: 80 },
    },
  ])('holds up no period in $time, and can be killed', async ({ flags, periods }) => {
    const lab = openTestLab();
    const socket = path.join(temporaryFolder(), 'a.sock');
    const observer = new ChildProgram(
      'the observer',
      process.execPath,
      [cliProgram, 'observe', `--control-socket=${socket}`, '--port=0'],
      lab.uri,
    );
    await observer.stdout.until((line) => line.startsWith('page to look at'));
    const middleware = lab.startMiddleware(
      ...flags,
      `--periods=${periods.all}`,
      `--control-socket=${socket}`,
    );
    await middleware.untilLogged('waiting for controllers');
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    await controller.startSignals.untilCount(periods.stopped);
    observer.signal('SIGSTOP');
    // A middleware that waited for it would not get there.
    for (let count = periods.stopped; count < periods.killed; count += atOnce) {
      await controller.startSignals.untilCount(Math.min(count + atOnce, periods.killed));
    }
    observer.signal('SIGKILL');
    expect(await middleware.ended).toMatchObject({ code: 0 });
    expect(middleware.summary()).toMatchObject({
      start_signals: periods.all,
      observers_removed: 0,
    });
  });
});
