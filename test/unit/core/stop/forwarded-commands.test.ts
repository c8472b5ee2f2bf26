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
  // At the first moment no command was in force but the first, which is forgotten.
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
      expect(forwarded.pendingStamps(nowNs)).toEqual(pending);
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
  expect(forwarded.pendingStamps(1n)).toHaveLength(5000);
  for (const ms of [500n, 2500n, 4900n]) {
    const obeyed = forwarded.obeyed(ms * MS);
    expect(Number(ms * MS - (obeyed?.validFromNs ?? 0n))).toBeLessThan(Number(20n * MS));
  }
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
