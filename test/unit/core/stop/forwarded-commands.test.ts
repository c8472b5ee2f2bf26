import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpmLabVehicle } from '../../../../src/core/index.js';
import { ForwardedCommands } from '../../../../src/core/stop/forwarded-commands.js';
import { MS, S, speedCommand } from '../support.js';

const T0 = 1_700_000_000n * S;
const timeoutNs = 400n * MS;
const profile = { ...cpmLabVehicle, timeoutNs };

/** Milliseconds that pass before a command is forwarded, and its valid-after stamp relative to then. */
const step = fc.record({
  passMs: fc.bigInt({ min: 0n, max: 120n }),
  aheadMs: fc.oneof(fc.constant(0n), fc.bigInt({ min: -50n, max: 300n })),
});

it('forgets no command that a vehicle obeys now or later', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.bigInt({ min: 0n, max: 1000n }),
      (steps, laterMs) => {
        const forwarded = new ForwardedCommands(profile);
        const all: { number: bigint; validFromNs: bigint }[] = [];
        let nowNs = 0n;
        for (const { passMs, aheadMs } of steps) {
          nowNs += passMs * MS;
          // The create stamp distinguishes the commands.
          const number = BigInt(all.length);
          const command = speedCommand(1, number, T0 + nowNs + aheadMs * MS);
          forwarded.add(command, { steadyNs: nowNs, stampNs: T0 + nowNs });
          all.push({ number, validFromNs: nowNs + (aheadMs > 0n ? aheadMs * MS : 0n) });
        }
        const thenNs = nowNs + laterMs * MS;
        const current = all.findLast(({ validFromNs }) => validFromNs <= thenNs) ?? all.at(-1);
        const newest = forwarded.newest('speedCurvature', thenNs);
        expect(newest?.command.message.header.create_stamp.nanoseconds).toBe(current?.number);
        const inForce = all.some(({ validFromNs }) => thenNs <= validFromNs + timeoutNs);
        expect(forwarded.kindsInForce(thenNs)).toEqual(inForce ? ['speedCurvature'] : []);
        const pending = all.some(({ validFromNs }) => validFromNs > thenNs);
        expect(forwarded.hasPending(thenNs)).toBe(pending);
      },
    ),
  );
});

it('keeps the commands of the past no longer than a newer one replaces them', () => {
  const forwarded = new ForwardedCommands(profile);
  const moments = [0n, 50n, 100n].map((ms) => ({ steadyNs: ms * MS, stampNs: T0 + ms * MS }));
  for (const at of moments) forwarded.add(speedCommand(1, at.stampNs), at);
  // At the first moment only the first command was in force, and that one is forgotten.
  expect(forwarded.newest('speedCurvature', 0n)?.validFromNs).toBe(100n * MS);
});

it('forgets no stamp of a command that waits for its time, however many there are', () => {
  const burst = fc.record({
    passMs: fc.bigInt({ min: 0n, max: 300n }),
    count: fc.integer({ min: 1, max: 400 }),
    spacingMs: fc.bigInt({ min: 0n, max: 5n }),
  });
  fc.assert(
    fc.property(fc.array(burst, { minLength: 1, maxLength: 8 }), (bursts) => {
      const forwarded = new ForwardedCommands(profile);
      const stamps = new Set<bigint>();
      let nowNs = 0n;
      for (const { passMs, count, spacingMs } of bursts) {
        nowNs += passMs * MS;
        for (let i = 0n; i < count; i++) {
          const validNs = T0 + nowNs + i * spacingMs * MS;
          stamps.add(validNs);
          forwarded.add(speedCommand(1, i, validNs), { steadyNs: nowNs, stampNs: T0 + nowNs });
        }
      }
      const pending = [...stamps].filter((stampNs) => stampNs > T0 + nowNs);
      pending.sort((a, b) => Number(b - a));
      expect(forwarded.pendingStamps(nowNs, 0, 0n)).toEqual(pending.slice(-1024));
    }),
    { numRuns: 30 },
  );
});

