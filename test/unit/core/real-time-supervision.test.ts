import { describe, expect, it } from 'vitest';
import {
  cpmLabCommandRules,
  type Command,
  defaultCommandRules,
  loggedOnly,
  type OverrunPolicy,
  policyForAll,
  type ReportedVehicle,
  stopSymbol,
  type SupervisionRule,
} from '../../../src/core/index.js';
import { RealTimeBench } from './real-time-bench.js';
import { endedBy, kinds, MS, only, S, speedCommand, stops, writerOf } from './support.js';

const P = 50n * MS;

/** A session in which these rules hold for controller 2; controller 1 is only logged. */
function supervised(
  rule: Partial<SupervisionRule> = {},
  changes: ConstructorParameters<typeof RealTimeBench>[0] = {},
): RealTimeBench {
  const strict: SupervisionRule = {
    policy: 'stop',
    missLimit: 3,
    stopAfterNs: null,
    graceNs: 0n,
    holdPeriods: 2,
    resume: 'manual',
    ...rule,
  };
  const logged = { ...strict, policy: 'log' as const };
  const ruleOf = (id: number) => (id === 2 ? strict : logged);
  const supervision = { ruleOf, stops, latched: [] };
  return new RealTimeBench({ supervision, ...changes });
}

/** A session in which controller 2 has answered the first start signal, and is silent then. */
function silent(...args: Parameters<typeof supervised>): RealTimeBench {
  const bench = supervised(...args);
  bench.command(speedCommand(2, bench.start()));
  return bench;
}

/** The state of vehicle 2 at 50 Hz, while the session runs for this long. */
function drive(bench: RealTimeBench, speedMps: number, ns: bigint): void {
  for (let t = 0n; t < ns; t += 20n * MS) {
    bench.run(20n * MS);
    bench.state(2, bench.clocks.realtimeNs, '', speedMps);
  }
}

/** A command may be 30 ms old when it is forwarded. */
const aged = {
  ...defaultCommandRules,
  settings: { ...defaultCommandRules.settings, maxAgeNs: 30n * MS },
};

const report = (bench: RealTimeBench, id = 2) =>
  bench.session.controllers().find((controller) => controller.id === id);
const stopCommands = (bench: RealTimeBench) =>
  only(bench.log, 'commandVehicle').filter(({ cause }) => cause === 'stop');
const kindsOfStops = (bench: RealTimeBench) =>
  stopCommands(bench).map(({ command }) => command.kind);

describe('a middleware that was held up', () => {
  it('judges no controller for the period in which it was', () => {
    const bench = supervised();
    bench.start();
    bench.clocks.monotonicNs += 2n * P + 3n * MS;
    bench.run(P - 4n * MS);
    expect(only(bench.log, 'periodsSkipped')).toMatchObject([{ count: 1 }]);
    expect(report(bench)).toMatchObject({ replies: 0, misses: 0 });
    bench.run(P);
    expect(report(bench)).toMatchObject({ replies: 0, misses: 1 });
  });

  it('counts a reply that it handed on too late, and its vehicle is stopped all the same', () => {
    const bench = silent({ stopAfterNs: S }, { rules: aged });
    const stamp = bench.nextStart();
    const receivedAtNs = bench.clocks.monotonicNs;
    bench.clocks.monotonicNs += 40n * MS;
    bench.command(speedCommand(2, stamp), receivedAtNs);
    expect(only(bench.log, 'refuseCommand')).toMatchObject([{ code: 'HLC_COMMAND_TOO_OLD' }]);
    expect(report(bench)).toMatchObject({ replies: 2, misses: 0 });
    for (let handedOn = 0; handedOn < 30 && stopCommands(bench).length === 0; handedOn++) {
      const next = bench.nextStart();
      const atNs = bench.clocks.monotonicNs;
      bench.clocks.monotonicNs += 40n * MS;
      bench.command(speedCommand(2, next), atNs);
    }
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'silent' }]);
  });

  it('counts no reply that was too old at its reception', () => {
    const bench = silent({}, { rules: aged });
    for (let k = 0; k < 3; k++) {
      const stamp = bench.nextStart();
      bench.clocks.monotonicNs += 40n * MS;
      bench.command(speedCommand(2, stamp));
    }
    bench.run(P);
    expect(report(bench)).toMatchObject({ replies: 1, misses: 3 });
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'misses' }]);
  });
});

