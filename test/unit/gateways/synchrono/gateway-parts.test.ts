import { describe, expect, it } from 'vitest';
import { HeartbeatPace } from '../../../../src/gateways/synchrono/heartbeat-pace.js';
import { LabTime } from '../../../../src/gateways/synchrono/lab-time.js';
import {
  isMistakable,
  nodeName,
  nodeOf,
  nodeTopic,
} from '../../../../src/gateways/synchrono/protocol/node-topic.js';
import { describeAgent } from '../../../../src/gateways/synchrono/remote-agents.js';
import { WorkTimes } from '../../../../src/gateways/synchrono/work-times.js';

describe('the names of nodes', () => {
  it('are those of participants and topics', () => {
    expect(nodeName(12)).toBe('/syn/node/12.0');
    expect(nodeTopic(3)).toMatchObject({ name: '/syn/node/3.0', typeName: 'SynDDSMessage' });
    expect(['/syn/node/12.0', '/syn/node/0.0'].map(nodeOf)).toEqual([12, 0]);
    const others = [
      '/syn/node/1.1',
      '/syn/node/01.0',
      '/syn/node/x.0',
      'a/syn/node/1.0',
      '',
      undefined,
    ];
    expect(others.map(nodeOf)).toEqual(others.map(() => undefined));
  });

  it('may contain each other', () => {
    expect([isMistakable(11, 1), isMistakable(1, 11), isMistakable(11, 12)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isMistakable(1, 1)).toBe(false);
  });

  it('carry a buffer as a sequence of octets after a number', () => {
    const { codec } = nodeTopic(1);
    const bytes = codec.encode(Uint8Array.of(7, 8, 9));
    expect(Buffer.from(bytes).toString('hex')).toBe('000100000000000003000000070809');
    expect([...codec.decode(bytes)]).toEqual([7, 8, 9]);
    expect(() => codec.decode(bytes.subarray(0, 14))).toThrow('does not fit');
  });
});

it('an agent is described by its parts and files, which are printed without control characters', () => {
  const description = {
    key: { node: 2, agent: 1 },
    kind: 'wheeled',
    json: '',
    files: { chassis_vis_file: 'a\u001b[2Jb', wheel_vis_file: '', tire_vis_file: '' },
    parts: { wheels: 4 },
  } as const;
  const text = describeAgent({ description }, 10);
  expect(text).toMatch(/^agent 2\.1 \(wheeled: 4 wheels, a.*b\) is vehicle 10$/);
  expect(text).not.toContain('\u001b');
  expect(describeAgent({ description }, undefined)).toContain('has no vehicle id in --map');
});

describe('HeartbeatPace', () => {
  function openPace() {
    const armed: bigint[] = [];
    const pacer = { arm: (ns: bigint) => void armed.push(ns), onTick: () => undefined };
    return { armed, pace: new HeartbeatPace(pacer, 10n, () => undefined) };
  }

  it('begins a heartbeat one heartbeat after the last one, also when it was answered late', () => {
    const { armed, pace } = openPace();
    pace.begin(100n);
    pace.next(101n);
    pace.next(119n);
    pace.next(121n);
    expect(armed).toEqual([100n, 110n, 120n, 130n]);
  });

  it('makes up for one lost heartbeat at most', () => {
    const { armed, pace } = openPace();
    pace.begin(100n);
    pace.next(1000n);
    pace.next(1000n);
    pace.next(1000n);
    expect(armed).toEqual([100n, 990n, 1000n, 1010n]);
  });
});

describe('LabTime', () => {
  function openTime() {
    const calls: string[] = [];
    const time = new LabTime(10n, {
      open: () => calls.push('open'),
      answer: (beat) => calls.push(`answer ${beat}`),
    });
    const steps = time.steps('gateway');
    const step = async (nowNs: bigint) => {
      await steps.onStep(nowNs);
      return steps.nextStepNs?.(nowNs);
    };
    return { calls, time, step, sourceId: steps.sourceId };
  }

  it('takes two steps per heartbeat, the second one 1 ns later', async () => {
    const { calls, time, step, sourceId } = openTime();
    expect(sourceId).toBe('gateway');
    for (let beat = 0n; beat < 3n; beat++) {
      const opened = step(beat * 10n);
      expect(calls.at(-1)).toBe('open');
      time.passedOn();
      expect(await opened).toBe(beat * 10n + 1n);
      expect(await step(beat * 10n + 1n)).toBe((beat + 1n) * 10n);
      expect(calls.at(-1)).toBe(`answer ${beat}`);
    }
  });
});

it('WorkTimes adds the pieces of a heartbeat up, and counts nested pieces once', () => {
  let nowNs = 0n;
  const work = new WorkTimes(() => nowNs);
  const spend = (ms: number) => (nowNs += BigInt(ms * 1e6));
  expect(work.text).toBeUndefined();
  for (const last of [3, 5]) {
    work.measure(() => spend(1));
    spend(100);
    work.measure(() => {
      work.measure(() => {
        spend(last);
        work.endHeartbeat();
      });
      spend(1);
    });
  }
  expect(work.text).toBe('heartbeats: 2; work per heartbeat: p50 5.000 ms, p99 5.000 ms');
});
