import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runOptionKeys, type RunOptionKey } from '../../../src/config/options/run-options.js';
import type { RunConfig } from '../../../src/config/index.js';
import { parseArguments } from './parse.js';

/** A value of each option that is not its default, and what the option needs beside it. */
const given: Readonly<Record<RunOptionKey, readonly string[]>> = {
  vehicleIds: ['3,1,255'],
  vehicleId: ['7'],
  vehicleAmount: ['4'],
  activeVehicleIds: ['2,9'],
  absentVehicles: ['default'],
  periodMs: ['12.5'],
  periodNanoseconds: ['123456789'],
  offsetNanoseconds: ['7'],
  simulatedTime: ['true'],
  waitForStart: ['false'],
  timeSource: ['self', '--simulated-time'],
  realTimeFactor: ['2', '--simulated-time', '--time-source=self'],
  stepsUntil: ['9007199254740993', '--simulated-time', '--time-source=self'],
  periods: ['200'],
  realtimePriority: ['5'],
  ddsDomain: ['90'],
  domainNumber: ['12'],
  interface: ['127.0.0.1'],
  localAddresses: ['all'],
  ddsInitialPeer: ['10.0.0.1,host:7410'],
  labSide: ['rclnodejs'],
  controllerSide: ['ros2'],
  transport: ['ros2'],
  controllerTransport: ['ros2'],
  labTransport: ['ros2'],
  rosIdentity: ['none', '--controller-transport=ros2'],
  naming: ['ros2'],
  controllerNaming: ['ros2'],
  labNaming: ['ros2'],
  qosFile: ['a b/qos.xml'],
  checkPolicy: ['flag'],
  compat: ['cpm-lab'],
  missPolicy: ['stop,3:hold'],
  missLimit: ['3,5:10'],
  graceMs: ['250'],
  holdPeriods: ['7'],
  brakingDeceleration: ['4'],
  stopAfterMs: ['300'],
  vehicleTimeoutMs: ['800'],
  maxSpeed: ['3.5'],
  maxMagnitude: ['5000'],
  maxAheadMs: ['700'],
  maxCommandAgeMs: ['600'],
  clockToleranceUs: ['500'],
  zeroSpeedMs: ['900'],
  endTimeoutMs: ['2500'],
  hangLimitMs: ['1200'],
  guard: ['true'],
  guardAfterMs: ['450'],
  resume: ['auto'],
  overrunPolicy: ['catch-up:3'],
  admit: ['any'],
  readyTimeoutMs: ['1500'],
  parameterTimeoutMs: ['0.5'],
  startTimeoutMs: ['10'],
  replyTimeoutMs: ['20', '--simulated-time'],
  replyTimeoutPolicy: ['drop', '--simulated-time', '--reply-timeout-ms=20'],
  summary: ['out.json'],
  record: ['run.mcap'],
  table: ['off'],
  logLevel: ['warn'],
  logFormat: ['json'],
  nodeId: ['12'],
  loggingId: ['x'],
  autostart: ['false', '--transport=ros2'],
  interruptExitCode: ['0'],
  controlSocket: ['off'],
  config: ['c.yaml'],
};

const files = { 'c.yaml': 'period-ms: 40\n' };
const withoutPeriod: readonly RunOptionKey[] = [
  ...(['periodMs', 'periodNanoseconds', 'parameterTimeoutMs', 'config'] as const),
];

/** What `ros2 param dump` writes of the node. */
function dumpOf({ sides: { ros } }: RunConfig): string {
  const values = ros.parameters.map(({ name, value }) => [name, value ?? null] as const);
  const parameters = { ...Object.fromEntries(values), use_sim_time: ros.useSimTime };
  return stringify({ '/middleware': { ros__parameters: parameters } });
}

describe('the parameters of a node, dumped and given to another one', () => {
  it.each(runOptionKeys)('make the same configuration with %s', (key) => {
    const [text = '', ...needs] = given[key];
    const flag = `--${key.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}=${text}`;
    const period = withoutPeriod.includes(key) ? [] : ['--period-ms=50'];
    const before = parseArguments([flag, ...needs, ...period], { files });
    const reload = ['--ros-args', '-r', '__node:=middleware', '--params-file', 'dump.yaml'];
    const dumped = { ...files, 'dump.yaml': dumpOf(before) };
    const after = parseArguments(reload, { files: dumped });
    const { node } = after.sides.ros;
    const ros = { ...before.sides.ros, node, arguments: reload.slice(0, 3) };
    expect(after).toEqual({ ...before, sides: { ...before.sides, ros } });
  });
});
