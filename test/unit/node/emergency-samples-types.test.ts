import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/core/index.js';
import { StopAuthority } from '../../../src/core/stop/stop-authority.js';
import type { EmergencySample } from '../../../src/dds/index.js';
import { commandStampOffsets, topics } from '../../../src/messages/index.js';
import { EmergencySamples } from '../../../src/node/middleware/emergency-samples.js';
import type { TransportWriter } from '../../../src/ports/index.js';
import { path } from '../core/stop/stop-bench.js';
import { base, MS, S, stops } from '../core/support.js';
import { stopIn } from './set-samples.js';

const stampNs = 1_700_000_000n * S;

/** Vehicle 1 and its emergency samples, by the rules of the stop. */
class Driven {
  nowNs = 0n;
  readonly #set = new Map<number, EmergencySample>();
  readonly #directs = {} as TransportWriter;
  readonly #authority = new StopAuthority(stops, 50n * MS, 'real');
  readonly #samples = new EmergencySamples({
    emergencyStop: stopIn(this.#set),
    standStill: (steadyNs, ids, prepared) =>
      ids.flatMap((id) => {
        const now = { steadyNs, stampNs: stampNs + steadyNs };
        return this.#authority.standStill(id, now, { ...prepared, hangAfterNs: S });
      }),
    writerOf: (kind) => (kind === 'direct' ? this.#directs : ({} as TransportWriter)),
    triggers: {} as TransportWriter,
    nowNs: () => this.nowNs,
    simulatedTime: false,
  });

  forward(command: Command): void {
    this.#authority.forwarded(command, { steadyNs: this.nowNs, stampNs: stampNs + this.nowNs });
    this.#samples.commanded(command);
    this.#samples.cover();
  }

  /** A throttle of now, which holds in so long. */
  throttle(inNs = 0n): void {
    const head = base(1, stampNs + this.nowNs, stampNs + this.nowNs + inNs);
    this.forward({ kind: 'direct', message: { ...head, motor_throttle: 1, steering_servo: 0 } });
  }

  /** Paths in each period of 50 ms, which hold in so long. */
  followPaths(untilNs: bigint, speedMps: number, inNs = 0n): void {
    for (; this.nowNs <= untilNs; this.nowNs += 50n * MS) {
      this.forward(path(speedMps, stampNs + this.nowNs, stampNs + this.nowNs + inNs));
      const motion = { speedMps, pose: { x: 0, y: 0, yaw: 0 }, createStampNs: 0n };
      this.#authority.observe(1, motion, {
        steadyNs: this.nowNs,
        stampNs: stampNs + this.nowNs,
      });
      this.#samples.refresh(this.nowNs);
    }
  }

  get #throttles(): EmergencySample[] {
    return [...this.#set.values()].filter(({ writer }) => writer === this.#directs);
  }

  /** From when on the samples of throttle hold that are written now, ms from now. */
  get throttlesFromMs(): number[] {
    return this.#throttles.map(({ bytes, patches }) => {
      const patch = patches.find(({ offset }) => offset === commandStampOffsets.validAfter);
      const { header } = topics.vehicleCommandDirect.codec.decode(bytes);
      const fixedNs = header.valid_after_stamp.nanoseconds - stampNs - this.nowNs;
      return Number(patch?.deltaNs ?? fixedNs) / 1e6;
    });
  }
}

describe('the emergency samples of a type whose commands wait for their time', () => {
  it('hold from the time of its commands on, not from that of commands of another type', () => {
    const driven = new Driven();
    driven.followPaths(S, 1, 100n * MS);
    driven.throttle(900n * MS);
    driven.throttle(930n * MS);
    driven.followPaths(driven.nowNs + 50n * MS, 1, 100n * MS);
    const fromMs = driven.throttlesFromMs;
    // They are 100 ms nearer by now.
    expect(Math.min(...fromMs)).toBeGreaterThan(799);
    expect(fromMs.map((ms) => Math.round(ms))).toEqual(expect.arrayContaining([800, 830]));
  });

  it('outrank its first command, however near that is', () => {
    const driven = new Driven();
    driven.followPaths(S, 1, 500n * MS);
    driven.throttle(30n * MS);
    expect(driven.throttlesFromMs.map((ms) => Math.round(ms))).toContain(30);
  });
});

describe('the emergency samples of a type that the vehicle has left', () => {
  it('hold once the vehicle stands, not from the time of a command of another type on', () => {
    const driven = new Driven();
    driven.throttle();
    driven.followPaths(2n * S, 2, 100n * MS);
    // It needs 1 s for braking from 2 m/s.
    expect(driven.throttlesFromMs.length).toBeGreaterThan(0);
    expect(Math.min(...driven.throttlesFromMs)).toBeGreaterThan(1000);
  });

  it('hold at once again with its next command', () => {
    const driven = new Driven();
    driven.throttle();
    driven.followPaths(2n * S, 2, 100n * MS);
    driven.throttle();
    expect(driven.throttlesFromMs).toContain(0);
  });

  it('hold at once where the vehicle stands, unless a command that is to come drives it', () => {
    const driven = new Driven();
    driven.throttle();
    driven.followPaths(2n * S, 0);
    expect(Math.max(...driven.throttlesFromMs)).toBe(0);
    driven.forward(path(2, stampNs + driven.nowNs, stampNs + driven.nowNs + 300n * MS));
    driven.followPaths(driven.nowNs, 0);
    expect(Math.min(...driven.throttlesFromMs)).toBeGreaterThan(0);
  });
});
