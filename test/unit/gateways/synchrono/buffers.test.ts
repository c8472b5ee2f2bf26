import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/gateways/refusal.js';
import { decodeBuffer } from '../../../../src/gateways/synchrono/protocol/decode-buffer.js';
import {
  BufferEncoder,
  type OwnAgent,
} from '../../../../src/gateways/synchrono/protocol/encode-buffer.js';
import { PeerMessages, type LeftOut } from './messages.js';
import { readAsOriginal } from './original-reader.js';

const files = { chassis: '', wheel: '', tire: '' };
const size = { wheelbase: 2, track: 1 };
const agent = { node: 2, agent: 1, x: 3, y: 4, yaw: Math.PI / 2, speed: -5, time: 0.25 };

describe('decodeBuffer', () => {
  it('reads descriptions and states of wheeled and tracked vehicles and copters', () => {
    const m = new PeerMessages();
    const described = decodeBuffer(
      m.buffer(
        m.wheeledDescription({ ...agent, parts: 6 }),
        m.trackedDescription({ ...agent, agent: 2, parts: 70 }),
        m.copterDescription({ ...agent, agent: 3, parts: 8 }, 'little_hexy.json'),
      ),
    );
    expect(described.descriptions).toMatchObject([
      {
        key: { node: 2, agent: 1 },
        kind: 'wheeled',
        files: { chassis_vis_file: 'sedan.obj', tire_vis_file: 'tire.obj' },
        parts: { wheels: 6 },
      },
      { kind: 'tracked', parts: { track_shoes: 70, sprockets: 70, idlers: 70, road_wheels: 70 } },
      { kind: 'copter', json: 'little_hexy.json', parts: { propellers: 8 } },
    ]);
    const n = new PeerMessages();
    const { states, quit } = decodeBuffer(
      n.buffer(
        n.wheeledState(agent),
        n.trackedState({ ...agent, agent: 2, parts: 3 }),
        n.copterState({ ...agent, agent: 3, yaw: -3, speed: 2 }),
      ),
    );
    expect(quit).toBe(false);
    expect(states.map(({ kind, parts }) => [kind, Object.values(parts)])).toEqual([
      ['wheeled', [4]],
      ['tracked', [3, 3, 3, 3]],
      ['copter', [4]],
    ]);
    expect(states[0]).toMatchObject({ time: 0.25, pose: { x: 3, y: 4 } });
    expect(states[0]?.pose.yaw).toBeCloseTo(Math.PI / 2, 12);
    expect(states[0]?.speed).toBeCloseTo(-5, 12);
    expect(states[2]?.pose.yaw).toBeCloseTo(-3, 12);
  });

  it('reads the end of the simulation, and nothing of other messages', () => {
    const m = new PeerMessages();
    const read = decodeBuffer(m.buffer(m.empty(3), m.empty(4), m.empty(5), m.empty(99), m.quit()));
    expect(read).toEqual({ descriptions: [], states: [], quit: true });
    const n = new PeerMessages();
    expect(decodeBuffer(n.buffer(n.quit(false))).quit).toBe(false);
    expect(decodeBuffer(new PeerMessages().buffer())).toMatchObject({ states: [], quit: false });
  });

  it.each<[LeftOut, string]>([
    ['message', 'a message is missing'],
    ['source_key', 'a source key is missing'],
    ['body', 'a state is missing'],
    ['chassis', 'a chassis is missing'],
    ['pos', 'a pos of a chassis is missing'],
    ['rot', 'a rot of a chassis is missing'],
    ['pos_dt', 'a pos_dt of a chassis is missing'],
  ])('refuses a state without its %s', (leftOut, cause) => {
    const m = new PeerMessages(leftOut);
    expect(() => decodeBuffer(m.buffer(m.wheeledState(agent)))).toThrow(new Refusal(cause));
  });

  it.each([
    [{ x: 1e8 }, 'out of range'],
    [{ speed: 1e5 }, 'out of range'],
    [{ x: NaN }, 'not finite'],
    [{ time: Infinity }, 'not finite'],
    [{ parts: 5000 }, 'has 5000 wheels'],
  ])('refuses a state with %o', (wrong, cause) => {
    const m = new PeerMessages();
    const bytes = m.buffer(m.wheeledState({ ...agent, ...wrong }));
    expect(() => decodeBuffer(bytes)).toThrow(cause);
  });

  it('refuses a description with a negative number of parts, or with a text that is too long', () => {
    const m = new PeerMessages();
    const negative = m.buffer(m.wheeledDescription({ ...agent, parts: -1 }));
    expect(() => decodeBuffer(negative)).toThrow('has -1 wheels');
    const n = new PeerMessages();
    const long = n.buffer(n.copterDescription(agent, 'x'.repeat(5000)));
    expect(() => decodeBuffer(long)).toThrow('longer than 1024 bytes');
  });

  it('refuses a wrong length, and each buffer that is cut off', () => {
    const m = new PeerMessages();
    const bytes = m.buffer(m.wheeledDescription(agent), m.wheeledState(agent));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeBuffer(bytes.subarray(0, length))).toThrow(Refusal);
      const cut = bytes.slice(0, Math.max(length, 4));
      new DataView(cut.buffer).setUint32(0, cut.length - 4, true);
      try {
        decodeBuffer(cut);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }
  });

  it.each([
    ['vtable', 100, 4],
    ['table', 4, 100],
    ['head of a vtable', 2, 4],
    ['head of a table', 4, 2],
  ])('refuses a %s that does not fit', (_, vtableSize, tableSize) => {
    const bytes = new Uint8Array(16);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 12, true);
    // The root table is at 8, and its vtable at 12.
    view.setUint32(4, 4, true);
    view.setInt32(8, -4, true);
    view.setUint16(12, vtableSize, true);
    view.setUint16(14, tableSize, true);
    expect(() => decodeBuffer(bytes)).toThrow(Refusal);
    view.setUint16(12, 4, true);
    view.setUint16(14, 4, true);
    expect(decodeBuffer(bytes)).toEqual({ descriptions: [], states: [], quit: false });
  });

  it('bounds the work for many offsets to the same table', () => {
    const m = new PeerMessages();
    const many = m.repeated(m.wheeledState(agent), 1025);
    expect(() => decodeBuffer(many)).toThrow('more than 1024 messages');
  });

  it('throws nothing but refusals for bytes that are changed anywhere', () => {
    const m = new PeerMessages();
    const good = m.buffer(m.wheeledDescription(agent), m.trackedState(agent), m.quit());
    for (let at = 0; at < good.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const bytes = good.slice();
        bytes[at] = value;
        try {
          decodeBuffer(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }
    }
  });
});

