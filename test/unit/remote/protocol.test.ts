import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decodeReply,
  decodeRequest,
  encodeLine,
  stamped,
  type ControlReply,
  type ControlRequest,
  type RemoteAgentStatus,
} from '../../../src/remote/protocol.js';
import { HlcError } from '../../../src/errors/index.js';

const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

const anyRequest: fc.Arbitrary<ControlRequest> = fc.oneof(
  fc.constantFrom<ControlRequest>(
    { command: 'pause' },
    { command: 'resume' },
    { command: 'status' },
    { command: 'stop' },
  ),
  fc.record({
    command: fc.constant('resume' as const),
    ids: fc.array(fc.nat(255), { maxLength: 256 }),
  }),
  fc.record({ command: fc.constant('step' as const), count: fc.integer({ min: 1 }) }),
  fc.record({ command: fc.constant('runUntil' as const), time_ns: time }),
);

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const anyAgent: fc.Arbitrary<RemoteAgentStatus> = fc.record({
  source: fc.string(),
  node: fc.integer(),
  agent: fc.integer(),
  kind: fc.constantFrom('wheeled', 'tracked', 'copter'),
  vehicle_id: fc.option(fc.nat(255)),
  parts: fc.record({ wheels: fc.nat() }),
  files: fc.record({ chassis_vis_file: fc.string() }),
  state: fc.option(fc.record({ x: number, y: number, yaw: number, speed: number })),
});

const anyReply: fc.Arbitrary<ControlReply> = fc.oneof(
  fc.record({ ok: fc.constant(false as const), code: fc.string(), message: fc.string() }),
  fc.record({
    ok: fc.constant(true as const),
    status: fc.record({
      node_id: fc.string({ unit: 'grapheme' }),
      pid: fc.integer({ min: 1 }),
      time_mode: fc.constantFrom('real' as const, 'simulated' as const),
      phase: fc.string(),
      time_ns: fc.option(time),
      period_ns: fc.option(time),
      start_signals: fc.nat(),
      controllers: fc.array(
        fc.record({
          id: fc.nat(255),
          state: fc.string(),
          latched: fc.boolean(),
          stopping: fc.boolean(),
          replies: fc.nat(),
          misses: fc.nat(),
        }),
      ),
      remote_agents: fc.option(fc.array(anyAgent, { maxLength: 4 }), { nil: undefined }),
    }),
  }),
);

describe('the protocol of the control socket', () => {
  it('gives every request back that was encoded', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(decodeRequest(encodeLine(request).trimEnd())).toEqual(request);
      }),
    );
  });

  it('keeps the instant of a request that lets vehicles move, but none that is to come', () => {
    const resume: ControlRequest = { command: 'resume' };
    expect(stamped(resume, 7n)).toEqual({ ...resume, asked_at_ns: 7n });
    expect(stamped({ ...resume, asked_at_ns: 3n }, 7n)).toEqual({ ...resume, asked_at_ns: 3n });
    expect(stamped({ ...resume, asked_at_ns: 9n }, 7n)).toEqual({ ...resume, asked_at_ns: 7n });
    expect(stamped({ command: 'stop' }, 7n)).toEqual({ command: 'stop' });
  });

  it('gives every reply back that was encoded', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        expect(decodeReply(encodeLine(reply).slice(0, -1), 'a.sock')).toEqual(reply);
      }),
    );
  });

  it('puts a message on one line', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        expect(encodeLine(reply).split('\n')).toEqual([expect.any(String), '']);
      }),
    );
  });

  it('writes times as text, since they have 64 bits', () => {
    const request = { command: 'runUntil', time_ns: 9_007_199_254_740_993n } as const;
    expect(encodeLine(request)).toBe('{"command":"runUntil","time_ns":"9007199254740993"}\n');
  });

  it.each([
    ['', 'it is no JSON'],
    ['{"command":"pause"', 'it is no JSON'],
    ['"pause"', 'Invalid input: expected object, received string'],
    ['{"command":"halt"}', 'command: '],
    ['{"command":"step"}', 'count: '],
    ['{"command":"step","count":0}', 'count: '],
    ['{"command":"step","count":1.5}', 'count: '],
    ['{"command":"step","count":1,"time":2}', 'Unrecognized key: "time"'],
    ['{"command":"runUntil","time_ns":5}', 'time_ns: '],
    ['{"command":"runUntil","time_ns":"-5"}', 'time_ns: '],
    ['{"command":"runUntil","time_ns":"9223372036854775808"}', 'time_ns: '],
  ])('refuses the request %s', (line, cause) => {
    const refusal = expect.objectContaining({
      code: 'HLC_CONTROL_REQUEST',
      message: expect.stringContaining(`The request is not understood (${cause}`) as string,
    }) as HlcError;
    expect(() => decodeRequest(line)).toThrow(refusal);
  });

  it('takes any line for a request or refuses it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        try {
          decodeRequest(line);
        } catch (error) {
          expect(error).toBeInstanceOf(HlcError);
        }
      }),
    );
  });

  it('reads a status that holds more than it knows', () => {
    const line =
      '{"ok":true,"status":{"node_id":"m","pid":9,"time_mode":"real","phase":"running","time_ns":null,"period_ns":"5","start_signals":0,"controllers":[],"lag":1}}';
    expect(decodeReply(line, 'a.sock')).toMatchObject({ ok: true, status: { period_ns: 5n } });
  });

  it('refuses a reply without a status', () => {
    expect(() => decodeReply('{"ok":true}', 'a.sock')).toThrow(
      /^The middleware at the control socket a\.sock gave no usable answer \(status: /,
    );
  });
});