it('forwards nothing to a vehicle that a guard has stopped, also before the first period', () => {
  const bench = supervised({ policy: 'log' }, { rules: cpmLabCommandRules });
  const { realtimeNs, monotonicNs } = bench.clocks;
  bench.command(speedCommand(2, realtimeNs));
  bench.handle({
    kind: 'vehiclesStopped',
    cause: 'guard',
    ids: 'all',
    sent: [],
    atNs: monotonicNs,
  });
  const [effect] = bench.command(speedCommand(2, realtimeNs + MS));
  expect(effect).toMatchObject({ kind: 'refuseCommand', code: 'HLC_COMMAND_NO_PERIOD' });
});

it('reports a start signal that went out just before the end of the run was decided', () => {
  const bench = silent();
  const prepared = only(bench.run(P - MS), 'prepareStart').at(-1);
  const slot = prepared?.slots.first;
  if (prepared === undefined || slot === undefined) expect.fail('nothing was prepared');
  const { startSignals } = bench.session;
  bench.clocks.monotonicNs = slot.notBeforeNs;
  const now = bench.clocks.read();
  bench.handle({ kind: 'stop', atNs: now.monotonicNs });
  expect(bench.session.phase).toBe('stopping');
  const { index, tNowNs } = slot;
  const late = bench.handle({ kind: 'startSent', plan: prepared.plan, index, tNowNs, now });
  expect(late).toMatchObject([{ kind: 'startSignalSent', tNowNs, standIn: false }]);
  expect(bench.session.startSignals).toBe(startSignals + 1);
});

describe('a controller that falls silent', () => {
  it('is out after the limit of misses, and its vehicle is stopped at that moment', () => {
    const bench = silent();
    const answeredAtNs = bench.clocks.monotonicNs;
    // Three missed periods, each judged a millisecond after its end.
    bench.run(4n * P + MS - 1n);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    bench.run(1n);
    expect(bench.clocks.monotonicNs - answeredAtNs).toBe(4n * P + MS);
    expect(only(bench.log, 'safeStop')).toEqual([
      { kind: 'safeStop', id: 2, cause: 'misses', latched: true },
    ]);
    const [stop] = stopCommands(bench);
    const stamp = { nanoseconds: bench.clocks.realtimeNs };
    expect(stop?.command).toEqual({
      kind: 'speedCurvature',
      message: {
        vehicle_id: 2,
        header: { create_stamp: stamp, valid_after_stamp: stamp },
        speed: 0,
        curvature: 0,
      },
    });
    expect(report(bench)).toMatchObject({ state: 'dead', latched: true, stopping: true });
  });

  it('is not out when it answers before, however late', () => {
    const bench = silent();
    bench.run(3n * P);
    bench.command(speedCommand(2, bench.clocks.realtimeNs));
    bench.run(3n * P);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    // The answer ended the row: the limit is counted anew.
    bench.run(2n * P);
    expect(only(bench.log, 'safeStop')).toHaveLength(1);
  });

  it('gets a stop in every period until its vehicle stands, and no longer', () => {
    const bench = silent();
    drive(bench, 1, 10n * P);
    const moving = stopCommands(bench).length;
    // The stop itself, and one every 50 ms since.
    expect(moving).toBe(6);
    drive(bench, 0, 30n * P);
    expect(only(bench.log, 'vehicleStopped')).toMatchObject([{ id: 2, outcome: 'atRest' }]);
    expect(report(bench)?.stopping).toBe(false);
    const resting = stopCommands(bench).length;
    drive(bench, 0, 10n * P);
    expect(stopCommands(bench)).toHaveLength(resting);
    // Pushed, or driving again for whatever reason.
    drive(bench, 1, 2n * P);
    expect(stopCommands(bench).length).toBeGreaterThan(resting);
  });

  it('gets no stop any more when its vehicle is gone', () => {
    const bench = silent();
    drive(bench, 1, 4n * P);
    bench.run(3n * S);
    expect(only(bench.log, 'vehicleStopped')).toMatchObject([{ id: 2, outcome: 'silent' }]);
    const sent = stopCommands(bench).length;
    bench.run(S);
    expect(stopCommands(bench)).toHaveLength(sent);
  });

  it('leaves nothing to be stopped when it never commanded its vehicle', () => {
    const bench = supervised();
    bench.start();
    bench.run(20n * P);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    expect(report(bench)?.state).toBe('late');
  });

  it('has no further misses reported once it is out', () => {
    const bench = silent();
    bench.run(20n * P);
    const last = only(bench.log, 'missed').at(-1);
    expect(last?.misses.map(({ id }) => id)).toEqual([1]);
    // The third is judged when the fourth period has begun and has asked it, too.
    expect(report(bench)?.misses).toBe(4);
  });

  it('does not count misses in its grace', () => {
    const bench = silent({ graceNs: 6n * P });
    bench.run(6n * P);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    bench.run(3n * P + MS);
    expect(only(bench.log, 'safeStop')).toHaveLength(1);
  });

  it('has its last command held for some periods, if that is wanted, and is then stopped', () => {
    const bench = silent({ policy: 'hold' });
    bench.run(8n * P);
    const own = only(bench.log, 'commandVehicle').map(({ cause, command }) => [
      cause,
      command.kind === 'speedCurvature' ? command.message.speed : null,
    ]);
    expect(own.slice(0, 3)).toEqual([
      ['hold', 1],
      ['hold', 1],
      ['stop', 0],
    ]);
    expect(report(bench)?.state).toBe('dead');
  });

  it('is late and nothing else by the policy to log', () => {
    const bench = silent({ policy: 'log' });
    bench.run(20n * P);
    expect(only(bench.log, 'commandVehicle')).toEqual([]);
    expect(report(bench)).toMatchObject({ state: 'late', misses: 18 });
  });
});

