import { afterEach, describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../../src/core/index.js';
import { LabConsole } from '../../../../src/lab/control/console.js';
import type { LabControlEvent } from '../../../../src/lab/control/events.js';
import { createLabControl } from '../../../../src/lab/control/lab-control.js';
import type {
  LabControl,
  RealTimeControl,
  SimulatedTimeControl,
} from '../../../../src/lab/control/options.js';
import { topics } from '../../../../src/messages/index.js';
import { openNetwork, second, t } from './network.js';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const control of opened.splice(0)) control.close();
});

/** A lab control that a test operates by lines. */
function open(mode: 'real' | 'simulated', participants = 0) {
  const net = openNetwork();
  const reported: string[] = [];
  const labConsole = new LabConsole({ participants, report: (text) => reported.push(text) });
  const onEvent = (event: LabControlEvent): void => labConsole.onEvent(event, control);
  const options = { ...net.options, onEvent };
  const control: LabControl<RealTimeControl | SimulatedTimeControl> =
    mode === 'simulated'
      ? createLabControl({ ...options, simulatedTime: {} })
      : createLabControl(options);
  opened.push(control);
  const times = net.triggers();
  const line = async (text: string) => {
    const goesOn = labConsole.onLine(text, control);
    await net.network.idle();
    return goesOn;
  };
  return { ...net, reported, times, line };
}

describe('the lines of a lab control in real time', () => {
  it('start and stop the lab, again and again', async () => {
    const { line, times, reported } = open('real');
    for (const text of ['start', ' stop ', 'start']) expect(await line(text)).toBe(true);
    expect(times).toEqual([t + second, stopSymbol, t + second]);
    expect(reported).toEqual([
      `starts at ${new Date(Number((t + second) / 1_000_000n)).toISOString()}`,
      'stopped',
      expect.stringMatching(/^starts at /),
    ]);
  });

  it.each(['pause', 'step', 'foo', 'start-now'])(
    'refuse "%s", and name what they know',
    async (text) => {
      const { line, times, reported } = open('real');
      expect(await line(text)).toBe(true);
      expect(times).toEqual([]);
      expect(reported).toEqual([
        `"${text}" is no line of this lab control; use start, stop, participants, quit`,
      ]);
    },
  );

  it('quit without a stop of their own, and do nothing when empty', async () => {
    const { line, times, reported } = open('real');
    expect([await line(''), await line('quit')]).toEqual([true, false]);
    expect([times, reported]).toEqual([[], []]);
  });

  it('name the participants', async () => {
    const { line, ready, reported } = open('real');
    await line('participants');
    await ready('middleware', 0n);
    await line('participants');
    expect(reported).toEqual([
      'no participant has signed in',
      'middleware signed in',
      'middleware: ready',
    ]);
  });
});

describe('the lines of a lab control in simulated time', () => {
  it('step, pause and run', async () => {
    const { line, ready, times, reported } = open('simulated');
    await ready('middleware', 1n);
    await line('step');
    await ready('middleware', 11n);
    expect(times).toEqual([1n]);
    await line('step 2');
    await ready('middleware', 21n);
    await ready('middleware', 31n);
    expect(times).toEqual([1n, 11n, 21n]);
    await line('start');
    await ready('middleware', 41n);
    await line('pause');
    await ready('middleware', 51n);
    expect(times).toEqual([1n, 11n, 21n, 31n, 41n]);
    await line('participants');
    expect(reported).toEqual([
      'middleware signed in',
      'simulated time runs',
      'middleware: waiting, next step at 51 ns',
    ]);
  });

  it('continue without a participant that is gone, until it signs in again', async () => {
    const { line, ready, times, reported } = open('simulated');
    await ready('first', 1n);
    await ready('second', 1n);
    await line('start');
    await ready('first', 11n);
    await line('forget third');
    expect(times).toEqual([1n]);
    await line('forget second');
    await ready('first', 21n);
    expect(times).toEqual([1n, 11n, 21n]);
    await ready('second', 31n);
    await ready('first', 41n);
    await ready('first', 51n);
    expect(times).toEqual([1n, 11n, 21n, 31n]);
    expect(reported.slice(-2)).toEqual([
      'third has not signed in',
      'time continues without second, until it signs in again',
    ]);
    await line('forget');
    expect(reported.at(-1)).toContain('forget NAME');
  });

  it.each(['step 0', 'step -1', 'step x', 'step 1.5'])('refuse "%s"', async (text) => {
    const { line, ready, times, reported } = open('simulated');
    await ready('middleware', 1n);
    await line(text);
    expect(times).toEqual([]);
    expect(reported.at(-1)).toContain('step [COUNT]');
  });

  it('do not start again after a stop', async () => {
    const { line, ready, times, reported } = open('simulated');
    await ready('middleware', 1n);
    await line('stop');
    await line('start');
    expect(times).toEqual([stopSymbol]);
    expect(reported.slice(1)).toEqual([
      'stopped',
      'simulated time was stopped; start this lab control again',
    ]);
  });
});

describe('a lab control that starts by itself', () => {
  it.each(['real', 'simulated'] as const)(
    'does so in %s time when so many have signed in, and once',
    async (mode) => {
      const { ready, times, reported } = open(mode, 2);
      await ready('middleware', 5n);
      await ready('middleware', 5n);
      expect(times).toEqual([]);
      await ready('vehicle_1', 6n);
      const first = mode === 'real' ? t + second : 5n;
      expect(times).toEqual([first]);
      await ready('late', 7n);
      expect(times).toEqual([first]);
      expect(reported.filter((text) => text.endsWith('signed in'))).toEqual([
        'middleware signed in',
        'vehicle_1 signed in',
        'late signed in',
      ]);
    },
  );
});

describe('what a lab control prints', () => {
  it('has the log of the lab, unknown parameters and stop requests', async () => {
    const { send, reported } = open('real');
    const stamp = { nanoseconds: t };
    await send(topics.log, { id: 'middleware', content: 'all ready', stamp, log_level: 2 });
    await send(topics.parameterRequest, { name: 'speed_limit' });
    await send(topics.stopRequest, { vehicle_id: 3 });
    expect(reported).toEqual([
      'middleware: all ready',
      'no value for the requested parameter speed_limit',
      'a controller requested the stop of vehicle 3; all are stopped',
      'stopped',
    ]);
  });
});
