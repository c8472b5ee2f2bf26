import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/core/index.js';
import { ControllerReplay } from '../../../src/replay/controller-replay.js';
import { controllerText, isSame, junitOf } from '../../../src/replay/index.js';
import {
  type ControllerScript,
  ScriptSurvey,
  StepReader,
} from '../../../src/replay/controller-script.js';
import type { ControllerSide } from '../../../src/sides/index.js';
import { topics } from '../../../src/messages/index.js';
import { commandsOfAllKinds, directCommand } from '../../support/commands.js';
import { ScriptRecords, tNowOf } from './script-records.js';

const none = { forAll: 1e-6, byField: new Map<string, number>() };

/** The commands of vehicles 1 and 2 in a step. */
function usual(step: number): Command[] {
  const tNowNs = tNowOf(step);
  return [
    ...commandsOfAllKinds(1, tNowNs),
    directCommand(2, tNowNs, { motor_throttle: 0.1 * step }),
  ] as Command[];
}

function scriptOf(steps: number): ControllerScript {
  const { records } = recordsOf(steps);
  const survey = new ScriptSurvey();
  const reader = new StepReader();
  const done = records.flatMap((record) => {
    survey.add({ kind: 'record', record, logTimeNs: 0n });
    return reader.add(record) ?? [];
  });
  return { ...survey.facts(), steps: [...done, ...reader.rest()] };
}

function recordsOf(steps: number): ScriptRecords {
  const records = new ScriptRecords([1, 2]);
  for (let step = 0; step < steps; step++) records.step(step, usual(step));
  return records;
}

/** Plays a recording of some steps to a controller that answers each start signal like this. */
async function play(
  steps: number,
  answer: (step: number) => readonly Command[],
  { tolerances = none, stepTimeoutMs = 5, script = scriptOf(steps) } = {},
) {
  const replay = new ControllerReplay({
    file: 'a.mcap',
    script,
    tolerances,
    readyTimeoutMs: 5,
    stepTimeoutMs,
    domainId: 1,
  });
  const stops: number[] = [];
  let sent = 0;
  const side = {
    startSignals: {
      write(bytes: Uint8Array) {
        const step = sent++;
        const { t_now } = topics.vehicleStateList.codec.decode(bytes);
        expect(t_now).toBe(tNowOf(step));
        queueMicrotask(() => {
          for (const command of answer(step)) replay.command(command);
        });
      },
    },
    sendStop: () => stops.push(sent),
  } as unknown as ControllerSide;
  for (const id of [1, 2]) replay.readySignal(`hlc_${id}`);
  const report = await replay.play(side);
  expect(stops).toEqual([report.stepsSent]);
  return report;
}

function changed(command: Command, change: (message: never) => object): Command {
  return { ...command, message: change(command.message as never) } as never;
}

