import { preparedForNs } from './emergency-samples.js';
import { hangOfControlLoopNs } from './hang-guard.js';
import {
  commandKinds,
  controllerSourceId,
  nsPerS,
  RealTimeSession,
  type Command,
  type RealTimeConfig,
} from '../../core/index.js';
import {
  nestedSamples,
  topics,
  VehicleStateCodec,
  type NestedSample,
} from '../../messages/index.js';
import { commandTopics, encodeCommand, type ReceivedCommand } from '../../sides/index.js';
import type { SessionSettings } from '../../tap/index.js';
import { startSignalSample } from './start-signal.js';

/** Enough for V8 to compile what a period runs through. */
const periods = 4;
const mostVehicles = 2;

const places = Array.from({ length: 20 }, (_, i) => i - 1);
const path = [...places, -1].map((x, s) => ({ pose: { x, y: 0, yaw: 0 }, s }));

/** Begin of the clocks of a rehearsal, ns. */
const monotonicNs = 1_000n * nsPerS;
const aheadNs = 1_700_000_000n * nsPerS;

const { codec: TrajectoryCodec } = topics.vehicleCommandTrajectory;

type RealSession = RealTimeSession<NestedSample, NestedSample, ReceivedCommand>;
type RealEvent = Parameters<RealSession['handle']>[0];
type RealEffect = ReturnType<RealSession['handle']>[number];

/**
 * Plays some periods and a stop before the first real one. Otherwise V8 compiles the rules and the
 * codecs during the first periods, which then are late: by about 60 ms with 12 vehicles.
 * In simulated time no period can be late, and only the layout of numbers is prepared.
 * @returns how many commands were forwarded in it.
 */
export function rehearse(settings: SessionSettings): number {
  layOutNumbers();
  if (settings.mode !== 'real') return 0;
  const { vehicleIds } = settings.config;
  const rehearsal = new Rehearsal(settings.config, vehicleIds.slice(0, mostVehicles));
  for (let period = 0; period < periods; period++) {
    rehearsal.play(commandKinds);
    rehearsal.prepareForHang();
  }
  rehearsal.stop();
  return rehearsal.forwarded;
}

/**
 * V8 lays objects out for integers when the first ones of a kind have integers. At the first fraction it lays
 * that kind out anew, but compiled code may go on to make the old ones, of which each is then converted: in
 * simulated time the conversions took 6 to 8 % of the thread. These are the first points, and have fractions.
 */
function layOutNumbers(): void {
  const point = { t: { nanoseconds: 0n }, px: 0.5, py: 0.5, vx: 0.5, vy: 0.5 };
  const message = { ...TrajectoryCodec.zero(), trajectory_points: [point] };
  TrajectoryCodec.decode(TrajectoryCodec.encode(message));
}

/** Plays periods to a session of its own, on a clock of its own, without any I/O. */
export class Rehearsal {
  readonly #session: RealSession;
  readonly #ids: readonly number[];
  #nowNs = monotonicNs;
  #forwarded = 0;

  /** @param ids the vehicles that send states and get commands; some of those of the configuration */
  constructor(config: RealTimeConfig, ids: readonly number[]) {
    const supervision = { ...config.supervision, latched: [] };
    const played = { ...config, supervision, periods: null, waitForStart: false };
    this.#session = new RealTimeSession(played, this.#clocks);
    this.#ids = ids;
    this.#signIn(config.vehicleIds);
  }

  /** Commands, since the begin. */
  get forwarded(): number {
    return this.#forwarded;
  }

  /** Up to the next start signal, and a reply of each of these kinds to it. */
  play(kinds: Iterable<Command['kind']>): void {
    for (let wakes = 0; wakes < 8; wakes++) {
      for (const effect of this.#wake()) {
        if (effect.kind !== 'prepareStart') continue;
        startSignalSample(effect, 'omit');
        const { index, tNowNs, notBeforeNs } = effect.slots.first;
        if (notBeforeNs > this.#nowNs) this.#nowNs = notBeforeNs;
        const [now, atNs] = [this.#clocks, this.#nowNs];
        this.#handle({ kind: 'startSent', plan: effect.plan, index, tNowNs, now, atNs });
        this.#answer(tNowNs, kinds);
        return;
      }
    }
  }

  /** Makes the samples that a hang of the program would need. */
  prepareForHang(): void {
    const stills = this.#session.standStill(this.#nowNs, this.#ids, {
      hangAfterNs: hangOfControlLoopNs,
      brakesAfterNs: preparedForNs,
    });
    for (const { command } of stills) encodeCommand(command);
  }

  stop(): void {
    this.#handle({ kind: 'stop', atNs: this.#nowNs });
    for (let wakes = 0; wakes < periods; wakes++) this.#wake();
  }

  #signIn(ids: readonly number[]): void {
    for (const id of ids) {
      const writer = guidOf(id);
      for (const role of ['ready', 'command'] as const) {
        this.#handle({ kind: 'writerChanged', writer, role, joined: true, atNs: this.#nowNs });
      }
      const receivedAtNs = this.#nowNs;
      this.#handle({ kind: 'readySignal', sourceId: controllerSourceId(id), writer, receivedAtNs });
    }
  }

  #answer(tNowNs: bigint, kinds: Iterable<Command['kind']>): void {
    for (const [i, id] of this.#ids.entries()) {
      this.#observe(id, tNowNs);
      for (const kind of kinds) this.#receive(commandOf(kind, id, tNowNs + BigInt(i)));
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
    const motion = { speedMps: speed, pose, createStampNs: stampNs };
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

/** A command made for this time, ns. */
function commandOf(kind: Command['kind'], vehicle_id: number, stampNs: bigint): Command {
  const stamp = { nanoseconds: stampNs };
  const base = { vehicle_id, header: { create_stamp: stamp, valid_after_stamp: stamp } };
  switch (kind) {
    case 'direct':
      return { kind, message: { ...base, motor_throttle: 0.1, steering_servo: 0 } };
    case 'speedCurvature':
      return { kind, message: { ...base, speed: 1, curvature: 0 } };
    case 'trajectory':
      return { kind, message: { ...base, trajectory_points: pointsFrom(stampNs) } };
    case 'pathTracking':
      return { kind, message: { ...base, path, speed: 1 } };
  }
}

function pointsFrom(stampNs: bigint) {
  return places.map((x) => ({
    t: { nanoseconds: stampNs + BigInt(x) * (nsPerS / 10n) },
    ...{ px: x / 10, py: 0, vx: 1, vy: 0 },
  }));
}
