import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentList } from '../../../../src/gateways/synchrono/agent-list.js';
import type { RemoteAgent } from '../../../../src/gateways/synchrono/remote-agents.js';
import { RemoteAgentKind, topics, type RemoteAgentList } from '../../../../src/messages/index.js';
import { InMemoryNetwork } from '../../../support/in-memory-transport.js';
import { recordErrors } from '../../sides/sides.js';

function agentOf(agent: number): RemoteAgent {
  return {
    description: {
      key: { node: 1, agent },
      kind: 'tracked',
      json: '',
      files: { chassis_vis_file: 'a\u001bb', track_shoe_vis_file: '' },
      parts: { track_shoes: 126, sprockets: 2 },
    },
    state: undefined,
    distance: 0,
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function open() {
  const network = new InMemoryNetwork();
  const lists: RemoteAgentList[] = [];
  network
    .join()
    .createReader(
      topics.remoteAgentList,
      { reliability: { kind: 'reliable' } },
      { onSample: ({ bytes }) => lists.push(topics.remoteAgentList.codec.decode(bytes)) },
    );
  const lines: string[] = [];
  const list = new AgentList({
    transport: network.join(),
    sourceId: 'synchrono_gateway_3',
    vehicleOf: ({ description }) => (description.key.agent === 1 ? 10 : undefined),
    errors: recordErrors(),
    log: (text) => lines.push(text),
  });
  /** The lists of the next second. */
  const second = async () => {
    lists.length = 0;
    await vi.advanceTimersByTimeAsync(1000);
    await network.idle();
    return [...lists];
  };
  return { list, lines, second, lists, network };
}

describe('the list of agents', () => {
  it('is repeated while there are agents, and written once without any', async () => {
    const { list, second, lists, network } = open();
    expect(await second()).toEqual([]);
    const agent = agentOf(1);
    list.add(agentOf(2));
    list.add(agent);
    const first = await second();
    expect(first).toHaveLength(5);
    const described = {
      node: 1,
      kind: RemoteAgentKind.Tracked,
      parts: [
        { name: 'track_shoes', count: 126 },
        { name: 'sprockets', count: 2 },
      ],
      files: [{ name: 'chassis_vis_file', path: 'a\\u{1b}b' }],
      has_state: false,
      pose: { x: 0, y: 0, yaw: 0 },
      speed: 0,
    };
    expect(first[0]).toEqual({
      source_id: 'synchrono_gateway_3',
      agents: [
        { ...described, agent: 1, is_vehicle: true, vehicle_id: 10 },
        { ...described, agent: 2, is_vehicle: false, vehicle_id: 0 },
      ],
    });
    const { key, kind } = agent.description;
    agent.state = { key, kind, time: 1, pose: { x: 4, y: 5, yaw: 1 }, speed: 2, parts: {} };
    expect((await second())[0]?.agents[0]).toMatchObject({
      has_state: true,
      pose: { x: 4, y: 5, yaw: 1 },
      speed: 2,
    });
    list.remove(agent);
    expect((await second())[0]?.agents.map(({ agent }) => agent)).toEqual([2]);
    lists.length = 0;
    list.close();
    await network.idle();
    expect(lists).toMatchObject([{ agents: [] }]);
    expect(await second()).toEqual([]);
  });

  it('has the first 128 agents, and says so once', async () => {
    const { list, lines, second } = open();
    for (let i = 1; i <= 130; i++) list.add(agentOf(i));
    expect((await second())[0]?.agents).toHaveLength(128);
    expect(lines).toEqual(['the status of the lab shows the first 128 agents only']);
    list.close();
  });
});
