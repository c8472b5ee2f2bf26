import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { connectTap, tapPathOf, type TapRecord } from '../../../src/observe/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';

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
