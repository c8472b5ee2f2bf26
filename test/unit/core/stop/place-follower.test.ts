import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MS, S } from '../support.js';
import { driven, promptly, slowly, softly, stepNs, toAndFro } from './place-follower.js';

describe('a stop of a vehicle that follows places', () => {
  it.each(['none', 'stop', 'freeze', 'jump', 'late'] as const)(
    'never drives it back, and brings it to rest in time, with states of the fault %s',
    (fault) => {
      const drive = fc.record({
        speed: fc.double({ min: 0.3, max: 3, noNaN: true }),
        faultyNs: fc.bigInt({ min: 1n, max: 400n }).map((steps) => steps * stepNs),
        stateNs: fc.constantFrom(4n, 5n, 10n).map((steps) => steps * stepNs),
      });
      fc.assert(
        fc.property(drive, ({ speed, faultyNs, stateNs }) => {
          const { backM, wayM, restS } = driven({ fault, speed, faultyNs, stateNs });
          expect(backM).toBeLessThan(0.1);
          // A response of the vehicle and of its repeats; 2 m/s² are the rest.
          expect(wayM).toBeLessThan(speed * 0.2 + speed ** 2 / 4 + 0.05);
          expect(restS).toBeLessThan(speed / 2 + 1);
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(['freezePlace', 'elsewhere'] as const)(
    'believes no place again that its states contradicted as they failed, with the fault %s',
    (fault) => {
      for (let steps = 1n; steps < 28n; steps++) {
        for (const speed of [0.5, 1, 2]) {
          const drive = { fault, speed, faultyNs: steps * 10n * MS, stateNs: 20n * MS };
          const { backM, restS } = driven(drive);
          // Poses stand still for some cm before that shows.
          expect(backM).toBeLessThan(0.15);
          expect(restS).toBeLessThan(speed / 2 + 1);
        }
      }
    },
  );

  it.each(['stop', 'jump', 'freeze'] as const)(
    'hardly drives a slow follower back, with states of the fault %s',
    (fault) => {
      for (const faultyMs of [5n, 20n, 50n, 100n, 200n, 400n]) {
        for (const speed of [0.5, 1, 2]) {
          const drive = { fault, speed, faultyNs: faultyMs * MS, stateNs: 20n * MS };
          const { turnedMps, restS } = driven({ ...drive, follows: slowly });
          // It counts as standing below 0.05 m/s.
          expect(turnedMps).toBeLessThan(0.05);
          expect(restS).toBeLessThan(speed / 2 + 0.2);
        }
      }
    },
  );

  it('believes no place to which the states have jumped, however long before the stop', () => {
    for (const faultyMs of [50n, 310n, 400n, 1000n, 5000n]) {
      const drive = { fault: 'elsewhere', speed: 1, faultyNs: faultyMs * MS } as const;
      const { backM, restS } = driven({ ...drive, stateNs: 20n * MS, follows: slowly });
      expect(backM).toBeLessThan(0.15);
      expect(restS).toBeLessThan(1.3);
    }
  });

  it('is not driven back where states end, and an old one is sent once more', () => {
    for (const faultyMs of [100n, 150n, 200n, 290n, 310n, 400n]) {
      for (const speed of [0.5, 1, 1.5]) {
        const drive = { fault: 'old', speed, faultyNs: faultyMs * MS, stateNs: 20n * MS } as const;
        const { backM, restS } = driven(drive);
        expect(backM).toBeLessThan(0.1);
        expect(restS).toBeLessThan(speed / 2 + 1);
      }
    }
  });

  it('goes on from where the vehicle has braked to, after the program stood still', () => {
    const pauses = [100n, 200n, 400n, 800n].map((ms) => ms * MS);
    for (const pauseNs of pauses) {
      const drive = { fault: 'stop', speed: 2, faultyNs: 50n * MS, stateNs: 20n * MS } as const;
      // Some cm in front of where it stands.
      expect(driven({ ...drive, pauseNs }).riseMps).toBeLessThan(0.15);
    }
  });

  it('is not driven back while the program is suspended again and again', () => {
    for (const follows of [{ gain: 2, lagS: 0.01, mostMps2: 6 }, promptly, slowly]) {
      for (const suspendedMs of [
        130n,
        180n,
        230n,
        260n,
        280n,
        330n,
        380n,
        480n,
        530n,
        580n,
        630n,
        780n,
        980n,
      ]) {
        for (const speed of [0.5, 1, 1.5, 2, 3]) {
          const drive = { fault: 'none', speed, faultyNs: 0n, stateNs: 20n * MS, follows } as const;
          const suspended = { suspendedNs: suspendedMs * MS, lastsNs: 12n * S };
          const { backM, restS } = driven({ ...drive, ...suspended });
          const words = `${speed} m/s, ${suspendedMs} ms, ${follows.lagS} s`;
          expect.soft(backM, words).toBeLessThan(0.1);
          expect.soft(restS, words).toBeLessThan(speed / 2 + 1);
        }
      }
    }
  });

  it.each(['none', 'stop', 'freeze', 'freezePlace'] as const)(
    'is not driven back when the stop begins after the time-out, with states of the fault %s',
    (fault) => {
      for (const timeoutNs of [S, null]) {
        for (const follows of [promptly, slowly]) {
          for (let silentMs = 970n; silentMs <= 1300n; silentMs += 30n) {
            const silentNs = silentMs * MS;
            const times = { faultyNs: 1500n * MS, stateNs: 20n * MS, silentNs };
            const vehicle = { follows, timeoutNs, declaredNs: S };
            const { backM, riseMps, restS } = driven({ fault, speed: 1, ...times, ...vehicle });
            const words = `${silentMs} ms after the last command`;
            // One that has no time-out is the farther away the later its stop begins.
            const lateS = timeoutNs === null ? Math.max(0, Number(silentMs - 1060n) / 1000) : 0;
            expect(backM, words).toBeLessThan(0.15 + 1.1 * lateS);
            expect(riseMps, words).toBeLessThan(0.25 + 2 * lateS);
            expect(restS, words).toBeLessThan(1.25 + 2 * lateS);
          }
        }
      }
    },
  );

  it('comes to rest where its states are of another point of the vehicle', () => {
    for (const offsetM of [-0.3, -0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4]) {
      for (const follows of [promptly, slowly]) {
        for (const speed of [0.5, 1, 2]) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS };
          const drive = driven({ fault: 'none', speed, ...times, offsetM, follows });
          const words = `${offsetM} m, ${speed} m/s`;
          // A vehicle that is seen behind its plan may lag behind: it is driven back.
          const behindM = Math.max(0, -offsetM);
          expect(drive.wayM, words).toBeLessThan(speed * 0.2 + speed ** 2 / 4 + 0.07 + behindM);
          expect(drive.restS, words).toBeLessThan(speed / 2 + 1.1 + 2 * behindM);
          expect(drive.riseMps, words).toBeLessThan(0.1 + 2.5 * behindM);
        }
      }
    }
  });

  it('comes to rest where its states have jumped and stay there', () => {
    for (const shiftM of [-3, -1, -0.9, -0.7, -0.5, -0.3, -0.1, -0.05, 0.05, 0.1, 0.3, 0.5, 1, 3]) {
      for (const faultyMs of [20n, 100n, 300n, 1000n]) {
        for (const follows of [promptly, slowly]) {
          const times = { faultyNs: faultyMs * MS, stateNs: 20n * MS };
          const drive = driven({ fault: 'none', speed: 1, ...times, shiftM, follows });
          const words = `${shiftM} m, ${faultyMs} ms before the stop`;
          expect(drive.wayM, words).toBeLessThan(0.6);
          expect(drive.restS, words).toBeLessThan(1.5);
          expect(drive.riseMps, words).toBeLessThan(0.7);
        }
      }
    }
  });

  it('does not drive all the way to its place where the poses by which it drives jump', () => {
    for (const shiftM of [-10, -3, -1, 1, 3, 10]) {
      // Negative: while it brakes, or once it stands.
      for (const faultyMs of [-2000n, -300n, -100n, 20n, 100n]) {
        const times = { faultyNs: faultyMs * MS, stateNs: 20n * MS };
        const drive = driven({ fault: 'none', speed: 1, ...times, shiftM, isLost: true });
        const words = `${shiftM} m, ${faultyMs} ms before the stop`;
        expect(drive.wayM, words).toBeLessThan(0.4 + Math.abs(shiftM) / 4);
        expect(drive.restS, words).toBeLessThan(faultyMs === -2000n ? 3.2 : 1.4);
      }
    }
  });

  it('does not drive the other way to its place where that is no faster than the stop began', () => {
    for (const shiftM of [1.5, 2, 2.5]) {
      const times = { faultyNs: -100n * MS, stateNs: 20n * MS };
      const drive = { fault: 'none', speed: 4, ...times, shiftM, isLost: true } as const;
      expect(driven(drive).backM, `${shiftM} m`).toBeLessThan(0.6);
    }
  });

  it('never drives it back where each plan begins where the vehicle was seen', () => {
    for (const replansNs of [20n, 60n, 100n].map((ms) => ms * MS)) {
      for (const speed of [0.5, 1, 1.5, 3, 4.5]) {
        for (const follows of [promptly, slowly]) {
          const times = { faultyNs: 2n * S, stateNs: 20n * MS, horizonNs: 3n * S };
          const drive = driven({ fault: 'none', speed, ...times, replansNs, follows });
          const words = `${replansNs} ns, ${speed} m/s`;
          expect(drive.backM, words).toBeLessThan(0.01);
          expect(drive.wayM, words).toBeLessThan(speed * 0.2 + speed ** 2 / 4);
          expect(drive.restS, words).toBeLessThan(speed / 2 + 0.2);
          expect(drive.riseMps, words).toBeLessThan(0.02);
        }
      }
    }
  });

  it('stays where somebody has carried it to, whatever point of it is seen', () => {
    for (const carriedM of [-1, -0.5, -0.3, -0.15, 0.15, 0.5, 1]) {
      for (const offsetM of [-0.2, 0, 0.3]) {
        for (const follows of [promptly, slowly, softly]) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS };
          const drive = { fault: 'none', speed: 1, ...times, carriedM, offsetM, follows } as const;
          expect(driven(drive).wayM, `${carriedM} m, seen at ${offsetM} m`).toBeLessThan(0.1);
        }
      }
    }
  });

  it('does not drive to its plan where it was held as the stop began, and is let go', () => {
    for (const heldMs of [100n, 300n, 1000n]) {
      for (const follows of [promptly, slowly, softly]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, heldNs: heldMs * MS };
        for (const noiseM of [0, 0.002]) {
          const drive = { fault: 'none', speed: 1, ...times, noiseM, follows } as const;
          expect(driven(drive).wayM, `${heldMs} ms, ${noiseM} m`).toBeLessThan(0.1);
        }
      }
    }
  });

  it('is not driven back to the end of its plan where the first states come just after a suspension', () => {
    for (const pausedMs of [1500n, 3000n]) {
      for (const laterMs of [0n, 20n]) {
        for (const follows of [promptly, slowly, softly]) {
          const faultyNs = pausedMs * MS;
          const times = { faultyNs, silentNs: faultyNs, delayNs: faultyNs + laterMs * MS };
          const plans = { horizonNs: 500n * MS, goesOn: true, stateNs: 20n * MS, follows };
          const { backM, turnedMps } = driven({ fault: 'gap', speed: 1, ...times, ...plans });
          expect(backM, `${pausedMs} ms, ${laterMs} ms`).toBeLessThan(0.02);
          expect(turnedMps, `${pausedMs} ms, ${laterMs} ms`).toBeLessThan(0.05);
        }
      }
    }
  });

  it('is not driven back to the end of a plan after which it goes on', () => {
    for (const silentMs of [150n, 200n, 300n, 1000n]) {
      for (const stateMs of [20n, 100n, 200n]) {
        for (const follows of [promptly, slowly, softly]) {
          const times = { faultyNs: silentMs * MS, silentNs: silentMs * MS, stateNs: stateMs * MS };
          const plans = { horizonNs: 100n * MS, goesOn: true, follows };
          const { backM } = driven({ fault: 'none', speed: 1, ...times, ...plans });
          expect(backM, `${silentMs} ms, states every ${stateMs} ms`).toBeLessThan(0.02);
        }
      }
    }
  });

  it('comes to rest even where its states are far from its place', () => {
    for (const offsetM of [-2, -1, -0.6, 0.6, 0.8, 1.2, 2]) {
      for (const follows of [promptly, slowly, softly]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, lastsNs: 12n * S };
        const { restS } = driven({ fault: 'none', speed: 1, ...times, offsetM, follows });
        expect(restS, `${offsetM} m`).toBeLessThan(9);
      }
    }
  });

  it('is not moved again where the speeds of its states are wrong', () => {
    for (const biasMps of [-0.3, -0.1, -0.06, 0.06, 0.1, 0.2, 0.3]) {
      for (const speed of [0.5, 1, 1.5]) {
        for (const follows of [promptly, slowly, softly]) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS, lastsNs: 8n * S };
          const drive = driven({ fault: 'none', speed, ...times, biasMps, follows });
          const words = `${biasMps} m/s, ${speed} m/s`;
          const isFar = Math.abs(biasMps) > 0.1;
          expect(drive.riseMps, words).toBeLessThan(isFar ? 0.2 : 0.1);
          expect(drive.backM, words).toBeLessThan(isFar ? 0.15 : 0.03);
          expect(drive.restS, words).toBeLessThan(speed / 2 + (isFar ? 1.2 : 0.5));
        }
      }
    }
  });

  it('is not driven back where all states come late, however late', () => {
    for (const delayMs of [0n, 20n, 50n, 100n, 200n, 240n, 260n, 300n, 500n, 1000n, 3000n]) {
      for (const follows of [promptly, slowly]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, delayNs: delayMs * MS };
        const { backM, restS } = driven({ fault: 'delayed', speed: 1, ...times, follows });
        expect(backM, `${delayMs} ms`).toBeLessThan(0.05);
        expect(restS, `${delayMs} ms`).toBeLessThan(1);
      }
    }
  });

  it('is stopped in its braking distance where its clock is behind', () => {
    for (const behindMs of [0n, 20n, 100n, 200n, 300n, 1000n, 3000n, 20_000n]) {
      for (const follows of [promptly, slowly]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, clockBehindNs: behindMs * MS };
        const { backM, wayM } = driven({ fault: 'none', speed: 1, ...times, follows });
        expect(backM, `${behindMs} ms`).toBeLessThan(0.05);
        expect(wayM, `${behindMs} ms`).toBeLessThan(0.41);
      }
    }
  });

  it('is hardly driven back where the clock by which it drives is not set', () => {
    for (const aheadMs of [-150n, -100n, -50n, 50n, 100n, 200n, 300n]) {
      for (const speed of [0.5, 1, 1.5]) {
        for (const follows of [promptly, slowly, softly]) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS, clockAheadNs: aheadMs * MS };
          const drive = driven({ fault: 'none', speed, ...times, follows });
          const words = `${aheadMs} ms, ${speed} m/s`;
          expect(drive.backM, words).toBeLessThan(0.02);
          expect(drive.restS, words).toBeLessThan(speed / 2 + 0.4);
        }
      }
    }
  });

  it.each([true, false])(
    'is not turned round when another program has driven it on, its stop commands reach it meanwhile: %s',
    (inTurn) => {
      for (const rivalMs of [300n, 1000n, 2000n]) {
        const times = { faultyNs: 300n * MS, stateNs: 20n * MS, rivalNs: rivalMs * MS };
        const { turnedMps } = driven({ fault: 'none', speed: 1, ...times, inTurn });
        expect(turnedMps).toBeLessThan(0.1);
      }
    },
  );

  it('rests where it is seen after a cut in which no command reached it', () => {
    for (const follows of [promptly, slowly]) {
      for (const speed of [0.5, 1, 2]) {
        for (let cutMs = 20n; cutMs < 2500n; cutMs += 70n) {
          const times = { faultyNs: 300n * MS, stateNs: 20n * MS, cutNs: cutMs * MS };
          const { turnedMps, restS } = driven({ fault: 'none', speed, ...times, follows });
          expect(turnedMps).toBeLessThan(0.1);
          expect(restS).toBeLessThan(speed / 2 + 0.2);
        }
      }
    }
  });

  it.each(['none', 'stop', 'late'] as const)(
    'rests where its plan turns round, with states of the fault %s',
    (fault) => {
      for (let steps = 1n; steps < 120n; steps += 7n) {
        const drive = { fault, speed: 1.4, faultyNs: steps * 10n * MS, stateNs: 20n * MS };
        expect(driven({ ...drive, shape: toAndFro }).turnedMps).toBeLessThan(0.13);
      }
    },
  );
});
