import { printable, toMs, toS, type GuardEffect } from '../core/index.js';
import { namedIds, type HlcError } from '../errors/index.js';
import {
  logMovesAgain,
  logStillMoving,
  logVehicleStopped,
  RateLimiter,
  type Logger,
} from '../node/index.js';

type SessionChange = Extract<GuardEffect, { kind: 'sessionChanged' }>;

/** Logs what a guard does. */
export class GuardLog {
  readonly #repeated = new RateLimiter();

  constructor(
    private readonly log: Logger,
    private readonly monotonicNs: () => bigint,
    /** `--guard-after-ms`, ns; null: the default. */
    private readonly afterNs: bigint | null,
  ) {}

  effect(effect: GuardEffect): void {
    switch (effect.kind) {
      case 'sessionChanged':
        this.#session(effect);
        break;
      case 'takenOver':
        this.log.warn(
          { vehicles: effect.ids },
          `a middleware has taken over the stop of ${namedIds('vehicle', effect.ids)}; "hlc-middleware resume" ends that stop`,
        );
        break;
      case 'vehicleStopped':
        logVehicleStopped(this.log, effect);
        break;
      case 'vehicleMovesAgain':
        logMovesAgain(this.log, effect.id);
        break;
      case 'otherGuard': {
        const name = printable(effect.sourceId);
        this.log.info(
          { guard: name },
          `another guard ("${name}") is on the lab side: both stop the vehicles of a silent middleware`,
        );
        break;
      }
      case 'guardEnding':
        this.log.info('the guard ends when its vehicles stand');
        break;
      case 'guardEnded':
        logStillMoving(this.log, effect.moving);
        break;
      case 'commandVehicle':
        break;
    }
  }

  /** What goes wrong on a topic, which a peer can cause at any rate: once per second and text. */
  topicError({ code, message }: HlcError): void {
    this.#repeated.warn(this.log, message, this.monotonicNs(), { code }, message);
  }

  #session({ change, sourceId, limitNs, silentNs, ids }: SessionChange): void {
    const name = printable(sourceId);
    switch (change) {
      case 'begun':
        this.log.info({ middleware: name }, `the guard watches the middleware "${name}"`);
        if (this.afterNs !== null && this.afterNs < limitNs) {
          this.log.warn(
            { middleware: name },
            `--guard-after-ms=${toMs(this.afterNs)} is shorter than two periods of the middleware "${name}"; its vehicles are stopped after a silence of ${toMs(limitNs)} ms`,
          );
        }
        break;
      case 'unwatched':
        if (this.#repeated.pass(change, this.monotonicNs()) === undefined) break;
        this.log.error(
          { middleware: name },
          `the guard watches no further middleware: it would not stop the vehicles of "${name}"; let a middleware take over the vehicles that the guard holds, or start the guard again`,
        );
        break;
      case 'ended':
        this.log.info({ middleware: name }, `the middleware "${name}" ended its session`);
        break;
      case 'back':
        this.log.warn({ middleware: name }, `the middleware "${name}" sends its status again`);
        break;
      case 'silent': {
        const silence = { middleware: name, silent_s: toS(silentNs), vehicles: ids };
        const what = `no status from the middleware "${name}" for ${Math.round(toMs(silentNs))} ms`;
        if (ids.length === 0) this.log.warn(silence, `${what}; it drives no vehicle`);
        else {
          this.log.error(
            silence,
            `${what}: the guard stops ${namedIds('vehicle', ids)} until a middleware has taken over`,
          );
        }
        break;
      }
    }
  }
}
