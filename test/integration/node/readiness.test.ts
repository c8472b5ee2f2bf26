import { describe, expect, it } from 'vitest';
import type { QosPolicies } from '../../../src/ports/index.js';
import { topics } from '../../../src/messages/index.js';
import { openTestLab } from '../../support/test-lab.js';

const keepAll = { kind: 'keep-all' } as const;
const reliable: QosPolicies = { reliability: { kind: 'reliable' }, history: keepAll };

describe('the middleware before the first period', () => {
  it('sends no start signal until every controller is ready, and names who is missing', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1, 2, 3] });
    const middleware = lab.startMiddleware('--vehicle-ids=1,2,3', '--period-ms=50', '--periods=3');
    await middleware.untilLogged('waiting for controllers: 1, 2, 3');
    controller.signIn('hlc_3', 'hlc_1');

    const missing = await middleware.untilLogged('waiting for the ready signal of controller 2');
    expect(missing.controllers).toEqual([2]);
    expect(controller.startSignals.items).toEqual([]);
    const ready = middleware.logs.items.filter(({ msg }) => msg === 'controller is ready');
    expect(ready.map((line) => line.controller as number).sort((a, b) => a - b)).toEqual([1, 3]);

    const completedAtNs = lab.clocks.realtimeNs();
    controller.signIn('hlc_2');
    const { list } = await controller.startSignals.untilCount(1);
    expect(list.t_now).toBeGreaterThan(completedAtNs);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.logged('all controllers are ready')).toHaveLength(1);
    expect(controller.startSignals.items).toHaveLength(3);
  });

  it('names a source that is no controller of its own once, and does not count it as ready', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=100', '--periods=2');
    const strangers = ['hlc_2', 'hlc_01', 'HLC_1', 'hlc_1 ', '', 'hlc_\u00fc'];
    controller.signIn(...strangers, ...strangers, ...strangers, 'hlc_1');
    await middleware.ended;

    const named = middleware
      .logged('a ready signal came from a source that is no controller')
      .map((line) => line.source_id);
    expect(named).toEqual(strangers);
    const firstStart = middleware.logs.items.findIndex(({ msg }) => msg.startsWith('all '));
    expect(middleware.logs.items[firstStart - 1]).toMatchObject({ controller: 1 });
  });

  it('receives the ready signals of controllers that were there before it', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [4, 200] });
    controller.signIn();
    const middleware = lab.startMiddleware('--vehicle-ids=4,200', '--period-ms=100', '--periods=2');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(controller.startSignals.items).toHaveLength(2);
    expect(middleware.logged('controller is ready').map((line) => line.controller)).toEqual([
      4, 200,
    ]);
  });

  it('says that a ready controller has no reader for start signals, and goes on without waiting for it', async () => {
    const lab = openTestLab();
    const ready = lab.join('controllers').createWriter(topics.readyStatus, {
      ...reliable,
      durability: { kind: 'transient-local' },
    });
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=100', '--periods=2');
    const codec = topics.readyStatus.codec;
    ready.write(codec.encode({ ...codec.zero(), source_id: 'hlc_1' }));
    const line = await middleware.untilLogged('hlc_1 is ready, but');
    expect(line.msg).toContain('no reader for start signals');
    await middleware.ended;
    expect(middleware.summary()).toMatchObject({
      start_signals: 2,
      controllers: { 1: { replies: 0, misses: 2 } },
    });
  });

  it('names the policy that keeps it from a writer or a reader', async () => {
    const lab = openTestLab();
    const side = lab.join('controllers');
    // Ready signals are kept for late readers: a writer that does not keep them does not match.
    side.createWriter(topics.readyStatus, reliable);
    side.createWriter(topics.readyStatus, {
      reliability: { kind: 'best-effort' },
      durability: { kind: 'transient-local' },
    });
    side.createReader(
      topics.vehicleStateList,
      { ...reliable, durability: { kind: 'transient-local' } },
      { onSample: () => undefined },
    );
    const vehicles = lab.join('lab');
    // Old vehicles write best effort: that fits, and must not be reported.
    vehicles.createWriter(topics.vehicleState, { reliability: { kind: 'best-effort' } });
    vehicles.createWriter(topics.vehicleState, {
      ...reliable,
      ownership: { kind: 'exclusive' },
    });
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');

    const reported = (topic: string, policy: string) =>
      middleware.logs.until((line) => line.topic === topic && line.policy === policy);
    expect((await reported('readyStatus', 'DURABILITY')).msg).toBe(
      'a writer of topic readyStatus does not match: its DURABILITY does not fit',
    );
    expect((await reported('readyStatus', 'RELIABILITY')).msg).toContain('does not match');
    expect((await reported('vehicleStateList', 'DURABILITY')).msg).toBe(
      'a reader of topic vehicleStateList cannot be reached: its DURABILITY does not fit',
    );
    expect((await reported('vehicleState', 'OWNERSHIP')).msg).toContain('does not match');
    expect(middleware.logs.items.filter(({ policy }) => policy !== undefined)).toHaveLength(4);
  });
});
