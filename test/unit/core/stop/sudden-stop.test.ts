import { expect, it } from 'vitest';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { MS, S, stops } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { Follower, line, plan, promptly, slowly, softly, stepNs } from './place-follower.js';

const periodNs = 50n * MS;
const lazily = { gain: 1, lagS: 0.2, mostMps2: Infinity };
/** As hard as --braking-deceleration says by default. */
const barely = { ...promptly, mostMps2: 2 };

/** Drives on a straight line, and gets the commands to stand still at once: the way from there on, and back, m. */
function stopsAtOnce(
  speed: number,
  follows: typeof promptly,
  brakesAfterNs: bigint,
  ageNs: bigint,
) {
  const profile = { ...stops.profile, timeoutNs: null };
  const authority = new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const vehicle = new Follower(plan(line(speed), 0n, 2n * S), speed, follows, null, false);
  const prepared = { hangAfterNs: S, brakesAfterNs };
  const stopNs = 2n * S;
  let atOnce = vehicle.command;
  let [fromM, highestM, backM, fastest] = [0, 0, 0, 0];
  for (let nowNs = 0n; nowNs < stopNs + 8n * S; nowNs += stepNs) {
    const now = { steadyNs: nowNs, stampNs: T0 + nowNs };
    const pose = { x: vehicle.x, y: 0, yaw: 0 };
    authority.observe(1, { speedMps: vehicle.v, pose, createStampNs: now.stampNs }, now);
    if (nowNs < stopNs && nowNs % periodNs === 0n) {
      vehicle.command = plan(line(speed), nowNs, 2n * S);
      authority.forwarded(vehicle.command, now);
    }
    if (nowNs === stopNs - ageNs) {
      const stills = authority.standStill(1, now, prepared);
      atOnce = stills.find(({ occasion }) => occasion === 'atOnce')?.command ?? atOnce;
    }
    if (nowNs === stopNs) {
      vehicle.command = atOnce;
      fromM = vehicle.x;
    }
    vehicle.step(nowNs);
    highestM = Math.max(highestM, vehicle.x);
    if (nowNs > stopNs) {
      backM = Math.max(backM, highestM - vehicle.x);
      fastest = Math.max(fastest, vehicle.v);
    }
  }
  return { wayM: vehicle.x - fromM, backM, fastest };
}

/** How far vehicles are driven back at most that stop at once from this speed, m/s, by how they follow, m. */
const mostBackM = [
  { words: 'promptly', follows: promptly, backM: [0.03, 0.03, 0.04, 0.04] },
  { words: 'no harder than declared', follows: barely, backM: [0.04, 0.08, 0.16, 0.21] },
  { words: 'with a response of 0.1 s', follows: slowly, backM: [0.05, 0.07, 0.1, 0.1] },
  { words: 'with a response of 0.2 s', follows: softly, backM: [0.08, 0.13, 0.2, 0.21] },
  { words: 'with a low gain, too', follows: lazily, backM: [0.09, 0.16, 0.26, 0.31] },
];

it.each(mostBackM)('a vehicle that follows $words stops at once near its place', (row) => {
  for (const [i, speed] of [0.5, 1, 2, 2.7].entries()) {
    for (const longestMs of [0n, 80n]) {
      for (const ageMs of [0n, longestMs / 2n, longestMs, 2n * longestMs]) {
        const ways = stopsAtOnce(speed, row.follows, longestMs * MS, ageMs * MS);
        const words = `${speed} m/s, ${ageMs} of ${longestMs} ms old`;
        expect(ways.fastest, words).toBeLessThan(1.01 * speed);
        expect(ways.backM, words).toBeLessThan(row.backM[i] ?? 0);
        // With 2 m/s².
        expect(ways.wayM, words).toBeLessThan(
          speed * (0.05 + Number(longestMs) / 1000) + speed ** 2 / 4,
        );
      }
    }
  }
});
