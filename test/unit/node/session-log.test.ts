import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkCodes } from '../../../src/core/index.js';
import { SessionLog } from '../../../src/node/observers/session-log.js';
import { sessionSettings } from '../../../src/node/middleware/session-factory.js';
import type { ReceivedCommand } from '../../../src/sides/index.js';
import { parse } from '../config/parse.js';

const check = 'notTakingPart';

interface Entry {
  readonly level: number;
  readonly msg: string;
  readonly suppressed?: number;
}

let entries: Entry[];
let nowNs: bigint;
let log: SessionLog;

beforeEach(() => {
  entries = [];
  nowNs = 0n;
  const write = (line: string) => void entries.push(JSON.parse(line) as Entry);
  log = new SessionLog(pino({}, { write }), () => nowNs, { lab: 0, controllers: 1 });
});

it.each<[string, () => void]>([
  ['a controller without a reader', () => log.deaf('hlc_1')],
  ['a reader that does not fit', () => log.incompatibleQos('vehicleState', 'reader', 'DURABILITY')],
  ['bytes that are no sample', () => log.malformed('readyStatus', '01'.repeat(16), 'too short')],
])('%s is logged once per second at most, with how many were left out', (_, warn) => {
  for (let i = 0; i < 1000; i++) warn();
  expect(entries).toHaveLength(1);
  nowNs += 1_000_000_000n;
  warn();
  expect(entries).toHaveLength(2);
  expect(entries[1]?.suppressed).toBe(999);
});

it('logs the refused commands of a controller that is out once in 10 s, those of each vehicle', () => {
  const refuse = (id: number) => {
    const violation = { check, code: checkCodes[check], details: { vehicleId: id } } as const;
    const command = { writerGuid: '01'.repeat(16) } as ReceivedCommand;
    const { code } = violation;
    log.effect({ kind: 'refuseCommand', id, code, command, violations: [violation] });
  };
  refuse(1);
  refuse(2);
  for (const id of [1, 2]) {
    expect(entries[id - 1]?.msg).toContain(
      `vehicle ${id} came from a controller that does not take part`,
    );
  }
  for (let s = 1; s < 10; s++) {
    nowNs += 1_000_000_000n;
    refuse(1);
  }
  expect(entries).toHaveLength(2);
  nowNs += 1_000_000_000n;
  refuse(1);
  expect(entries.at(-1)?.suppressed).toBe(9);
});

it('shows the name of a peer without control characters, and not at any length', () => {
  const name = `\u001b]0;${'x'.repeat(10_000)}`;
  log.deaf(name);
  log.effect({ kind: 'unknownController', sourceId: name });
  expect(entries).toHaveLength(2);
  for (const entry of entries) {
    const text = Object.values(entry).join(' ');
    expect(text).toContain('\\u{1b}]0;xxx');
    expect(text).not.toMatch(/\p{Cc}/u);
    expect(text.length).toBeLessThan(500);
  }
});

it('warns of a stopped vehicle only where it is not known to stand', () => {
  log.effect({ kind: 'vehicleStopped', id: 1, outcome: 'atRest', afterNs: 1n });
  log.effect({ kind: 'vehicleStopped', id: 2, outcome: 'silent', afterNs: 1n });
  // There time stands at the end, and with it the states.
  const simulated = parse('--simulated-time --period-ms=50');
  log.begun(sessionSettings(simulated, { periodNs: 50_000_000n, activeVehicleIds: [1] }, []));
  log.effect({ kind: 'vehicleStopped', id: 2, outcome: 'silent', afterNs: 1n });
  log.effect({ kind: 'ending', reason: 'stopped' });
  log.effect({ kind: 'vehicleStopped', id: 2, outcome: 'silent', afterNs: 1n });
  expect(entries.map(({ level }) => level)).toEqual([30, 40, 40, 30, 30]);
  expect(entries.at(2)?.msg).toBe('no state from vehicle 2; stop commands to it end');
  expect(entries.at(-1)?.msg).toBe(
    'vehicle 2 got its stop commands; simulated time has ended, so it sends no further state',
  );
});

it('warns of a vehicle that moves again after its stop', () => {
  log.effect({ kind: 'vehicleMovesAgain', id: 3 });
  expect(entries).toMatchObject([
    {
      level: 40,
      vehicle: 3,
      msg: 'vehicle 3 moves again in spite of its stop: it is stopped again',
    },
  ]);
});

it('names the vehicles that may still move at the end of a run, and what to do', () => {
  log.effect({ kind: 'ended', reason: 'stopped', latched: [], moving: [] });
  expect(entries).toEqual([]);
  log.effect({ kind: 'ended', reason: 'stopped', latched: [], moving: [1, 2] });
  expect(entries).toMatchObject([{ level: 50, vehicles: [1, 2] }]);
  expect(entries[0]?.msg).toMatch(
    /^vehicles 1, 2 may still move: .*the emergency stop of your lab$/,
  );
});

