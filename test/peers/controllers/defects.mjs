// One defect each: what a controller does that breaks one rule of docs/reference/certification.md, and no other.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { topics } from '../../../dist/messages/index.js';
import { BaseController } from './base-controller.mjs';

const second = 1_000_000_000n;

/** @typedef {import('../../../src/messages/index.js').VehicleStateList} VehicleStateList */

/** @param {bigint} timeNs */
const isNearWallClock = (timeNs) => {
  const offNs = timeNs - BigInt(Date.now()) * 1_000_000n;
  return offNs < 10n * second && offNs > -10n * second;
};

/** The period of the certification, ms. */
const periodMs = Number(process.env.CERTIFY_PERIOD_MS ?? '60');

class WrongSourceId extends BaseController {
  /** @override @param {number} id */
  sourceId(id) {
    return `vehicle_${id}`;
  }
}

/** Repeats them, but a middleware asks for kept ones. */
class VolatileReady extends BaseController {
  /** @override @returns {import('../../../src/ports/index.js').QosPolicies} */
  readySignalQos() {
    return { ...this.readyQos, durability: { kind: 'volatile' } };
  }

  /** @override */
  signIn() {
    setInterval(() => super.signIn(), 100);
  }
}

/** Has no durability service, so that only the last of its ready signals is kept. */
class KeepsOneReady extends BaseController {
  /** @override @returns {import('../../../src/ports/index.js').QosPolicies} */
  readySignalQos() {
    return {
      ...this.readyQos,
      durabilityService: { history: { kind: 'keep-last', depth: 1 } },
    };
  }

  /** @override */
  signIn() {
    const timer = setInterval(() => {
      if (this.ready.matchedReaders < 3) return;
      clearInterval(timer);
      super.signIn();
    }, 20);
  }
}

/** Does something else for a while. */
class Pauses extends BaseController {
  asked = 0;

  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    this.asked++;
    // Later than the few start signals of a restart, also where a busy machine adds some to them.
    if (this.asked < 20 || this.asked > 29) this.answer(list);
  }
}

/**
 * Computes one plan at a time, and goes on with the newest start signal; one plan in five takes too
 * long.
 */
class Slow extends BaseController {
  /** @type {VehicleStateList | undefined} */
  newest;
  busy = false;
  plans = 0;

  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    this.newest = list;
    if (!this.busy) this.compute();
  }

  compute() {
    const list = this.newest;
    this.newest = undefined;
    this.busy = list !== undefined;
    if (list === undefined) return;
    const takesLong = this.plans++ % 5 === 0;
    setTimeout(
      () => {
        this.answer(list);
        this.compute();
      },
      takesLong ? 0.79 * periodMs : 0,
    );
  }
}

class FutureStamps extends BaseController {
  /** @override @param {VehicleStateList} list */
  createStamp({ t_now }) {
    return isNearWallClock(t_now) ? t_now + second + 7n : t_now;
  }
}

class NoValidAfter extends BaseController {
  /** @override @param {bigint} createNs */
  header(createNs) {
    return { ...super.header(createNs), valid_after_stamp: { nanoseconds: 0n } };
  }
}

class CommandsOthers extends BaseController {
  /** @override @param {VehicleStateList} list */
  answer(list) {
    super.answer(list);
    this.command(99, list.t_now);
  }
}

class SteersTooFar extends BaseController {
  /**
   * @override
   * @param {number} id
   * @param {bigint} createNs
   */
  command(id, createNs) {
    super.command(id, createNs, { steering_servo: 1.5 });
  }
}

class ShortTrajectory extends BaseController {
  /**
   * @override
   * @param {number} vehicle_id
   * @param {bigint} createNs
   */
  command(vehicle_id, createNs) {
    const trajectory_points = [-1n, 1n].map((seconds) => ({
      t: { nanoseconds: createNs + seconds * second },
      px: 1,
      py: 1,
      vx: 0,
      vy: 0,
    }));
    const header = this.header(createNs);
    this.trajectory.write(
      topics.vehicleCommandTrajectory.codec.encode({ vehicle_id, header, trajectory_points }),
    );
  }
}

class ManyCommands extends BaseController {
  /** @override @param {VehicleStateList} list */
  answer(list) {
    for (let further = 0n; further < 6n; further++) {
      for (const id of this.ids) this.command(id, list.t_now + further);
    }
  }
}

/** Goes on by itself when nothing comes. */
class FreeRunning extends BaseController {
  lastNs = 0n;
  /** @type {NodeJS.Timeout[]} */
  timers = [];

  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    this.answer(list);
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [2.3, 3, 3.7].map((periods, index) =>
      setTimeout(() => {
        for (const id of this.ids) this.command(id, list.t_now + BigInt(index + 1));
      }, periods * periodMs),
    );
  }
}

/** Keeps every start signal, and answers one after the other. */
class Backlog extends BaseController {
  /** @type {VehicleStateList[]} */
  waiting = [];

  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    this.waiting.push(list);
    if (this.waiting.length === 1) this.compute();
  }

  compute() {
    setTimeout(() => {
      const list = this.waiting[0];
      if (list !== undefined) this.answer(list);
      this.waiting.shift();
      if (this.waiting.length > 0) this.compute();
    }, 0.35 * periodMs);
  }
}

/** Cannot do without the state of its vehicle. */
class NeedsItsState extends BaseController {
  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    for (const id of this.ids) {
      if (!list.state_list.some(({ vehicle_id }) => vehicle_id === id)) process.exit(7);
    }
    this.answer(list);
  }
}

class OneMiddleware extends BaseController {
  /** @type {string | undefined} */
  first;

  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    this.first ??= this.middleware;
    if (this.middleware === this.first) this.answer(list);
  }
}

class WallClockOnly extends BaseController {
  /** @override @param {VehicleStateList} list */
  onStartSignal(list) {
    if (isNearWallClock(list.t_now)) this.answer(list);
  }
}

class WallClockStamps extends BaseController {
  /** @override */
  createStamp() {
    return this.context.clocks.realtimeNs();
  }
}

class IgnoresStop extends BaseController {
  /** @override */
  onStop() {
    // and goes on
  }
}

class LeavesLock extends BaseController {
  /** @override */
  signIn() {
    const lock = path.join(this.stateFolder, 'lock');
    if (existsSync(lock)) process.exit(1);
    writeFileSync(lock, '');
    super.signIn();
  }
}

/** By their names; `none` is the controller without a defect. */
export const controllers = {
  none: BaseController,
  'wrong-source-id': WrongSourceId,
  'volatile-ready': VolatileReady,
  'keeps-one-ready': KeepsOneReady,
  pauses: Pauses,
  slow: Slow,
  'future-stamps': FutureStamps,
  'no-valid-after': NoValidAfter,
  'commands-others': CommandsOthers,
  'steers-too-far': SteersTooFar,
  'short-trajectory': ShortTrajectory,
  'many-commands': ManyCommands,
  'free-running': FreeRunning,
  backlog: Backlog,
  'needs-its-state': NeedsItsState,
  'one-middleware': OneMiddleware,
  'wall-clock-only': WallClockOnly,
  'wall-clock-stamps': WallClockStamps,
  'ignores-stop': IgnoresStop,
  'leaves-lock': LeavesLock,
};
