import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { RealVehicleClock } from '../../../../src/core/stop/vehicle-clock.js';
import { MS, only, S, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { path, stampsOf } from './stop-bench.js';

describe('the clock of a vehicle in real time', () => {
  const moment = (ns: bigint, setNs = 0n) => ({ steadyNs: ns, stampNs: T0 + ns + setNs });

  it('is that of the program, also where that drifts', () => {
    const clock = new RealVehicleClock();
    for (let ns = 0n; ns < 10n * S; ns += 50n * MS) {
      const now = moment(ns, ns / 100n);
      expect(clock.advanceTo(now)).toEqual(now);
    }
  });

  it('is behind by what that is set forward, until it is set, too', () => {
    const clock = new RealVehicleClock();
    clock.advanceTo(moment(0n));
    expect(clock.advanceTo(moment(S, 10n * S))).toEqual(moment(S));
    expect(clock.advanceTo(moment(2n * S, 13n * S))).toEqual(moment(2n * S));
    expect(clock.advanceTo(moment(3n * S))).toEqual(moment(3n * S));
    expect(clock.advanceTo(moment(4n * S, -S))).toEqual(moment(4n * S, -S));
  });

  it('is what the stamps of its states say', () => {
    const clock = new RealVehicleClock();
    clock.seen(T0 - 30n * MS, moment(0n));
    // This state was sent before its clock was set.
    expect(clock.seen(T0 + S - 40n * MS, moment(S, 10n * S))).toEqual(moment(S));
    expect(clock.seen(T0 + 2n * S - 200n * MS, moment(2n * S, 10n * S))).toEqual(moment(2n * S));
    const set = moment(3n * S, 10n * S);
    expect(clock.seen(set.stampNs - 25n * MS, set)).toEqual(set);
    expect(clock.advanceTo(moment(4n * S, 10n * S))).toEqual(moment(4n * S, 10n * S));
  });

  it('is not changed by a look at it', () => {
    const clock = new RealVehicleClock();
    clock.advanceTo(moment(0n));
    for (let ms = 1n; ms < 1000n; ms++) clock.momentOf(moment(ms * MS, (ms * MS) / 20n));
    expect(clock.advanceTo(moment(S, 10n * S))).toEqual(moment(S));
  });

  it('is behind where states have no stamps', () => {
    const clock = new RealVehicleClock();
    clock.seen(0n, moment(0n));
    expect(clock.seen(0n, moment(S, 10n * S))).toEqual(moment(S));
  });
});

const speedOf = (command: Command | undefined) =>
  command?.kind === 'pathTracking' ? command.message.speed : NaN;

/** The last command that holds at this time of the vehicle, by create or valid-after stamp. */
function obeyed(commands: readonly Command[], atNs: bigint, rank: 'create' | 'valid') {
  const valid = commands.filter((command) => stampsOf(command).valid <= atNs);
  const newest = valid.reduce<Command | undefined>((best, command) => {
    const isNewer = !best || stampsOf(command)[rank] >= stampsOf(best)[rank];
    return isNewer ? command : best;
  }, undefined);
  return speedOf(newest);
}

describe.each(['create', 'valid'] as const)('a vehicle that ranks commands by %s', (rank) => {
  const steps = [S, 10n * S, 3600n * S];
  const cases = steps.flatMap((setNs) =>
    [-500n, 200n].flatMap((beforeMs) => [true, false].map((sees) => ({ setNs, beforeMs, sees }))),
  );

  it.each(cases)(
    'is stopped though the clock of the program is set by $setNs ns, $beforeMs ms before the end of the commands, states: $sees',
    ({ setNs, beforeMs, sees }) => {
      const authority = new StopAuthority(
        { ...stops, profile: { ...stops.profile, timeoutNs: null } },
        50n * MS,
        'real',
      );
      const beginNs = 2n * S;
      const sent: Command[] = [];
      const act = (work: (effects: TestEffect[]) => void) => {
        const effects: TestEffect[] = [];
        work(effects);
        sent.push(...only(effects, 'commandVehicle').map(({ command }) => command));
      };
      for (let ns = 0n; ns <= 4n * S; ns += 10n * MS) {
        const isSet = ns >= beginNs - beforeMs * MS;
        const now = { steadyNs: ns, stampNs: T0 + ns + (isSet ? setNs : 0n) };
        if (sees && ns % (20n * MS) === 0n) {
          const speedMps = obeyed(sent, T0 + ns, rank);
          const pose = { x: 0, y: 0, yaw: 0 };
          authority.observe(1, { speedMps, pose, createStampNs: T0 + ns }, now);
        }
        if (ns < beginNs && ns % (50n * MS) === 0n) {
          const command = path(1, now.stampNs);
          authority.forwarded(command, now);
          sent.push(command);
        }
        if (ns === beginNs) act((effects) => authority.begin(1, now, effects));
        else if ((authority.nextAtNs ?? ns + 1n) <= ns) act((e) => authority.act(now, e));
        // A stop outranks a command that holds later by 1 ns.
        const speed = obeyed(sent, T0 + ns + 10n, rank);
        const passedS = Number(ns - beginNs) / 1e9;
        if (passedS >= 0) expect(speed).toBeLessThan(Math.max(0, 1.11 - 2 * passedS) + 0.01);
      }
    },
  );
});
