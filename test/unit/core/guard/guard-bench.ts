import {
  type Command,
  cpmLabVehicle,
  Guard,
  type GuardEffect,
  type MiddlewareReport,
} from '../../../../src/core/index.js';
import { base, MS, S, speedCommand, stops, TestClocks } from '../support.js';

/** Of the guard. */
const epoch = 77n;

/** Period of the middlewares. */
export const P = 50n * MS;

/** Silence after which the guard acts by default, and the time of one look, ns. */
export const LIMIT = 300n * MS;
export const LOOK = 25n * MS;

/** Vehicles without a time-out of their own. */
const profile = { ...cpmLabVehicle, timeoutNs: null };

/** A middleware as its status shows it. */
export interface FakeMiddleware {
  readonly epoch: bigint;
  readonly participant: string | null;
  readonly ids: readonly number[];
  /** `middleware` unless given. */
  readonly sourceId?: string;
  readonly simulated?: boolean;
  readonly periodNs?: bigint;
  /** By vehicle: number of the stop of the guard that it took over. */
  readonly takenOver: Map<number, bigint>;
}

export function middleware(
  epoch: bigint,
  ids: readonly number[],
  more: Partial<FakeMiddleware> = {},
): FakeMiddleware {
  return { epoch, participant: `participant ${epoch}`, ids, takenOver: new Map(), ...more };
}

const pose = { x: 0, y: 0, yaw: 0 };

/** Vehicle 1 follows a path 4 m there and back. */
export function pathCommand(stampNs: bigint, speed: number): Command {
  const points = [
    { pose, s: 0 },
    { pose: { ...pose, x: 4 }, s: 4 },
    { pose, s: 8 },
  ];
  return { kind: 'pathTracking', message: { ...base(1, stampNs), path: points, speed } };
}

/** Vehicle 1 drives at about 1 m/s, straight ahead where that is known. */
export function commandOf(
  kind: Command['kind'],
  createNs: bigint,
  validAfterNs = createNs,
  speed = 1,
): Command {
  const head = base(1, createNs, validAfterNs);
  switch (kind) {
    case 'direct':
      return { kind, message: { ...head, motor_throttle: 0.3 * speed, steering_servo: 0 } };
    case 'speedCurvature':
      return { kind, message: { ...head, speed, curvature: 0 } };
    case 'trajectory': {
      const trajectory_points = Array.from({ length: 16 }, (_, i) => ({
        t: { nanoseconds: validAfterNs + BigInt(i) * 200n * MS },
        px: (i * speed) / 5,
        py: 0,
        vx: speed,
        vy: 0,
      }));
      return { kind, message: { ...head, trajectory_points } };
    }
    case 'pathTracking': {
      const { message } = pathCommand(createNs, speed) as Extract<Command, { kind: typeof kind }>;
      return { kind, message: { ...message, ...head } };
    }
  }
}

/** Speed of a command with a path, m/s. */
export function pathSpeedOf(command: Command): number {
  return command.kind === 'pathTracking' ? command.message.speed : NaN;
}

/** A guard with a clock, and what it did. */
export class GuardBench {
  readonly clocks = new TestClocks(1_000n * S, 1_700_000_000n * S);
  readonly guard: Guard;
  readonly log: GuardEffect[] = [];
  /** The commands of the guard with their instants, monotonic, ns. */
  readonly commands: { readonly atNs: bigint; readonly id: number; readonly command: Command }[] =
    [];

  constructor(afterNs: bigint | null = null) {
    this.guard = new Guard({ epoch, stops: { ...stops, profile }, afterNs });
  }

  status(
    {
      epoch: ofSession,
      participant,
      ids,
      sourceId = 'middleware',
      simulated = false,
      periodNs = P,
      takenOver,
    }: FakeMiddleware,
    phase: MiddlewareReport['phase'] = 'running',
    sent: MiddlewareReport['vehicles'] = [],
  ): void {
    const unsent = { kinds: [], newestCreateNs: -1n, newestValidNs: -1n, obeyedUntilNs: null };
    const vehicles = ids.map((id) => ({
      id,
      ...(sent.find((vehicle) => vehicle.id === id) ?? unsent),
    }));
    const report: MiddlewareReport = {
      sourceId,
      epoch: ofSession,
      tNowNs: simulated ? S : this.clocks.realtimeNs,
      periodNs,
      simulatedTime: simulated,
      phase,
      vehicles,
      takenOver: [...takenOver].flatMap(([id, number]) => [
        { guard: epoch - 1n, id, number: number + 1n },
        { guard: epoch, id, number },
      ]),
    };
    this.#note(this.guard.status(report, participant, this.clocks.read()));
  }

  command(of: FakeMiddleware, id: number, speedMps = 1): void {
    const stampNs = of.simulated === true ? S : this.clocks.realtimeNs;
    const { kind, message } = speedCommand(id, stampNs);
    this.send(of, { kind, message: { ...message, speed: speedMps } });
  }

  /** The middleware sends this command. */
  send(of: FakeMiddleware, command: Command): void {
    this.guard.command(command, of.participant, this.clocks.read());
  }

  state(id: number, speedMps: number): void {
    const { realtimeNs: createStampNs } = this.clocks;
    this.guard.vehicleState(id, { speedMps, pose, createStampNs }, this.clocks.read());
  }

  /** Wakes the guard at every instant it asks for, up to and including now + `ns`. */
  run(ns: bigint): void {
    const endNs = this.clocks.monotonicNs + ns;
    for (;;) {
      const { wakeAtNs } = this.guard;
      if (wakeAtNs === null || wakeAtNs > endNs) break;
      if (wakeAtNs > this.clocks.monotonicNs) this.clocks.monotonicNs = wakeAtNs;
      this.wake();
    }
    this.clocks.monotonicNs = endNs;
  }

  /** The guard is to end; its vehicles may take 4 s to rest. */
  end(): void {
    this.#note(this.guard.end(this.clocks.read(), 4n * S));
  }

  wake(): void {
    this.#note(this.guard.wake(this.clocks.read()));
  }

  /** The middleware drives its vehicles at 1 m/s for this time, with a status in each period. */
  drive(by: FakeMiddleware, ns: bigint, ids = by.ids): void {
    for (let t = 0n; t < ns; t += P) {
      this.status(by);
      for (const id of ids) {
        this.command(by, id);
        this.state(id, 1);
      }
      this.run(P);
    }
  }

  /** Forgets what was done so far. */
  clear(): void {
    this.log.length = 0;
    this.commands.length = 0;
  }

  get changes(): string[] {
    return this.log.flatMap((effect) => (effect.kind === 'sessionChanged' ? [effect.change] : []));
  }

  get commandedIds(): number[] {
    return [...new Set(this.commands.map(({ id }) => id))].sort((a, b) => a - b);
  }

  #note(effects: readonly GuardEffect[]): void {
    this.log.push(...effects);
    for (const effect of effects) {
      if (effect.kind !== 'commandVehicle') continue;
      const { id, command } = effect;
      this.commands.push({ atNs: this.clocks.monotonicNs, id, command });
    }
  }
}

/** Speed of a command of the guard with a speed and a curvature, m/s. */
export function speedOf({ command }: GuardBench['commands'][number]): number {
  return command.kind === 'speedCurvature' ? command.message.speed : NaN;
}