describe('A replay to a controller', () => {
  it('finds the same commands, and the same digest each time', async () => {
    const report = await play(5, usual);
    expect(report).toMatchObject({ steps: 5, stepsSent: 5, commandsCompared: 25 });
    expect(isSame(report)).toBe(true);
    expect(controllerText(report)).toContain('All commands are the same.');
    expect((await play(5, usual)).digest).toBe(report.digest);
    expect(junitOf(report)).toContain('tests="2" failures="0"');
  });

  it('says that the recording may lack commands', async () => {
    const survey = new ScriptSurvey();
    const content = { records: [{ type: 'event', kind: 'command', topic: '', count: 7 }] };
    survey.add({ kind: 'record', record: { type: 'dropped', content } } as never);
    const { dropped } = survey.facts();
    const report = await play(5, () => [], { script: { ...scriptOf(5), dropped } });
    expect(controllerText(report)).toContain('The recorder was too slow for 7 records');
    expect(junitOf(report)).toContain('<system-out>The recorder was too slow for 7 records');
  });

  it('says what of the recording cannot be read, also where all else is the same', async () => {
    const survey = new ScriptSurvey();
    survey.add({ kind: 'broken', offset: 100, bytes: 50 });
    survey.add({ kind: 'cut', offset: 200, bytes: 50 });
    const { damage } = survey.facts();
    const report = await play(5, usual, { script: { ...scriptOf(5), damage } });
    expect(isSame(report)).toBe(true);
    for (const text of [controllerText(report), junitOf(report)]) {
      expect(text).toContain('The recording was cut: it has no end.');
      expect(text).toContain('1 chunk of the recording cannot be read');
    }
    expect(junitOf(report)).toMatch(
      /<testcase [^]*<system-out>.*\n.*<\/system-out>\n {2}<\/testsuite>/,
    );
    expect(junitOf(await play(5, usual))).not.toContain('system-out');
  });

  it('fails the test case of each changed vehicle, however much differs of another one', async () => {
    const report = await play(60, (step) =>
      usual(step).map((command) => {
        const isChanged = command.message.vehicle_id === 1 || step === 50;
        return isChanged && command.kind === 'direct'
          ? changed(command, (message: object) => ({ ...message, motor_throttle: 9 }))
          : command;
      }),
    );
    expect(report).toMatchObject({ differenceCount: 61, differenceCounts: { 1: 60, 2: 1 } });
    expect(report.differences).toHaveLength(21);
    const junit = junitOf(report);
    expect(junit).toContain('tests="2" failures="2"');
    expect(junit).toContain('… and 40 further differences.');
    expect(junit).toContain('<failure message="Vehicle 2, start signal 50');
    const text = controllerText(report);
    expect(text).toContain('\nVehicle 2, start signal 50');
    expect(text).toContain('… and 40 further differences.');
  });

  it('keeps the last start signals of a recording only, however many it has', async () => {
    let mostAhead = 0;
    let sent = 0;
    const { records } = recordsOf(200);
    const steps = (function* () {
      const reader = new StepReader();
      let read = 0;
      for (const record of records) {
        const step = reader.add(record);
        if (record.type === 'effect' && record.kind === 'sendStartSignal') read++;
        mostAhead = Math.max(mostAhead, read - sent);
        if (step !== undefined) yield step;
      }
      yield* reader.rest();
    })();
    const script = { ...scriptOf(1), steps, stepCount: 200 };
    const answer = (step: number) => {
      sent = step + 1;
      return usual(step);
    };
    const report = await play(200, answer, { script });
    expect(isSame(report)).toBe(true);
    expect(report).toMatchObject({ stepsSent: 200, commandsCompared: 1000 });
    // 16 steps that a command may answer yet, and those that are sent and read.
    expect(mostAhead).toBeLessThanOrEqual(18);
  });

  it('names step, vehicle, kind and field of a command that differs by 1 %', async () => {
    const report = await play(5, (step) =>
      usual(step).map((command) =>
        command.message.vehicle_id === 2 && step >= 3
          ? changed(command, (message: { motor_throttle: number }) => ({
              ...message,
              motor_throttle: message.motor_throttle * 1.01,
            }))
          : command,
      ),
    );
    expect(isSame(report)).toBe(false);
    expect(report.differenceCount).toBe(2);
    expect(report.differences[0]).toMatchObject({
      vehicle: 2,
      kind: 'direct',
      step: 3,
      tNowNs: '1150000001',
      field: 'motor_throttle',
    });
    expect(controllerText(report)).toMatch(
      /^Vehicle 2, start signal 3 \(t_now 1150000001\), direct, motor_throttle: recorded 0\.3/m,
    );
    const junit = junitOf(report);
    expect(junit).toContain('tests="2" failures="1"');
    expect(junit).toContain('<failure message="Vehicle 2, start signal 3');
  });

  it('accepts a difference within the tolerance of the field', async () => {
    const shifted = (step: number) =>
      usual(step).map((command) =>
        command.kind === 'trajectory'
          ? changed(command, (message: { trajectory_points: { px: number }[] }) => ({
              ...message,
              trajectory_points: message.trajectory_points.map((point) => ({
                ...point,
                px: point.px + 0.004,
              })),
            }))
          : command,
      );
    const px = { forAll: 1e-6, byField: new Map([['px', 0.005]]) };
    expect(isSame(await play(2, shifted, { tolerances: px }))).toBe(true);
    const report = await play(2, shifted);
    expect(report.differences[0]).toMatchObject({ field: 'trajectory_points[0].px' });
  });

  it('compares the stamps of simulated time as seconds after the start signal', async () => {
    const late = (step: number) =>
      usual(step).map((command) =>
        changed(command, (message: Command['message']) => ({
          ...message,
          header: {
            ...message.header,
            valid_after_stamp: {
              nanoseconds: message.header.valid_after_stamp.nanoseconds + 10_000_000n,
            },
          },
        })),
      );
    const [difference] = (await play(1, late)).differences;
    expect(difference).toMatchObject({ field: 'header.valid_after_stamp' });
    expect((difference?.replayed ?? 0) - (difference?.recorded ?? 0)).toBeCloseTo(0.01, 9);
  });

  it('ends after three start signals without an answer, and names the controller', async () => {
    const report = await play(20, (step) =>
      usual(step).filter(({ message }) => message.vehicle_id === 1 || step < 2),
    );
    expect(report).toMatchObject({ stepsSent: 5, silent: [2], unanswered: { 2: 3 } });
    expect(isSame(report)).toBe(false);
    expect(controllerText(report)).toContain('No command of controller 2 any more');
    expect(junitOf(report)).toContain('failures="1"');
  });

  it('names a command that the recording does not have', async () => {
    const more = (step: number) => [
      ...usual(step),
      ...(commandsOfAllKinds(2, tNowOf(step)).slice(1, 2) as Command[]),
    ];
    const report = await play(2, more);
    expect(report.differences[0]).toMatchObject({ vehicle: 2, field: null, recorded: 0 });
  });

  it('counts a step in which a command is absent as one without an answer', async () => {
    const less = (step: number) => (step === 1 ? usual(step).slice(1) : usual(step));
    const report = await play(3, less);
    expect(report).toMatchObject({ differences: [], unanswered: { 1: 1 } });
    expect(isSame(report)).toBe(false);
  });

  it('fails when a controller does not sign in', async () => {
    const options = { tolerances: none, readyTimeoutMs: 5, stepTimeoutMs: 5, domainId: 1 };
    const replay = new ControllerReplay({ file: 'a', script: scriptOf(1), ...options });
    replay.readySignal('hlc_2');
    const side = {} as unknown as ControllerSide;
    await expect(replay.play(side)).rejects.toMatchObject({ code: 'HLC_READY_TIMEOUT' });
    const other = new ControllerReplay({ file: 'a', script: scriptOf(1), ...options });
    other.controllerEnded('exit code 3');
    await expect(other.play(side)).rejects.toMatchObject({
      code: 'HLC_REPLAY_CONTROLLER',
      message: expect.stringContaining('exit code 3') as unknown,
    });
  });
});