it('knows about what a vehicle obeys where more commands wait than are kept', () => {
  const forwarded = new ForwardedCommands(profile);
  forwarded.add(speedCommand(1, T0), { steadyNs: 0n, stampNs: T0 });
  for (let ms = 1n; ms <= 5000n; ms++) {
    forwarded.add(speedCommand(1, T0 + ms, T0 + ms * MS), { steadyNs: 1n, stampNs: T0 + 1n });
  }
  expect(forwarded.obeyed(1n)?.validFromNs).toBe(0n);
  const seen = [0n, 1000n, 2000n, 3000n, 4000n].flatMap((ms) =>
    forwarded.pendingStamps(ms * MS, 0, 0n),
  );
  expect(new Set(seen).size).toBe(5000);
  for (const ms of [500n, 2500n, 4900n]) {
    const obeyed = forwarded.obeyed(ms * MS);
    expect(Number(ms * MS - (obeyed?.validFromNs ?? 0n))).toBeLessThan(Number(20n * MS));
  }
});

it('keeps the nearest times of a flood of commands far ahead, in any order', () => {
  const forwarded = new ForwardedCommands(profile);
  const at = { steadyNs: 0n, stampNs: T0 };
  const count = 100_000n;
  // 7919 has no factor in common with the count: each time comes once.
  for (let i = 0n; i < count; i++) forwarded.awaits(T0 + ((i * 7919n) % count) * MS, at);
  const timesNs: bigint[] = [];
  for (let nowNs = 0n; ; nowNs = (timesNs.at(-1) ?? T0) - T0) {
    const next = forwarded.pendingStamps(nowNs, 0, 0n).reverse();
    if (next.length === 0) break;
    timesNs.push(...next);
  }
  const nearest = Array.from({ length: 16_384 }, (_, i) => T0 + BigInt(i + 1) * MS);
  expect(timesNs.slice(0, nearest.length)).toEqual(nearest);
  expect(timesNs.length).toBeLessThanOrEqual(2 * nearest.length);
  // Those after them are forgotten, not that they wait.
  expect(forwarded.hasPending((count - 2n) * MS)).toBe(true);
});

it('gives a time once, and again when it is near or a command came anew', () => {
  const forwarded = new ForwardedCommands(profile);
  const at = { steadyNs: 0n, stampNs: T0 };
  for (const s of [1n, 2n, 3n]) forwarded.awaits(T0 + s * S, at);
  const { lastPending } = forwarded;
  expect(forwarded.pendingStamps(0n, lastPending, T0)).toEqual([]);
  expect(forwarded.pendingStamps(0n, lastPending, T0 + S)).toEqual([T0 + S]);
  // The same stamp, with clocks that were read 1 µs apart.
  forwarded.awaits(T0 + 2n * S, { steadyNs: 1000n, stampNs: T0 });
  expect(forwarded.pendingStamps(0n, lastPending, T0)).toEqual([T0 + 2n * S]);
  expect(forwarded.pendingStamps(0n, 0, T0)).toEqual([3n, 2n, 1n].map((s) => T0 + s * S));
});

it('has the command with the newest create stamp as the one that is obeyed', () => {
  const forwarded = new ForwardedCommands(profile);
  const at = (ms: bigint) => ({ steadyNs: ms * MS, stampNs: T0 + ms * MS });
  const obeyedNs = (ms: bigint) =>
    forwarded.obeyed(ms * MS)?.command.message.header.create_stamp.nanoseconds;
  forwarded.add(speedCommand(1, T0), at(0n));
  forwarded.add(speedCommand(1, T0 - 30n * MS), at(10n));
  expect(obeyedNs(20n)).toBe(T0);
  // The wall clock went back by an hour: an older stamp counts again.
  forwarded.add(speedCommand(1, T0 - 3600n * S), at(1100n));
  expect(obeyedNs(1100n)).toBe(T0 - 3600n * S);
});
