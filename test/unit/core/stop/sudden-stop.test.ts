import { expect, it } from 'vitest';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { MS, S, stops } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { Follower, line, plan, promptly, slowly, softly, stepNs } from './place-follower.js';

const periodNs = 50n * MS;
const lazily = { gain: 1, lagS: 0.2, mostMps2: Infinity };

/** Drives on a straight line, and gets the commands to stand still at once: the way from there on, and back, m. */
function stopsAtOnce(speed: number, follows: typeof promptly, restsAheadNs: bigint, ageNs: bigint) {
  const profile = { ...stops.profile, timeoutNs: null };
  const authority = new StopAuthority({ ...stops, profile }, periodNs, 'real');
  const vehicle = new Follower(plan(line(speed), 0n, 2n * S), speed, follows, null, false);
  const prepared = { hangAfterNs: S, restsAheadNs };
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

it.each([
  [0.5, 0.1],
  [1, 0.1],
  [2, 0.1],
  // With at most 4 m/s² it cannot come to rest there.
  [2.7, 0.4],
])('a place at which %s m/s end at once is passed by less than %s m', (speed, mostM) => {
  for (const follows of [promptly, slowly, softly, lazily]) {
    for (const longestMs of [0n, 80n, 100n]) {
      for (const ageMs of [0n, longestMs / 2n, longestMs]) {
        const ways = stopsAtOnce(speed, follows, longestMs * MS, ageMs * MS);
        const words = `gain ${follows.gain}, ${follows.lagS} s, ${ageMs} of ${longestMs} ms old`;
        expect(ways.fastest, words).toBeLessThan(1.01 * speed);
        expect(ways.backM, words).toBeLessThan(mostM);
        // With 2 m/s².
        expect(ways.wayM, words).toBeLessThan(
          speed * (0.1 + Number(longestMs) / 1000) + speed ** 2 / 4,
        );
      }
    }
  }
});
