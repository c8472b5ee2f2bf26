import { onTestFinished } from 'vitest';
import { topics, VehicleStateCodec } from '../../src/messages/index.js';
import type { NodeEvent, PerformedEffect } from '../../src/node/observers/session-observer.js';
import type { Tap } from '../../src/node/tap/tap.js';
import { commandsOfAllKinds } from './commands.js';

const stateMs = 20;
const periodMs = 50;
const commandPoints = 10;
const performed = { written: true, latenessNs: 0n };

/**
 * What a tap has of a session with so many vehicles at 50 Hz, and so many controllers with a period of
 * 50 ms. Ends with the test.
 */
export class FleetSession {
  /** Samples given to the tap. */
  readonly sent = { states: 0, commands: 0 };
  readonly #tap: Tap;
  readonly #vehicles: number;
  readonly #controllers: number;
  readonly #timer: NodeJS.Timeout;
  #statesAt: number;
  #periodAt: number;

  constructor(tap: Tap, vehicles: number, controllers: number) {
    this.#tap = tap;
    this.#vehicles = vehicles;
    this.#controllers = controllers;
    this.#statesAt = this.#periodAt = performance.now();
    this.#timer = setInterval(() => this.#advance(), 5);
    onTestFinished(() => this.stop());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** What is due; a late timer makes up for what it missed. */
  #advance(): void {
    const now = performance.now();
    for (; this.#statesAt <= now; this.#statesAt += stateMs) {
      for (let id = 1; id <= this.#vehicles; id++) this.#state(id);
    }
    for (; this.#periodAt <= now; this.#periodAt += periodMs) {
      for (let id = 1; id <= this.#controllers; id++) this.#reply(id);
    }
  }

  #state(id: number): void {
    const { realtimeNs } = clock();
    const angle = id + Date.now() / 3000;
    const stamp = { nanoseconds: realtimeNs };
    const message = {
      ...VehicleStateCodec.zero(),
      vehicle_id: id,
      header: { create_stamp: stamp, valid_after_stamp: stamp },
      pose: { x: id / 10 + Math.cos(angle), y: (id % 10) + Math.sin(angle), yaw: angle },
      speed: 1,
    };
    const bytes = VehicleStateCodec.encode(message);
    this.#handled({ kind: 'vehicleState', receivedAtNs: realtimeNs, bytes } as NodeEvent, []);
    this.sent.states++;
  }

  #reply(id: number): void {
    const at = clock();
    const trajectory = commandsOfAllKinds(id, at.realtimeNs)[2];
    if (trajectory?.kind !== 'trajectory') throw new TypeError('the command is no trajectory');
    const trajectory_points = trajectory.message.trajectory_points.slice(0, commandPoints);
    const message = { ...trajectory.message, trajectory_points };
    const bytes = topics.vehicleCommandTrajectory.codec.encode(message);
    const command = { kind: 'trajectory', message, bytes, writerGuid: '' };
    const event = { kind: 'command', command, writer: null, receivedAtNs: 0n, atNs: 0n };
    const effects = [
      { kind: 'forwardCommand', command },
      { kind: 'replied', id, tNowNs: at.realtimeNs, replyTimeNs: 7_000_000n },
    ];
    this.#handled(
      event as unknown as NodeEvent,
      effects.map((effect) => ({ effect, performed }) as unknown as PerformedEffect),
    );
    this.sent.commands++;
  }

  #handled(event: NodeEvent, effects: readonly PerformedEffect[]): void {
    this.#tap.handled(event, effects, clock());
  }
}

function clock() {
  return {
    monotonicNs: process.hrtime.bigint(),
    realtimeNs: BigInt(Date.now()) * 1_000_000n,
  };
}
