import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkCommand, cpmLabCommandRules } from '../../../src/core/index.js';
import { CpmLabLog } from '../../../src/node/observers/cpm-lab-log.js';
import type { NodeEffect } from '../../../src/node/observers/session-observer.js';
import type { ReceivedCommand } from '../../../src/sides/index.js';
import { directCommand, type AnyCommand } from '../../support/commands.js';

const ms = 1_000_000n;
const written = { written: true, latenessNs: 0n };
const periodStartNs = 1_000_000n * ms;
/** The wall clock is ahead of the monotonic one by this, ns. */
const aheadNs = 900_000n * ms;

let lines: string[];
let log: CpmLabLog;
beforeEach(() => {
  lines = [];
  log = newLog(false);
});

function newLog(simulatedTime: boolean): CpmLabLog {
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg);
  return new CpmLabLog(pino({}, { write }), simulatedTime);
}

function at(realtimeNs: bigint) {
  return { realtimeNs, monotonicNs: realtimeNs - aheadNs };
}

function received(command: AnyCommand): ReceivedCommand {
  return { ...command, bytes: new Uint8Array(), writerGuid: '0'.repeat(32) };
}

/** The flagged command as core reports it. */
function flagged(command: AnyCommand, assigned = true): NodeEffect {
  const nowNs = periodStartNs + ms;
  const context = { assigned, owned: true, takesPart: true, periodFromNs: periodStartNs };
  const violations = checkCommand(
    command,
    { ...context, lastCreateNs: undefined, movesFromNs: undefined, nowNs, forwardedNs: nowNs },
    cpmLabCommandRules.settings,
  );
  const { vehicle_id: id } = command.message;
  return { kind: 'flagCommand', id, command: received(command), violations };
}

function perform(effect: NodeEffect, nowNs = periodStartNs + ms): void {
  log.effect(effect, written, at(nowNs));
}

function path(...points: readonly (readonly [s: number, x: number])[]): AnyCommand {
  const stamp = { nanoseconds: periodStartNs };
  return {
    kind: 'pathTracking',
    message: {
      vehicle_id: 3,
      header: { create_stamp: stamp, valid_after_stamp: stamp },
      path: points.map(([s, x]) => ({ s, pose: { x, y: x, yaw: 0 } })),
      speed: 1,
    },
  };
}

describe('the log in the words of the CPM Lab', () => {
  it('has one entry for each check that a command failed', () => {
    perform(flagged(directCommand(3, periodStartNs + 2n * ms)));
    perform(flagged(directCommand(3, periodStartNs - 1n)));
    perform(flagged(directCommand(9, periodStartNs), false));
    expect(lines).toEqual([
      'Middleware (ID 3) received creation stamp from HLC script that lies in the future - this must be a mistake',
      'Middleware (ID 3): Received HLC message missed the current period',
      'Middleware received vehicle ID 9 from HLC script - ID was not set to be used!',
    ]);
  });

  it('has one entry for each place of a path and each coordinate that is wrong', () => {
    perform(flagged(path([1, 0], [1, 1], [0, 2])));
    expect(lines).toEqual([
      'Middleware (ID 3): HLC script sent invalid first path point, s must be 0',
      'Middleware (ID 3): HLC script sent invalid path points, s must be increasing',
      'Middleware (ID 3): HLC script sent invalid path points, s must be increasing',
      'Middleware (ID 3): HLC script sent invalid path points, first and last x value differ',
      'Middleware (ID 3): HLC script sent invalid path points, first and last y value differ',
    ]);
  });

  it('reports every command of a whole lab, and counts what a faulty controller sends beyond it', () => {
    const late = flagged(directCommand(3, periodStartNs - 1n));
    for (let i = 0; i < 1500; i++) perform(late);
    expect(lines).toHaveLength(1000);
    perform(late, periodStartNs + 1500n * ms);
    expect(lines).toHaveLength(1001);
  });

  it('names a miss with the last response of the controller', () => {
    const signal = { tNowNs: periodStartNs, periodNs: 50n * ms, activeVehicleIds: [], states: [] };
    perform({
      ...signal,
      observations: [],
      kind: 'startSignalSent',
      latenessNs: 0n,
      standIn: false,
    });
    const command = received(directCommand(1, periodStartNs));
    const receivedNs = periodStartNs + 3n * ms;
    log.event(
      { kind: 'command', command, writer: null, receivedAtNs: receivedNs - aheadNs, atNs: 0n },
      at(receivedNs + ms),
    );
    const judgedNs = periodStartNs + 151n * ms;
    const misses = [1, 2].map((id) => ({ id, consecutive: 2 }));
    perform({ kind: 'missed', tNowNs: periodStartNs + 100n * ms, misses }, judgedNs);
    expect(lines).toEqual([
      `Timestep missed by HLC number 1, last response: ${receivedNs}, current time: ${judgedNs}, periods missed: 2`,
      'HLC number 2 has not yet sent any data',
    ]);
  });

  it('names no misses in simulated time, where replies are waited for', () => {
    log = newLog(true);
    perform({ kind: 'missed', tNowNs: 0n, misses: [{ id: 1, consecutive: 1 }] });
    perform({ kind: 'controllersMissing', ids: [2, 3], awaited: 'reply', waitedNs: 0n });
    perform({ kind: 'controllersMissing', ids: [2, 3], awaited: 'readySignal', waitedNs: 0n });
    expect(lines).toEqual([
      'Still waiting for a response from HLC with ID 2 (and potentially others)',
      'Still waiting for ready messages from the HLC in the Middleware for IDs: hlc_2 | hlc_3 | ',
    ]);
  });

  it('names skipped periods', () => {
    perform({ kind: 'periodsSkipped', count: 4 });
    expect(lines).toEqual(['TimerFD: Periods missed: 4']);
  });
});
