import { cpmLabVehicle, type Command, type VehicleProfile } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import type { Stopped } from '../../../../src/core/stop/braking-place.js';
import { MS, only, speedCommand, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';

/** The period. */
export const P = 50n * MS;
export const pose = { x: 0, y: 0, yaw: 0 };

/** The authority over vehicle 1, with a clock and the commands that it gave. */
export class StopBench {
  readonly effects: TestEffect[] = [];
  /** The commands that hold from the moment at which they are sent. */
  readonly immediate: Command[] = [];
  readonly authority: StopAuthority;
  nowNs = 0n;

  constructor(profile: VehicleProfile = cpmLabVehicle, time: 'real' | 'simulated' = 'real') {
    this.authority = new StopAuthority({ ...stops, profile }, P, time);
  }

  get moment() {
    return { steadyNs: this.nowNs, stampNs: T0 + this.nowNs };
  }

  forward(command: Command): void {
    this.authority.forwarded(command, this.moment);
  }

  /** @param createStampNs of the state; 0: it has no stamp. */
  observe(speedMps: number, x = 0, createStampNs = 0n): void {
    this.authority.observe(1, { speedMps, pose: { ...pose, x }, createStampNs }, this.moment);
  }

  begin(stopped: Stopped = 'no'): void {
    this.#note(() => this.authority.begin(1, this.moment, this.effects, stopped));
  }

  #note(act: () => void): void {
    const { length } = this.commands;
    act();
    const latestNs = T0 + this.nowNs + MS;
    const sent = this.commands.slice(length);
    this.immediate.push(...sent.filter((command) => stampsOf(command).valid <= latestNs));
  }

  run(ns: bigint, each: () => void = () => undefined): void {
    const endNs = this.nowNs + ns;
    for (;;) {
      const { nextAtNs } = this.authority;
      if (nextAtNs === null || nextAtNs > endNs) break;
      if (nextAtNs > this.nowNs) this.nowNs = nextAtNs;
      each();
      this.#note(() => this.authority.act(this.moment, this.effects));
    }
    this.nowNs = endNs;
  }

  get commands(): Command[] {
    return only(this.effects, 'commandVehicle').map(({ command }) => command);
  }

  get outcomes(): string[] {
    return only(this.effects, 'vehicleStopped').map(({ outcome }) => outcome);
  }
}

/** The stamp of the first instant, ns. */
export const stampNow = () => T0;

/** A path of 4 m, straight ahead. */
export function path(speed: number, createNs = stampNow(), validNs = createNs): Command {
  const { header } = speedCommand(1, createNs, validNs).message;
  const points = [
    { pose, s: 0 },
    { pose: { ...pose, x: 4 }, s: 4 },
  ];
  return { kind: 'pathTracking', message: { vehicle_id: 1, header, path: points, speed } };
}

/** A trajectory straight ahead. */
export function straight(speed: number, createNs = stampNow()): Command {
  const { header } = speedCommand(1, createNs).message;
  const trajectory_points = Array.from({ length: 12 }, (_, i) => ({
    t: { nanoseconds: createNs + BigInt(i - 1) * 300n * MS },
    px: (speed * (i - 1) * 300) / 1000,
    py: 0,
    vx: speed,
    vy: 0,
  }));
  return { kind: 'trajectory', message: { vehicle_id: 1, header, trajectory_points } };
}

/** The speed that a command asks for at the first instant at which it holds, m/s. */
export function speedOf(command: Command): number {
  switch (command.kind) {
    case 'direct':
      return Math.abs(command.message.motor_throttle);
    case 'speedCurvature':
    case 'pathTracking':
      return Math.abs(command.message.speed);
    case 'trajectory':
      return Math.max(
        0,
        ...command.message.trajectory_points.map(({ vx, vy }) => Math.hypot(vx, vy)),
      );
  }
}

/** The stamps of a command, ns. */
export const stampsOf = ({ message: { header } }: Command) => ({
  create: header.create_stamp.nanoseconds,
  valid: header.valid_after_stamp.nanoseconds,
});
