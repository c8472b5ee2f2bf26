import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  middlewareParameters,
  type LabControlEvent,
  type ServedParameter,
} from '../../../src/lab/index.js';
import { runCli } from '../../support/cli.js';
import type { LogLine } from '../../support/middleware.js';
import { openOriginalLab } from '../../support/original-lab.js';
import type { Recorder } from '../../support/recorder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const period = 'middleware_period_ms';
const activeIds = 'active_vehicle_ids';

/** The names that were asked for, in their order. */
function requests(events: Recorder<LabControlEvent>): string[] {
  return events.items.flatMap((event) => (event.kind === 'parameter-request' ? [event.name] : []));
}

function waitedSeconds(lines: readonly LogLine[]): number[] {
  return lines.map((line) => Number(line.waited_s));
}

describe('the period and the active vehicle ids', () => {
  it('are asked from the parameter server of the lab, and used as they are answered', async () => {
    const lab = openOriginalLab();
    const { control, events, met, signedIn } = lab.realTimeControl({
      parameters: middlewareParameters(40n, [9, 1, 200, 9]),
    });
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware('--vehicle_ids=1');
    const line = await middleware.untilLogged('waiting for controllers');
    expect(line).toMatchObject({ period_ms: 40, active_vehicle_ids: [1, 9, 200] });
    expect(new Set(requests(events))).toEqual(new Set([period, activeIds]));

    await met();
    controller.signIn();
    await signedIn('middleware');
    const asked = requests(events).length;
    control.time.start(1n);
    const { list } = await controller.startSignals.untilCount(3);
    expect(list).toMatchObject({ period_ms: 40n, active_vehicle_ids: [1, 9, 200] });
    expect((list.t_now - 1n) % 40_000_000n).toBe(0n);

    // A later change does not reach a running middleware, and nothing is asked again.
    control.setParameter(period, { type: 'uint64', value: 500n });
    const { list: later } = await controller.startSignals.untilCount(10);
    expect(later.period_ms).toBe(40n);
    expect(requests(events)).toHaveLength(asked);
  });

  it('are asked for every second until the server answers, and the log says what is awaited', async () => {
    const lab = openOriginalLab();
    const { events } = lab.realTimeControl({
      parameters: {
        ...middlewareParameters(40n, [1]),
        [period]: { type: 'uint64', value: 40n, unansweredRequests: 2 },
      },
    });
    const middleware = lab.startMiddleware('--vehicle_ids=1');
    await middleware.untilLogged('waiting for controllers');
    expect(requests(events).filter((name) => name === period).length).toBeGreaterThanOrEqual(3);
    const awaited = middleware.logged(`waiting for the parameter ${period}`);
    const [first = NaN, second = NaN] = waitedSeconds(awaited);
    expect(first).toBeGreaterThanOrEqual(1);
    expect(second).toBeGreaterThanOrEqual(first + 1);
    expect(awaited[0]?.msg).toContain('--period-ms');
  });

  it('are refused with a name when their type or value is wrong, and asked for again', async () => {
    const lab = openOriginalLab();
    const parameters: Record<string, ServedParameter> = {
      [period]: { type: 'int32', value: 40 },
      [activeIds]: { type: 'int32s', value: [1, 256] },
    };
    const { control } = lab.realTimeControl({ parameters });
    const middleware = lab.startMiddleware('--vehicle_ids=1');
    const refused = (name: string, reason: string) =>
      middleware.untilLogged(`the lab's answer for ${name} is refused: ${reason}`);
    await refused(period, 'its type is not UInt64');
    control.setParameter(period, { type: 'uint64', value: 0n });
    await refused(period, '0 ms is no period');
    control.setParameter(period, { type: 'uint64', value: 40n });
    await refused(activeIds, '256 is no vehicle id (0 to 255)');
    control.setParameter(activeIds, { type: 'int32s', value: [] });
    const line = await middleware.untilLogged('waiting for controllers');
    expect(line).toMatchObject({ period_ms: 40, active_vehicle_ids: [] });
  });

  it('are taken from a server that starts later than the middleware', async () => {
    const lab = openOriginalLab();
    const middleware = lab.startMiddleware('--vehicle_ids=1', '--simulated_time=true');
    await middleware.untilLogged(`waiting for the parameter ${period}`);
    lab.simulatedTimeControl({}, { parameters: middlewareParameters(25n, [1, 2]) });
    const line = await middleware.untilLogged('waiting for controllers');
    expect(line).toMatchObject({ period_ms: 25, active_vehicle_ids: [1, 2] });
  });

  it('are not asked for when flags give them, and then no server is needed', async () => {
    const lab = openOriginalLab();
    const { control, events, met, signedIn } = lab.realTimeControl();
    const controller = lab.controller({ ids: [1] });
    lab.startMiddleware('--vehicle_ids=1', '--period_ms=50', '--active_vehicle_ids=3,4');
    await met();
    controller.signIn();
    await signedIn('middleware');
    control.time.start(1n);
    const { list } = await controller.startSignals.untilCount(3);
    expect(list).toMatchObject({ period_ms: 50n, active_vehicle_ids: [3, 4] });
    expect(requests(events)).toEqual([]);
  });

  it('do not keep the middleware from ending by a signal without a parameter server', async () => {
    const lab = openOriginalLab();
    const middleware = lab.startMiddleware('--vehicle_ids=1');
    await middleware.untilLogged(`waiting for the parameter ${period}`);
    middleware.signal('SIGTERM');
    expect(await middleware.ended).toEqual({ code: 143, signal: null });
  });

  it('are waited for by a middleware that shows its status and can be ended', async () => {
    const lab = openOriginalLab();
    const socket = path.join(temporaryFolder(), 'control.sock');
    const middleware = lab.startMiddleware('--vehicle_ids=1', `--control-socket=${socket}`);
    await middleware.untilLogged('waiting for the parameter');
    const { output } = await runCli('status', '--json', `--control-socket=${socket}`);
    expect(JSON.parse(output[0] ?? '')).toMatchObject({ phase: 'configuring', period_ns: null });
    expect((await runCli('stop', `--control-socket=${socket}`)).code).toBe(0);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  });
});
