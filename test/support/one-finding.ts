import type { Finding } from '../../src/observe/live/page-protocol.js';

/** What a check found about a controller that breaks one rule. */
export function oneFinding(vehicle_ids: readonly number[]): Finding {
  return {
    time: '2026-01-02T03:04:05.678Z',
    version: '0.1.0',
    vehicle_ids,
    period_ms: 50,
    passed: 15,
    failed: 1,
    not_tested: 1,
    rules: [
      {
        id: 'content',
        title: 'keeps the ranges and the form of commands',
        outcome: 'fail',
        evidence: 'steering_servo was 2.',
        change: 'Keep steering_servo between -1 and 1.',
      },
      {
        id: 'restart',
        title: 'signs in again when it was started again',
        outcome: 'not-tested',
        evidence: 'The check did not start it.',
        change: 'Give the command after --.',
      },
    ],
  };
}
