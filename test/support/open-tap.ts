import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Tap, type TapOptions } from '../../src/node/tap/tap.js';
import type { RemoteAgentStatus } from '../../src/remote/index.js';
import type { TapSummary } from '../../src/tap/index.js';
import { temporaryFolder } from './temporary-folder.js';

/** A summary of a run with one controller. */
export const oneController: TapSummary = {
  phase: 'running',
  timeNs: null,
  periodNs: 50_000_000n,
  controllers: [{ id: 1, state: 'ready', latched: false, stopping: false, replies: 7, misses: 2 }],
  summary: {
    periods: 9,
    start_signals: 9,
    start_signals_repeated: 0,
    skipped_periods: 0,
    event_loop_stalls: 2,
    event_loop_stall_max_us: 61_000,
    commands_forwarded: { vehicleCommandDirect: 7 },
    commands_refused: { HLC_COMMAND_TOO_OLD: 3 },
    commands_flagged: {},
    own_commands: { hold: 0, stop: 4 },
    output_lines_lost: 0,
    observers_removed: 1,
    second_controllers: 3,
    writes_failed: {},
    samples_malformed: {},
    controllers: {
      '1': {
        replies: 7,
        misses: 2,
        late_replies: 1,
        commands_refused: 3,
        safe_stops: 1,
        latched: false,
        reply_time_us: { p50: 1500, p99: 9000, max: 9500 },
      },
    },
    start_signal_lateness_us: { p50: 30, p99: 80, max: 90 },
    reply_time_us: { p50: 1500, p99: 9000, max: 9500 },
    vehicles: { '1': { distance_m: 1.5, states_received: 50, stale_periods: 0 } },
  },
};

/** A vehicle of another simulation. */
export const remoteAgent: RemoteAgentStatus = {
  source: 'synchrono_gateway_3',
  node: 1,
  agent: 2,
  kind: 'wheeled',
  vehicle_id: 10,
  parts: { wheels: 6 },
  files: { chassis_vis_file: 'sedan.obj', wheel_vis_file: 'rim.obj', tire_vis_file: 'rim.obj' },
  state: { x: 1, y: 2, yaw: 0.5, speed: -2 },
};

interface TapAndPath {
  readonly tap: Tap;
  readonly path: string;
}

/** A tap that does not listen yet; it is closed with the test. */
export function closedTap(
  summary: () => TapSummary = () => oneController,
  onFault: (fault: unknown) => void = (fault) => {
    throw fault;
  },
  remoteAgents: () => readonly RemoteAgentStatus[] = () => [],
  wait: Pick<TapOptions, 'waitMs' | 'onSlowReader'> = { waitMs: 0, onSlowReader: () => undefined },
): TapAndPath {
  const tapPath = path.join(temporaryFolder(), 'lab.tap');
  const tap = new Tap({
    path: tapPath,
    hello: () => ({
      nodeId: 'middleware',
      compat: 'none',
      timeMode: 'real',
      domains: { lab: 0, controllers: 1 },
      controlSocket: tapPath.replace('.tap', '.sock'),
      cyclone: '0.10.2',
      node: process.version,
      clock: { monotonicNs: 1n, realtimeNs: 2n },
    }),
    summary,
    remoteAgents,
    ...wait,
    onFault,
  });
  onTestFinished(() => tap.close());
  return { tap, path: tapPath };
}

/** A tap that listens, and is closed with the test. */
export async function openTap(...given: Parameters<typeof closedTap>): Promise<TapAndPath> {
  const opened = closedTap(...given);
  await opened.tap.listen();
  return opened;
}

/** A client that does not read. */
export async function stoppedReader(path: string): Promise<Socket> {
  const socket = connect({ path });
  socket.pause();
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Settles when a tap has a reader. */
export const accepted = (tap: Tap) => expect.poll(() => tap.wantsSamples).toBe(true);