const finite = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
const ownAgent = fc.record<OwnAgent>({
  agent: fc.integer({ min: 1, max: 255 }),
  pose: fc.record({ x: finite, y: finite, yaw: fc.double({ noNaN: true, min: -10, max: 10 }) }),
  speed: fc.double({ noNaN: true, min: -50, max: 50 }),
  steering: fc.double({ noNaN: true, min: -1.5, max: 1.5 }),
});

describe('BufferEncoder', () => {
  it('sends nothing that crashes an original node', () => {
    fc.assert(
      fc.property(
        fc.array(ownAgent, { maxLength: 20 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.double({ noNaN: true, min: 0, max: 1e6 }),
        fc.string({ maxLength: 40 }),
        (agents, node, time, file) => {
          const encoder = new BufferEncoder(node, { chassis: file, wheel: '', tire: '' }, size);
          const ids = agents.map(({ agent: id }) => id);
          const described = readAsOriginal(encoder.descriptions(ids).slice());
          const states = readAsOriginal(encoder.states(agents, time).slice());
          expect(described.map(({ key }) => key)).toEqual(ids.map((id) => [node, id]));
          for (const { type, files: names, json } of described) {
            expect([type, names?.slice(1), json]).toEqual(['description', ['', ''], '']);
          }
          expect(states.map(({ key }) => key)).toEqual(ids.map((id) => [node, id]));
          for (const [index, state] of states.entries()) {
            expect(state.time).toBe(time);
            expect(state.wheels?.length).toBeLessThanOrEqual(described[index]?.numWheels ?? 0);
            for (const { pos, rot } of [state.chassis, ...(state.wheels ?? [])].flatMap(
              (p) => p ?? [],
            )) {
              expect([...pos, ...rot].every(Number.isFinite)).toBe(true);
              expect(Math.hypot(...rot)).toBeCloseTo(1, 9);
            }
          }
          expect(readAsOriginal(encoder.quit().slice())).toEqual([{ type: 'quit', key: [0, 0] }]);
        },
      ),
    );
  });

  it('places the wheels by wheelbase, track and steering, with the front left one first', () => {
    const encoder = new BufferEncoder(3, files, size);
    const pose = { x: 10, y: 20, yaw: Math.PI / 2 };
    const [state] = readAsOriginal(
      encoder.states([{ agent: 7, pose, speed: 2, steering: 0.5 }], 1.5).slice(),
    );
    const rounded = (numbers: readonly number[] = []) =>
      numbers.map((n) => Number(n.toFixed(9)) + 0);
    expect(rounded(state?.chassis?.pos)).toEqual([10, 20, 0]);
    expect(rounded(state?.chassis?.velocity)).toEqual([0, 2, 0]);
    expect(state?.wheels?.map(({ pos }) => rounded(pos))).toEqual([
      [9.5, 21, 0],
      [10.5, 21, 0],
      [9.5, 19, 0],
      [10.5, 19, 0],
    ]);
    const headings = state?.wheels?.map(({ rot }) => 2 * Math.atan2(rot[3] ?? 0, rot[0] ?? 0));
    expect(rounded(headings)).toEqual(
      rounded([pose.yaw + 0.5, pose.yaw + 0.5, pose.yaw, pose.yaw]),
    );
  });

  it('is read by the decoder of the gateway', () => {
    const encoder = new BufferEncoder(3, files, size);
    expect(decodeBuffer(encoder.descriptions([1, 2]).slice()).descriptions).toHaveLength(2);
    const pose = { x: 1, y: 2, yaw: 3 };
    const { states } = decodeBuffer(
      encoder.states([{ agent: 1, pose, speed: -4, steering: 0 }], 5).slice(),
    );
    expect(states).toMatchObject([{ key: { node: 3, agent: 1 }, time: 5, parts: { wheels: 4 } }]);
    expect(states[0]?.pose.yaw).toBeCloseTo(3, 12);
    expect(states[0]?.speed).toBeCloseTo(-4, 12);
    expect(decodeBuffer(encoder.quit().slice()).quit).toBe(true);
  });
});