describe('a controller whose process is gone', () => {
  it('has its vehicle stopped at once', () => {
    const bench = silent();
    expect(kinds(bench.lost(2))).toEqual(['commandVehicle', 'safeStop', 'controllerChanged']);
    expect(only(bench.log, 'safeStop')).toEqual([
      { kind: 'safeStop', id: 2, cause: 'gone', latched: true },
    ]);
  });

  it('is waited for again when that was before the start', () => {
    const bench = supervised({}, { waitForStart: true });
    bench.ready(1);
    bench.ready(2);
    expect(bench.session.phase).toBe('waitingForStart');
    bench.lost(2);
    expect(bench.session.phase).toBe('waitingForControllers');
    const [missing] = only(bench.run(2n * S), 'controllersMissing');
    expect(missing?.ids).toEqual([2]);
    bench.ready(2, 12);
    expect(bench.session.phase).toBe('waitingForStart');
    expect(only(bench.log, 'controllerReady').map(({ id }) => id)).toEqual([1, 2, 2]);
  });
});

describe('a stopped controller', () => {
  it('that signs in again waits for a resume and the next start signal', () => {
    const bench = silent();
    bench.lost(2);
    bench.ready(2, 12);
    expect(report(bench)?.state).toBe('rejoining');
    const tNowNs = bench.nextStart();
    const [refusal] = only(bench.command(speedCommand(2, tNowNs), undefined, 12), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_NOT_TAKING_PART');
    expect(kinds(bench.resume())).toEqual(['resumed']);
    expect(report(bench)).toMatchObject({ state: 'rejoining', latched: false });
    const next = bench.nextStart();
    expect(report(bench)?.state).toBe('working');
    const effects = bench.command(speedCommand(2, next), undefined, 12);
    expect(kinds(effects)).toEqual(['forwardCommand', 'replied']);
    expect(report(bench)?.stopping).toBe(false);
  });

  it('that was only stalled is back with an answer to the start signal of now', () => {
    const bench = silent();
    bench.run(5n * P);
    // What it had in its queue from before is no sign of life.
    bench.command(speedCommand(2, bench.nextStart() - P));
    expect(report(bench)?.state).toBe('dead');
    bench.command(speedCommand(2, bench.nextStart()));
    expect(report(bench)).toMatchObject({ state: 'rejoining', latched: true });
    bench.resume([2]);
    bench.command(speedCommand(2, bench.nextStart()));
    expect(report(bench)).toMatchObject({ state: 'ready', latched: false });
  });

  it('cannot be resumed before it is back', () => {
    const bench = silent();
    bench.lost(2);
    expect(bench.resume()).toEqual([{ kind: 'resumeRefused', ids: [2] }]);
    expect(bench.resume([1])).toEqual([]);
    expect(report(bench)?.latched).toBe(true);
  });

  it('is resumed by a start trigger of the lab', () => {
    const bench = silent({ resume: 'trigger' }, { waitForStart: false });
    bench.lost(2);
    bench.ready(2, 12);
    expect(kinds(bench.trigger(bench.clocks.realtimeNs))).toEqual(['resumed']);
  });

  it('is not resumed by a start trigger of the lab where only a user may do that', () => {
    const bench = silent({ resume: 'manual' }, { waitForStart: false });
    bench.lost(2);
    bench.ready(2, 12);
    expect(kinds(bench.trigger(bench.clocks.realtimeNs))).toEqual([]);
    expect(report(bench)?.latched).toBe(true);
  });

  it('takes part by itself where that is wanted, and its vehicle is stopped until it commands', () => {
    const bench = silent({ resume: 'auto' });
    bench.lost(2);
    bench.ready(2, 12);
    bench.nextStart();
    expect(report(bench)).toMatchObject({ state: 'working', latched: false, stopping: true });
    const sent = stopCommands(bench).length;
    const next = bench.nextStart();
    expect(stopCommands(bench).length).toBeGreaterThan(sent);
    bench.command(speedCommand(2, next), undefined, 12);
    expect(report(bench)?.stopping).toBe(false);
  });

  it('is stopped once more when it does not go on after its first command', () => {
    const bench = silent();
    bench.lost(2);
    bench.ready(2, 12);
    bench.resume();
    bench.command(speedCommand(2, bench.nextStart()), undefined, 12);
    bench.run(5n * P);
    expect(only(bench.log, 'safeStop').map(({ cause }) => cause)).toEqual(['gone', 'misses']);
  });

  it('is named at the end', () => {
    const bench = silent();
    bench.lost(2);
    bench.trigger(stopSymbol);
    const [ended] = only(bench.run(2n * S), 'ended');
    expect(ended).toEqual(endedBy('stopTrigger', [2])[1]);
  });
});

describe('a second process with the id of a controller', () => {
  it('is refused and named once; what it says does not count', () => {
    const bench = supervised();
    const first = bench.start();
    expect(bench.ready(2, 12)).toEqual([
      { kind: 'secondController', id: 2, writer: writerOf(12), owner: writerOf(2).slice(0, 24) },
    ]);
    expect(bench.ready(2, 12)).toEqual([]);
    const effects = bench.command(speedCommand(2, first), undefined, 12);
    expect(kinds(effects)).toEqual(['refuseCommand']);
    expect(only(effects, 'refuseCommand')[0]?.code).toBe('HLC_COMMAND_OTHER_WRITER');
    expect(report(bench)?.replies).toBe(0);
    bench.command(speedCommand(2, first));
    expect(report(bench)?.replies).toBe(1);
  });

  it('does not count as a reply, either, where such commands are forwarded', () => {
    const bench = supervised({}, { rules: cpmLabCommandRules });
    const first = bench.start();
    const effects = bench.command(speedCommand(2, first), undefined, 12);
    expect(kinds(effects)).toEqual(['forwardCommand', 'secondController']);
    expect(report(bench)?.replies).toBe(0);
  });

  it('takes its place when the first one is dead', () => {
    const bench = silent();
    bench.ready(2, 12);
    bench.run(5n * P);
    expect(only(bench.log, 'safeStop')).toHaveLength(1);
    expect(report(bench)?.state).toBe('rejoining');
    bench.resume();
    const next = bench.nextStart();
    expect(kinds(bench.command(speedCommand(2, next), undefined, 12))).toContain('replied');
    // The first one wakes up, and is the second one now.
    const late = only(bench.command(speedCommand(2, next + MS)), 'refuseCommand');
    expect(late.map(({ code }) => code)).toEqual(['HLC_COMMAND_OTHER_WRITER']);
  });
});

describe('where commands are forwarded that fail a check', () => {
  it('a vehicle is stopped with all kinds of commands that it may obey', () => {
    const bench = supervised({}, { rules: cpmLabCommandRules });
    const first = bench.start();
    bench.command(speedCommand(2, first));
    const header = speedCommand(2, first).message.header;
    const broken = { vehicle_id: 2, header, trajectory_points: [] };
    bench.command({ kind: 'trajectory', message: broken });
    bench.state(2, bench.clocks.realtimeNs, '');
    bench.lost(2);
    expect(kindsOfStops(bench)).toEqual(['speedCurvature', 'trajectory']);
  });

  it('a vehicle is stopped at each time from which a command holds', () => {
    const rules = { ...cpmLabCommandRules };
    const bench = supervised({}, { rules });
    const first = bench.start();
    for (const aheadNs of [0n, 100n * MS, 200n * MS, 300n * MS]) {
      const command = speedCommand(2, first);
      const valid_after_stamp = { nanoseconds: first + aheadNs };
      const header = { ...command.message.header, valid_after_stamp };
      bench.command({ kind: 'speedCurvature', message: { ...command.message, header } });
    }
    bench.lost(2);
    const times = stopCommands(bench).map(
      ({ command: { message } }) => message.header.valid_after_stamp.nanoseconds - first,
    );
    expect(times.slice(0, 3)).toEqual([300n * MS + 1n, 200n * MS + 1n, 100n * MS + 1n]);
    expect(times[3]).toBeLessThan(100n * MS);
  });

  it('a second process does not end the stop of a vehicle', () => {
    const bench = silent({ resume: 'auto' }, { rules: cpmLabCommandRules });
    bench.lost(2);
    bench.ready(2, 12);
    const next = bench.nextStart();
    expect(report(bench)?.stopping).toBe(true);
    bench.command(speedCommand(2, next), undefined, 13);
    expect(report(bench)?.stopping).toBe(true);
    bench.command(speedCommand(2, next), undefined, 12);
    expect(report(bench)?.stopping).toBe(false);
  });
});

describe('a stop during which the wall clock is set back', () => {
  it('never asks for more speed than there was', () => {
    const bench = supervised();
    const first = bench.start();
    const { header } = speedCommand(2, first).message;
    const pose = { x: 0, y: 0, yaw: 0 };
    const path = [
      { pose, s: 0 },
      { pose, s: 4 },
    ];
    bench.command({ kind: 'pathTracking', message: { vehicle_id: 2, header, path, speed: 1 } });
    bench.lost(2);
    bench.clocks.aheadNs -= 3600n * S;
    bench.run(20n * P);
    // Those that hold from later on outrank the command of before the step; they do not brake.
    const holdNow = stopCommands(bench).filter(
      ({ command: { message } }, i) =>
        i === 0 || message.header.valid_after_stamp.nanoseconds < first,
    );
    const speeds = holdNow.map(({ command }) =>
      command.kind === 'pathTracking' ? command.message.speed : Number.NaN,
    );
    expect(speeds.length).toBeGreaterThan(10);
    expect(Math.max(...speeds)).toBe(1);
    expect(speeds.at(-1)).toBe(0);
    expect([...speeds].sort((a, b) => b - a)).toEqual(speeds);
  });
});

describe('a controller that the middleware did not wait for', () => {
  it('is admitted with the next start signal, and its vehicle is listed', () => {
    const bench = supervised({}, { admit: 'any', listAdmitted: true });
    const first = bench.start();
    expect(bench.ready(9)).toEqual([{ kind: 'controllerReady', id: 9, admitted: true }]);
    const [refusal] = only(bench.command(speedCommand(9, first)), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_NOT_TAKING_PART');
    const next = bench.nextStart();
    const signal = only(bench.log, 'startSignalSent').at(-1);
    expect(signal?.activeVehicleIds).toEqual([1, 2, 7, 9]);
    expect(signal?.states.map(({ vehicleId }) => vehicleId)).toEqual([1, 2, 7, 9]);
    expect(kinds(bench.command(speedCommand(9, next)))).toEqual(['forwardCommand', 'replied']);
  });

  it('is not admitted unless that is wanted, and never with a wrong name', () => {
    const bench = supervised();
    bench.start();
    expect(kinds(bench.ready(9))).toEqual(['unknownController']);
    const open = supervised({}, { admit: 'any' });
    open.start();
    const atNs = open.clocks.monotonicNs;
    const signal = { kind: 'readySignal', sourceId: 'hlc_256', writer: null } as const;
    expect(kinds(open.handle({ ...signal, receivedAtNs: atNs }))).toEqual(['unknownController']);
    expect(open.session.controllers()).toHaveLength(2);
  });
});

describe('the end of a run', () => {
  it('brings every vehicle to rest that was commanded in it', () => {
    const bench = silent();
    const effects = bench.handle({ kind: 'stop', atNs: bench.clocks.monotonicNs });
    expect(kinds(effects)).toEqual(['cancelStart', 'ending', 'commandVehicle']);
    expect(bench.session.phase).toBe('stopping');
    const later = bench.run(2n * S);
    expect(only(later, 'commandVehicle').length).toBeGreaterThan(10);
    expect(only(later, 'ended')).toEqual(endedBy('stopped').slice(1));
    expect(only(effects, 'commandVehicle')[0]?.command.message).toMatchObject({
      vehicle_id: 2,
      speed: 0,
    });
  });
});

describe('an overrun of the middleware itself', () => {
  const stalled = (overrun: OverrunPolicy, periods: bigint) => {
    const bench = supervised({}, { overrun });
    const first = bench.start();
    bench.clocks.monotonicNs += periods * P + P / 5n;
    const effects = bench.wake();
    return { bench, first, effects };
  };

  it('ends the run where that is wanted', () => {
    const { effects, bench } = stalled({ kind: 'halt' }, 2n);
    expect(effects.at(-1)).toEqual(endedBy('overrun')[1]);
    expect(bench.session.wakeAtNs).toBeNull();
  });

  it('is made up for where that is wanted, with half a period between the start signals', () => {
    const { bench, first, effects } = stalled({ kind: 'catchUp', limit: 2 }, 5n);
    // Of the five that are late, three are left out.
    expect(only(effects, 'periodsSkipped')).toEqual([{ kind: 'periodsSkipped', count: 3 }]);
    const startedAtNs = bench.clocks.monotonicNs;
    bench.run(4n * P);
    const starts = only(bench.log, 'startSignalSent').map(({ tNowNs }) => (tNowNs - first) / P);
    expect(starts).toEqual([0n, 4n, 5n, 6n, 7n, 8n, 9n]);
    expect(bench.clocks.monotonicNs - startedAtNs).toBe(4n * P);
    const late = only(bench.log, 'startSignalSent').map(({ latenessNs }) => latenessNs);
    expect(late.at(-1)).toBe(0n);
  });
});

describe('a stopped controller that is back', () => {
  it('waits for a resume where it has to', () => {
    const changes = (resume: 'manual' | 'auto') => {
      const bench = silent({ resume });
      bench.lost(2);
      return only(bench.ready(2, 12), 'controllerChanged').map(({ to, latched }) => [to, latched]);
    };
    expect(changes('manual')).toEqual([['rejoining', true]]);
    expect(changes('auto')).toEqual([['rejoining', false]]);
  });
});

describe('a run that begins with a latched controller', () => {
  const latched = (
    resume: SupervisionRule['resume'],
    changes: ConstructorParameters<typeof RealTimeBench>[0] = {},
    sent: readonly Command['kind'][] = ['pathTracking'],
  ) => {
    const rule: SupervisionRule = {
      policy: 'stop',
      missLimit: 3,
      stopAfterNs: null,
      graceNs: 0n,
      holdPeriods: 1,
      resume,
    };
    const supervision = {
      ruleOf: () => rule,
      stops,
      latched: [{ id: 2, kinds: sent }],
    };
    return new RealTimeBench({ supervision, ...changes });
  };

  it('stops its vehicle once more, which may still move', () => {
    const bench = latched('manual', {}, ['trajectory', 'pathTracking']);
    bench.run(100n * MS);
    // Without a place, a trajectory would be a way to somewhere.
    expect(new Set(kindsOfStops(bench))).toEqual(new Set(['pathTracking']));
    bench.state(2, bench.clocks.realtimeNs, '', 1.1);
    bench.run(100n * MS);
    expect(new Set(kindsOfStops(bench))).toEqual(new Set(['pathTracking', 'trajectory']));
    for (const { command } of stopCommands(bench)) {
      if (command.kind !== 'pathTracking') continue;
      expect(command.message.speed).toBe(0);
      expect(command.message.path.length).toBeGreaterThan(1);
    }
    expect(report(bench)?.stopping).toBe(true);
  });

  it('forwards nothing to its vehicle until a resume', () => {
    const bench = latched('manual');
    bench.command(speedCommand(2, bench.start()));
    expect(only(bench.log, 'forwardCommand')).toEqual([]);
    expect(report(bench)).toMatchObject({ state: 'rejoining', latched: true });
    bench.resume([2]);
    bench.command(speedCommand(2, bench.nextStart()));
    expect(only(bench.log, 'forwardCommand')).toHaveLength(1);
  });

  it.each(['trigger', 'manual'] as const)(
    'resumes it by the trigger of the start: %s',
    (resume) => {
      for (const when of ['before', 'after'] as const) {
        const bench = latched(resume, { waitForStart: true });
        if (when === 'before') bench.trigger(0n);
        bench.ready(1);
        bench.ready(2);
        if (when === 'after') bench.trigger(0n);
        expect(report(bench)?.latched).toBe(resume === 'manual');
      }
    },
  );
});

describe('a stop of the guard', () => {
  const stoppedByGuard = (
    bench: RealTimeBench,
    ids: readonly number[] | 'all' = 'all',
    sent: readonly ReportedVehicle[] = [],
  ) =>
    bench.handle({
      kind: 'vehiclesStopped',
      cause: 'guard',
      ids,
      sent,
      atNs: bench.clocks.monotonicNs,
    });

  it('latches a vehicle that drives, whatever its policy is', () => {
    const bench = supervised();
    const startNs = bench.start();
    bench.command(speedCommand(1, startNs));
    bench.command(speedCommand(2, startNs));
    const effects = stoppedByGuard(bench);
    expect(only(effects, 'safeStop').map(({ id, cause, latched }) => [id, cause, latched])).toEqual(
      [
        [1, 'guard', true],
        [2, 'guard', true],
      ],
    );
    // The states of now come first.
    expect(only(effects, 'commandVehicle')).toEqual([]);
    const later = only(bench.run(50n * MS), 'commandVehicle');
    expect(new Set(later.map(({ id }) => id))).toEqual(new Set([1, 2]));
  });

  it('goes on with the stop of a vehicle that another run drove', () => {
    const bench = supervised();
    const stampNs = bench.clocks.realtimeNs + 5n * MS;
    const stamps = { newestCreateNs: stampNs, newestValidNs: stampNs, obeyedUntilNs: null };
    stoppedByGuard(bench, [2], [{ id: 2, kinds: ['speedCurvature', 'pathTracking'], ...stamps }]);
    bench.state(2, bench.clocks.realtimeNs, '', 1);
    bench.run(200n * MS);
    const stops = stopCommands(bench).filter(({ id }) => id === 2);
    expect(new Set(stops.map(({ command }) => command.kind))).toEqual(
      new Set(['speedCurvature', 'pathTracking']),
    );
    for (const { command } of stops) {
      expect(command.message.header.create_stamp.nanoseconds).toBeGreaterThan(stampNs);
    }
  });

  it('makes a vehicle stand that is being braked, as the guard has commanded it', () => {
    const bench = supervised();
    const startNs = bench.start();
    bench.command({
      kind: 'pathTracking',
      message: {
        ...speedCommand(2, startNs).message,
        path: [0, 1, 0].map((x, s) => ({ pose: { x, y: 0, yaw: 0 }, s })),
        speed: 1,
      },
    });
    drive(bench, 1, 10n * MS);
    bench.lost(2);
    bench.run(50n * MS);
    const speeds = () =>
      stopCommands(bench).map(({ command }) =>
        command.kind === 'pathTracking' ? command.message.speed : 0,
      );
    expect(speeds().at(-1)).toBeGreaterThan(0.5);
    stoppedByGuard(bench, [2]);
    const before = speeds().length;
    drive(bench, 0.8, 100n * MS);
    expect(speeds().slice(before)).not.toEqual([]);
    expect(new Set(speeds().slice(before))).toEqual(new Set([0]));
  });

  it('latches a controller that is not there yet', () => {
    const bench = supervised();
    stoppedByGuard(bench, [2, 7]);
    expect(only(bench.log, 'safeStop').map(({ id }) => id)).toEqual([2]);
    bench.command(speedCommand(2, bench.start()));
    expect(only(bench.log, 'forwardCommand')).toEqual([]);
    bench.resume();
    bench.command(speedCommand(2, bench.nextStart()));
    expect(only(bench.log, 'forwardCommand')).toHaveLength(1);
  });
});

describe('a vehicle that an earlier run stopped', () => {
  const latched = [7].map((id) => ({ id, kinds: ['speedCurvature'] as const }));

  it('is stopped also without a controller in this run', () => {
    const bench = new RealTimeBench({ supervision: { ...loggedOnly, latched } });
    bench.run(S);
    expect(stopCommands(bench).map(({ id }) => id)).toContain(7);
  });

  it('waits for a resume when its controller is admitted', () => {
    const ruleOf = () => ({ ...loggedOnly.ruleOf(7), resume: 'manual' as const });
    const bench = new RealTimeBench({
      admit: 'any',
      supervision: { ...loggedOnly, ruleOf, latched },
    });
    bench.ready(7);
    expect(report(bench, 7)).toMatchObject({ state: 'rejoining', latched: true });
  });
});

describe('a vehicle of no controller whose commands pass', () => {
  const flagged = { ...defaultCommandRules, policies: policyForAll('flag') };
  const strayed = (rule: Partial<SupervisionRule> = {}) => {
    const stray = { policy: 'stop', missLimit: 3, graceNs: 0n, holdPeriods: 2 } as const;
    const ruleOf = () => ({ ...stray, stopAfterNs: 200n * MS, resume: 'auto' as const, ...rule });
    const supervision = { ruleOf, stops, latched: [] };
    const bench = new RealTimeBench({ supervision, rules: flagged });
    bench.command(speedCommand(7, bench.start()));
    return bench;
  };

  it('is stopped when they cease to come, and latched, whatever the policy of resume is', () => {
    const bench = strayed();
    for (let i = 0; i < 6; i++) {
      bench.run(50n * MS);
      bench.command(speedCommand(7, bench.clocks.realtimeNs));
    }
    expect(only(bench.log, 'safeStop')).toEqual([]);
    bench.run(250n * MS);
    const stopped = { kind: 'safeStop', id: 7, cause: 'silent', latched: true };
    expect(only(bench.log, 'safeStop')).toContainEqual(stopped);
    expect(stopCommands(bench).some(({ id }) => id === 7)).toBe(true);
    const [refused] = bench.command(speedCommand(7, bench.clocks.realtimeNs));
    expect(refused).toMatchObject({ kind: 'refuseCommand', code: 'HLC_COMMAND_UNKNOWN_VEHICLE' });
    bench.handle({ kind: 'resume', ids: [7], atNs: bench.clocks.monotonicNs });
    const [passed] = bench.command(speedCommand(7, bench.clocks.realtimeNs));
    expect(passed).toMatchObject({ kind: 'forwardCommand' });
  });

  it('is known to a guard, and stopped after a stall', () => {
    const bench = strayed();
    const sent = bench.session.sentCommands().find(({ id }) => id === 7);
    expect(sent?.kinds).toEqual(['speedCurvature']);
    const atNs = bench.clocks.monotonicNs;
    bench.handle({ kind: 'vehiclesStopped', cause: 'stalled', ids: 'all', sent: [], atNs });
    expect(only(bench.log, 'safeStop').map(({ id }) => id)).toContain(7);
  });

  it('is not stopped where misses are only logged', () => {
    const bench = strayed({ policy: 'log' });
    bench.run(2n * S);
    expect(only(bench.log, 'safeStop')).toEqual([]);
  });
});