describe('a hang of this program', () => {
  const hang = (cause: 'stalled' | 'guard') =>
    log.event({ kind: 'vehiclesStopped', cause, ids: 'all', sent: [], atNs: 0n });

  it('is reported with the stop trigger, which ended the controllers, also where no stop follows', () => {
    hang('guard');
    expect(entries).toEqual([]);
    hang('stalled');
    expect(entries).toMatchObject([{ level: 50 }]);
    expect(entries[0]?.msg).toContain(
      'it sent the stop trigger to the controllers, which ends them',
    );
    expect(entries[0]?.msg).toContain('start the controllers again');
  });

  it.each([
    [true, '; start its controller again, then "hlc-middleware resume 1" lets it go on'],
    [false, '; start its controller again'],
  ])('stops a vehicle until its controller is started again (latched: %s)', (latched, end) => {
    log.effect({ kind: 'safeStop', id: 1, cause: 'stalled', latched });
    expect(entries[0]?.msg).toBe(
      `vehicle 1 is being stopped: this program stood still for longer than --hang-limit-ms, and sent the controllers the stop trigger${end}`,
    );
  });
});

it('names one controller in the singular', () => {
  const missing = (ids: number[], awaited: 'readySignal' | 'reply') =>
    log.effect({ kind: 'controllersMissing', ids, awaited, waitedNs: 1n });
  missing([1], 'readySignal');
  missing([1, 2], 'readySignal');
  missing([1], 'reply');
  missing([1, 2], 'reply');
  expect(entries.map(({ msg }) => msg)).toEqual([
    'waiting for the ready signal of controller 1 on DDS domain 1',
    'waiting for the ready signals of controllers 1, 2 on DDS domain 1',
    'waiting for the reply of controller 1 on DDS domain 1',
    'waiting for the replies of controllers 1, 2 on DDS domain 1',
  ]);
});

describe('a miss', () => {
  const start = (tNowNs: bigint, latenessNs: bigint, standIn = false) => {
    const signal = { tNowNs, periodNs: 50_000_000n, activeVehicleIds: [1] };
    const content = { ...signal, states: [], observations: [] };
    log.effect({ ...content, kind: 'startSignalSent', latenessNs, standIn });
  };
  const miss = (tNowNs: bigint) => {
    const misses = [{ id: 1, consecutive: 1 }];
    log.effect({ kind: 'missed', tNowNs, misses });
    return entries.at(-1)?.msg;
  };
  const stop = (id: number) => {
    log.effect({ kind: 'safeStop', id, cause: 'misses', latched: false });
    return entries.at(-1)?.msg;
  };

  it('is of the controller alone where the start signal was in time', () => {
    start(0n, 5_000_000n);
    start(50n, 30_000_000n);
    expect(miss(0n)).toBe('period missed by controller 1');
    expect(stop(1)).toBe(
      'vehicle 1 is being stopped: its controller missed too many periods in a row',
    );
  });

  it.each([
    [30_200_000n, false, 'was 30.2 ms late'],
    [5_000_000n, true, 'had the states of an earlier period'],
  ])('names a start signal that was late by %s ns (stand-in: %s)', (latenessNs, standIn, what) => {
    start(0n, latenessNs, standIn);
    for (const tNowNs of [50n, 100n]) start(tNowNs, 0n);
    expect(miss(0n)).toContain(`; the start signal of this period ${what}, so the cause may be`);
    expect(stop(1)).toContain(`; the start signal of this period ${what}, so the cause may be`);
    expect(miss(50n)).toBe('period missed by controller 1');
    expect(stop(1)).not.toContain('start signal');
  });
});

it('warns of start signals with the states of an earlier period, once a second', () => {
  const sent = (standIn: boolean) => {
    const signal = { tNowNs: nowNs, periodNs: 50_000_000n, activeVehicleIds: [1] };
    const content = { ...signal, states: [], observations: [] };
    log.effect({ ...content, kind: 'startSignalSent', latenessNs: 5n, standIn });
  };
  sent(false);
  expect(entries).toEqual([]);
  for (let i = 0; i < 3; i++) sent(true);
  nowNs += 1_000_000_000n;
  sent(true);
  expect(entries.map(({ suppressed }) => suppressed)).toEqual([undefined, 2]);
  expect(entries[0]?.msg).toContain('carries the states of an earlier period');
});

it('a hold for a recorder is no pause in the log, and a pause of the user in it is one', () => {
  const paused = { kind: 'paused', nextNs: 5n } as const;
  log.held(true, false);
  log.effect(paused);
  log.held(false, false);
  expect(entries.map(({ msg }) => msg)).toEqual([expect.stringContaining('waits for a recorder')]);
  entries = [];
  log.held(true, false);
  log.effect(paused);
  log.held(false, true);
  expect(entries.map(({ msg }) => msg)).toEqual(['paused']);
  log.effect(paused);
  expect(entries).toHaveLength(2);
});
