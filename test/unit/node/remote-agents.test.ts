import { describe, expect, it } from 'vitest';
import { RemoteAgentKind, topics, type RemoteAgent } from '../../../src/messages/index.js';
import { RemoteAgents } from '../../../src/node/middleware/remote-agents.js';
import { openSide, recordErrors } from '../sides/sides.js';

const wheeled: RemoteAgent = {
  node: 1,
  agent: 2,
  kind: RemoteAgentKind.Wheeled,
  is_vehicle: true,
  vehicle_id: 10,
  parts: [{ name: 'wheels', count: 6 }],
  files: [{ name: 'chassis_vis_file', path: 'sedan.obj' }],
  has_state: true,
  pose: { x: 1, y: 2, yaw: 0.5 },
  speed: -2,
};
const shown = {
  source: 'a',
  node: 1,
  agent: 2,
  kind: 'wheeled',
  vehicle_id: 10,
  parts: { wheels: 6 },
  files: { chassis_vis_file: 'sedan.obj' },
  state: { x: 1, y: 2, yaw: 0.5, speed: -2 },
};

/** A lab side, the remote agents on it, and a clock that the test moves. */
function open() {
  const clock = { ns: 0n };
  const { side, send } = openSide('Lab');
  let changes = 0;
  const agents = new RemoteAgents(
    side,
    () => clock.ns,
    recordErrors(),
    () => changes++,
  );
  const list = (source_id: string, ...items: readonly Partial<RemoteAgent>[]) =>
    send(topics.remoteAgentList, {
      source_id,
      agents: items.map((item) => ({ ...wheeled, ...item })),
    });
  return { clock, agents, list, changes: () => changes };
}

describe('the vehicles of other simulations', () => {
  it('are those of the newest list of each gateway', async () => {
    const { agents, list, changes } = open();
    await list('a', {}, { agent: 3 });
    await list('b', { is_vehicle: false, vehicle_id: 0, kind: RemoteAgentKind.Copter });
    expect(agents.all).toEqual([
      shown,
      { ...shown, agent: 3 },
      { ...shown, source: 'b', vehicle_id: null, kind: 'copter' },
    ]);
    await list('a', { pose: { x: 5, y: 2, yaw: 0.5 } });
    expect(agents.all[0]?.state?.x).toBe(5);
    await list('a');
    expect(agents.all.map(({ source }) => source)).toEqual(['b']);
    expect(changes()).toBe(4);
  });

  it('are gone when their gateway is silent for 2 s', async () => {
    const { clock, agents, list } = open();
    await list('a', {});
    clock.ns = 2_000_000_000n;
    expect(agents.all).toEqual([shown]);
    clock.ns++;
    expect(agents.all).toEqual([]);
  });

  it('have no more than a status holds: names, texts, numbers and agents are bounded', async () => {
    const { agents, list } = open();
    await list('\u001b[2J', {
      parts: [{ name: '__proto__', count: 1 }],
      files: [
        { name: 'json', path: `\u0007${'x'.repeat(100_000)}` },
        { name: 'Not a name', path: '' },
      ],
      speed: NaN,
    });
    const [agent] = agents.all;
    expect(agent).toMatchObject({ source: '\\u{1b}[2J', parts: {}, state: null });
    expect(agent?.files).toEqual({ json: `\\u{7}${'x'.repeat(63)}…` });
    for (let i = 0; i < 20; i++) {
      await list(`gateway ${i}`, ...Array.from({ length: 128 }, () => ({ has_state: false })));
    }
    expect(agents.all).toHaveLength(128);
    expect(new Set(agents.all.map(({ state }) => state)).size).toBe(1);
  });

  it('of a gateway that shows none are no news', async () => {
    const { list, changes } = open();
    await list('a');
    expect(changes()).toBe(0);
  });
});
