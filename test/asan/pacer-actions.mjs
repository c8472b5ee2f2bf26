// What the program of test/asan does to pacers: see actions.mjs.

import assert from 'node:assert/strict';
import process from 'node:process';
import { sampleFor } from './traffic.mjs';

// No program listens there, so each message is refused.
process.env.NOTIFY_SOCKET = '@hlc-middleware-test-asan';
process.env.WATCHDOG_USEC = '4000';

const maxPacers = 3;
const ms = 1_000_000n;

/**
 * @typedef {import('./traffic.mjs').Random} Random
 * @typedef {import('../../src/dds/index.js').DdsContext} Context
 * @typedef {import('../../src/dds/index.js').DdsWriter} Writer
 * @typedef {import('../../src/dds/index.js').Pacer} Pacer
 */

/** @type {Pacer[]} */
let pacers = [];
/** Rises over all plans. */
let index = 0;

/** @param {Random} random @param {number} below ms, in steps of a microsecond */
const upTo = (random, below) => BigInt(random(below * 1000)) * 1000n;

/** @param {Random} random @param {Writer} writer */
function stampedSample(random, writer) {
  const bytes = sampleFor(writer.topic.name, random).subarray(0, 64 * 1024);
  // Anywhere, so that some are no samples of the type any more.
  const offset = 4 + random(Math.max(1, bytes.length - 11));
  const patches = bytes.length < 12 || random(4) === 0 ? [] : [{ offset, deltaNs: ms }];
  return { writer, bytes, patches, floorNs: 0n };
}

/** The context is closed, and they with it. @param {(use: () => unknown) => void} refused */
export function useClosedPacers(refused) {
  for (const pacer of pacers) {
    pacer.close();
    refused(() => pacer.arm(0n));
    refused(() => pacer.timedWriter.cancel());
    refused(() => pacer.emergencyStop.beat());
    refused(() => pacer.stopRamps.remove(0));
    refused(() => pacer.statusBeacon.set(undefined, ms));
    refused(() => pacer.watchdog.feed());
    assert.equal(pacer.emergencyStop.sendBlocking(ms, ms), 0);
  }
  pacers = [];
}

/**
 * @param {(what: string) => unknown} count
 * @param {(random: Random) => Writer | undefined} openWriter
 * @returns {Record<string, [weight: number, (context: Context, random: Random) => void]>}
 */
export function pacerActions(count, openWriter) {
  /** @param {(pacer: Pacer, random: Random) => void} act @returns {(_: Context, random: Random) => void} */
  const withPacer = (act) => (_, random) => {
    const pacer = pacers[random(pacers.length)];
    if (pacer !== undefined) act(pacer, random);
  };
  /** @param {(pacer: Pacer, random: Random, writer: Writer) => void} act */
  const withWriter = (act) =>
    withPacer((pacer, random) => {
      const writer = openWriter(random);
      if (writer !== undefined) act(pacer, random, writer);
    });
  return {
    createPacer: [
      4,
      (open) => {
        if (pacers.length >= maxPacers) return;
        const pacer = open.createPacer();
        pacer.onTick(() => count('tick'));
        pacer.timedWriter.onSent(() => count('slot sent'));
        pacer.emergencyStop.onSentByHang(() => count('stop by hang'));
        pacers.push(pacer);
      },
    ],
    closePacer: [
      1,
      (_, random) => {
        const [pacer] = pacers.splice(random(pacers.length), 1);
        pacer?.close();
      },
    ],
    arm: [
      6,
      (open, random) => {
        const pacer = pacers[random(pacers.length)];
        pacer?.arm(open.clocks.monotonicNs() + upTo(random, 4) - ms);
      },
    ],
    disarm: [3, withPacer((pacer) => pacer.disarm())],
    schedule: [
      12,
      (open, random) =>
        withWriter((pacer, _, writer) => {
          const { bytes, patches } = stampedSample(random, writer);
          const nowNs = open.clocks.monotonicNs();
          const notAfterNs = nowNs + upTo(random, 20);
          const slot = { index, notBeforeNs: nowNs, notAfterNs, value: BigInt(index) };
          const repeats = { count: random(6), everyNs: ms, delayNs: upTo(random, 3) };
          index += 1 + repeats.count;
          const patchOffset = patches[0]?.offset ?? 0;
          if (bytes.length < 8) return;
          pacer.timedWriter.schedule({ plan: index, writer, bytes, patchOffset, slot, repeats });
          assert.ok(pacer.timedWriter.lastIndex() < index);
        })(open, random),
    ],
    cancelPlan: [3, withPacer((pacer) => pacer.timedWriter.cancel())],
    setEmergencySample: [
      6,
      withWriter((pacer, random, writer) => {
        const sample = random(4) === 0 ? undefined : stampedSample(random, writer);
        pacer.emergencyStop.set(random(4), sample);
      }),
    ],
    setRamp: [
      6,
      withWriter((pacer, random, writer) => {
        const key = random(4);
        const sample = stampedSample(random, writer);
        const speedOffset = 4 + random(Math.max(1, sample.bytes.length - 11));
        if (random(4) === 0 || sample.bytes.length < 12) {
          pacer.stopRamps.remove(key);
          return;
        }
        const ramp = {
          sample,
          speedOffset,
          speedMps: random(9) - 4,
          brakingMps2: 1 + random(1000),
        };
        const times = { afterNs: upTo(random, 10), repeatNs: upTo(random, 2) + 1n };
        pacer.stopRamps.set(key, ramp, { ...times, restNs: upTo(random, 4) });
      }),
    ],
    sendBlocking: [
      2,
      withPacer((pacer, random) => {
        if (pacer.emergencyStop.sendBlocking(upTo(random, 2), upTo(random, 4)) > 0) count('stop');
      }),
    ],
    armHangGuard: [
      3,
      withPacer((pacer, random) => {
        const afterNs = random(4) === 0 ? 0n : upTo(random, 20) + 1n;
        const [repeatNs, durationNs] = [upTo(random, 2), upTo(random, 10)];
        pacer.emergencyStop.armHangGuard({ afterNs, repeatNs, durationNs });
      }),
    ],
    beat: [6, withPacer((pacer) => pacer.emergencyStop.beat())],
    hang: [
      1,
      (_, random) => {
        const end = performance.now() + random(30);
        while (performance.now() < end);
      },
    ],
    setBeacon: [
      3,
      withWriter((pacer, random, writer) => {
        const sample = random(4) === 0 ? undefined : stampedSample(random, writer);
        pacer.statusBeacon.set(sample, upTo(random, 5) + 1000n);
      }),
    ],
    feedWatchdog: [1, withPacer((pacer) => pacer.watchdog.feed())],
  };
}
