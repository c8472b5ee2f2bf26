import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { keepRuns, replayRuns } from '../support/replayed-runs.js';

/** A row of the fault table, in one mode of time. */
export interface Fault {
  readonly row: number;
  readonly fault: string;
  readonly mode: 'real time' | 'simulated time';
  /** What must happen, in a few words. */
  readonly expected: string;
}

/** Flags of a run with a period of 50 ms, at twice the speed in simulated time. */
export const inBothModes = [
  { mode: 'real time', flags: ['--period-ms=50'] },
  {
    mode: 'simulated time',
    flags: ['--period-ms=50', '--simulated-time', '--time-source=self', '--real-time-factor=2'],
  },
] as const;

/** What a fault test leaves for the table; `tools/fault-table.mjs` reads it. */
export interface FaultFigure extends Fault {
  /** What was measured; empty when the test ended before. */
  measured: string;
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: FaultFigure;
  }
}

/** Takes what was measured; the last word counts. */
export type Measured = (figure: string) => void;

/** Where a row needs others than the suite has. */
export interface FaultOptions {
  /** Milliseconds. */
  readonly timeout?: number;
}

/** A test of one row of the fault table; its figure is printed by `npm run test:faults`. */
export function faultTest(
  fault: Fault,
  run: (measured: Measured, context: TestContext) => Promise<void>,
  options: FaultOptions = {},
): void {
  it(`row ${fault.row}, ${fault.mode}: ${fault.fault}`, options, async (context) => {
    const figure: FaultFigure = { ...fault, measured: '' };
    context.task.meta.fault = figure;
    keepRuns();
    // Registered first, so that it comes last: all programs have ended then.
    onTestFinished(async ({ task }) => {
      const sessions = await replayRuns();
      if (task.result?.state === 'pass') expect(sessions).not.toBe(0);
    });
    await run((measured) => {
      figure.measured = measured;
    }, context);
  });
}

/** Ends a test that this machine or this user cannot run; the reason stands in the table. */
export function skipRow(context: TestContext, measured: Measured, reason: string): never {
  measured(reason);
  return context.skip(reason);
}

/** Milliseconds between two instants, ns, for people. */
export function ms(ns: bigint | number): string {
  const value = Number(ns) / 1e6;
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

/** The value below which this part of the values lies; 0 when there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
