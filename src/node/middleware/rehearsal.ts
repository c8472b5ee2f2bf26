import { hangOfControlLoopNs } from './emergency-samples.js';
import {
  controllerSourceId,
  nsPerS,
  RealTimeSession,
  type Command,
  type RealTimeConfig,
} from '../../core/index.js';
import { nestedSamples, VehicleStateCodec, type NestedSample } from '../../messages/index.js';
import { commandTopics, encodeCommand, type ReceivedCommand } from '../../sides/index.js';
import type { SessionSettings } from '../../tap/index.js';
import { startSignalSample } from './start-signal.js';

/** Enough for V8 to compile what a period runs through. */
const periods = 4;
const mostVehicles = 2;

/** Begin of the clocks of a rehearsal, ns. */
const monotonicNs = 1_000n * nsPerS;
const aheadNs = 1_700_000_000n * nsPerS;

type RealSession = RealTimeSession<NestedSample, NestedSample, ReceivedCommand>;
type RealEvent = Parameters<RealSession['handle']>[0];
type RealEffect = ReturnType<RealSession['handle']>[number];

/**
 * Plays some periods and a stop to a session of its own, without any I/O. Otherwise V8 compiles the
 * rules and the codecs during the first periods, which then are late: by about 60 ms with 12 vehicles.
 * Nothing is rehearsed in simulated time, where no period can be late.
 * @returns how many commands were forwarded in it.
 */
export function rehearse(settings: SessionSettings): number {
  if (settings.mode !== 'real') return 0;
  const { vehicleIds } = settings.config;
  const supervision = { ...settings.config.supervision, latched: [] };
  const played = { ...settings.config, supervision, periods: null, waitForStart: false };
  const rehearsal = new Rehearsal(played, vehicleIds.slice(0, mostVehicles));
  rehearsal.signIn(vehicleIds);
  for (let period = 0; period < periods; period++) rehearsal.play();
  rehearsal.stop();
  return rehearsal.forwarded;
}

class Rehearsal {
  readonly #session: RealSession;
  readonly #ids: readonly number[];
  #nowNs = monotonicNs;
  #forwarded = 0;

  constructor(config: RealTimeConfig, ids: readonly number[]) {
    this.#session = new RealTimeSession(config, this.#clocks);
    this.#ids = ids;
  }

  get forwarded(): number {
    return this.#forwarded;
  }

  signIn(ids: readonly number[]): void {
    for (const id of ids) {
      const writer = guidOf(id);
      for (const role of ['ready', 'command'] as const) {
        this.#handle({ kind: 'writerChanged', writer, role, joined: true, atNs: this.#nowNs });
      }
      const receivedAtNs = this.#nowNs;
      this.#handle({ kind: 'readySignal', sourceId: controllerSourceId(id), writer, receivedAtNs });
    }
  }

  /** Up to the next start signal, and the replies to it. */
  play(): void {
    for (let wakes = 0; wakes < 8; wakes++) {
      for (const effect of this.#wake()) {
        if (effect.kind !== 'prepareStart') continue;
        startSignalSample(effect, 'omit');
        const { index, tNowNs, notBeforeNs } = effect.slots.first;
        if (notBeforeNs > this.#nowNs) this.#nowNs = notBeforeNs;
        this.#handle({ kind: 'startSent', plan: effect.plan, index, tNowNs, now: this.#clocks });
        this.#answer(tNowNs);
        return;
      }
    }
  }

  stop(): void {
    this.#handle({ kind: 'stop', atNs: this.#nowNs });
    for (let wakes = 0; wakes < periods; wakes++) this.#wake();
  }

  #answer(tNowNs: bigint): void {
    for (const [i, id] of this.#ids.entries()) {
      this.#observe(id, tNowNs);
      for (const command of commands(id, tNowNs + BigInt(i))) this.#receive(command);
    }
    for (const { command } of this.#session.standStill(
      this.#nowNs,
      this.#ids,
      hangOfControlLoopNs,
    )) {
      encodeCommand(command);
    }
  }

  #observe(vehicleId: number, stampNs: bigint): void {
    const message = { ...VehicleStateCodec.zero(), vehicle_id: vehicleId };
    const stamp = { nanoseconds: stampNs };
    const stamped = { ...message, header: { create_stamp: stamp, valid_after_stamp: stamp } };
    const bytes = VehicleStateCodec.encode(stamped);
    const { speed, pose } = VehicleStateCodec.decode(bytes);
    const payload: NestedSample = nestedSamples(VehicleStateCodec)(stamped, bytes);
    const sample = { vehicleId, createStampNs: stampNs, validAfterNs: stampNs, payload };
    const motion = { speedMps: speed, pose };
    this.#handle({ kind: 'vehicleState', sample, motion, receivedAtNs: this.#nowNs });
  }

  #receive(command: Command): void {
    const bytes = encodeCommand(command);
    const writerGuid = guidOf(command.message.vehicle_id);
    const message = commandTopics[command.kind].codec.decode(bytes);
    const received = { kind: command.kind, message, bytes, writerGuid } as ReceivedCommand;
    const atNs = this.#nowNs;
    this.#handle({
      kind: 'command',
      command: received,
      writer: writerGuid,
      receivedAtNs: atNs,
      atNs,
    });
  }

  #wake(): readonly RealEffect[] {
    const { wakeAtNs } = this.#session;
    if (wakeAtNs !== null && wakeAtNs > this.#nowNs) this.#nowNs = wakeAtNs;
    return this.#handle({ kind: 'wake', now: this.#clocks });
  }

  #handle(event: RealEvent): readonly RealEffect[] {
    const effects = this.#session.handle(event);
    for (const effect of effects) {
      if (effect.kind === 'forwardCommand') this.#forwarded++;
      if (effect.kind === 'commandVehicle') encodeCommand(effect.command);
    }
    return effects;
  }

  get #clocks() {
    return { monotonicNs: this.#nowNs, realtimeNs: this.#nowNs + aheadNs };
  }
}

function guidOf(id: number): string {
  return id.toString(16).padStart(32, '0');
}

/** A command of each kind, made for this time, ns. */
function commands(vehicle_id: number, stampNs: bigint): Command[] {
  const stamp = { nanoseconds: stampNs };
  const base = { vehicle_id, header: { create_stamp: stamp, valid_after_stamp: stamp } };
  const places = Array.from({ length: 20 }, (_, i) => i - 1);
  const trajectory_points = places.map((x) => ({
    t: { nanoseconds: stampNs + BigInt(x) * (nsPerS / 10n) },
    ...{ px: x / 10, py: 0, vx: 1, vy: 0 },
  }));
  const path = [...places, -1].map((x, s) => ({ pose: { x, y: 0, yaw: 0 }, s }));
  return [
    { kind: 'direct', message: { ...base, motor_throttle: 0.1, steering_servo: 0 } },
    { kind: 'speedCurvature', message: { ...base, speed: 1, curvature: 0 } },
    { kind: 'trajectory', message: { ...base, trajectory_points } },
    { kind: 'pathTracking', message: { ...base, path, speed: 1 } },
  ];
}
