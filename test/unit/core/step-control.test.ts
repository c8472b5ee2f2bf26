import { describe, expect, it } from 'vitest';
import { BoundedWait } from '../../../src/core/bounded-wait.js';
import {
  controlledGate,
  mayBegin,
  passedGate,
  type StepControl,
} from '../../../src/core/step-gate.js';
import { stepBegun, stepThrottle } from '../../../src/core/step-throttle.js';
import { MS, S } from './support.js';

/** The times of the steps that may begin after a control, of those at 0, 10, 20, … 90. */
function passing(control: StepControl): number[] {
  let gate = controlledGate(control);
  const passed: number[] = [];
  for (let t = 0; t < 100; t += 10) {
    if (!mayBegin(gate, BigInt(t))) break;
    gate = passedGate(gate);
    passed.push(t);
  }
  return passed;
}

describe('the gate of steps', () => {
  it('lets none pass when paused, all when resumed', () => {
    expect(passing({ kind: 'pause' })).toEqual([]);
    expect(passing({ kind: 'resume' })).toHaveLength(10);
  });

  it('lets a number of steps pass', () => {
    expect(passing({ kind: 'step', count: 3 })).toEqual([0, 10, 20]);
  });

  it('lets the steps up to and including a time pass', () => {
    expect(passing({ kind: 'runUntil', tNs: 30n })).toEqual([0, 10, 20, 30]);
    expect(passing({ kind: 'runUntil', tNs: 39n })).toEqual([0, 10, 20, 30]);
  });
});

describe('the throttle of steps', () => {
  it('has no limit without a factor', () => {
    const throttle = stepBegun(stepThrottle(50n * MS, null), 7n);
    expect(throttle.earliestNs).toBe(7n);
  });

  it('spaces steps by the period over the factor, and lateness does not add up', () => {
    let throttle = stepThrottle(50n * MS, 2);
    expect(throttle.earliestNs).toBeNull();
    throttle = stepBegun(throttle, 0n);
    expect(throttle.earliestNs).toBe(25n * MS);
    throttle = stepBegun(throttle, 26n * MS);
    expect(throttle.earliestNs).toBe(50n * MS);
  });

  it('does not catch up more than one step', () => {
    const begun = stepBegun(stepThrottle(50n * MS, 1), 0n);
    expect(stepBegun(begun, 100n * MS).earliestNs).toBe(100n * MS);
    expect(stepBegun(begun, 1000n * MS).earliestNs).toBe(1050n * MS);
  });

  it('refuses a factor that is not a finite number above 0', () => {
    for (const factor of [0, -1, Number.NaN, Infinity]) {
      expect(() => stepThrottle(50n * MS, factor)).toThrow('real-time factor');
    }
  });
});

describe('the wait for replies', () => {
  it('names the missing every second', () => {
    const wait = new BoundedWait(null, S);
    wait.start(5n * S);
    expect(wait.wakeAtNs).toBe(6n * S);
    expect(wait.check(6n * S - 1n).name).toBe(false);
    expect(wait.check(6n * S)).toEqual({ name: true, timedOut: false, waitedNs: S });
    expect(wait.check(6n * S).name).toBe(false);
    expect(wait.wakeAtNs).toBe(7n * S);
  });

  it('times out once per step', () => {
    const wait = new BoundedWait(300n * MS, S);
    wait.start(0n);
    expect(wait.wakeAtNs).toBe(300n * MS);
    expect(wait.check(299n * MS).timedOut).toBe(false);
    expect(wait.check(300n * MS).timedOut).toBe(true);
    expect(wait.check(301n * MS).timedOut).toBe(false);
    wait.start(S);
    expect(wait.check(1300n * MS).timedOut).toBe(true);
  });
});
