import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Where nothing is measured, tests run at idle priority (tools/test.mjs): beside others they may get no
 * processor for minutes. Only a test that hangs takes longer than this, ms.
 */
const calmTimeouts = { testTimeout: 600_000, hookTimeout: 600_000 };

/**
 * Tests that wait for real programs: a machine that others use, too, takes several times as long as a quiet
 * one. A wait that is in vain ends after 15 s and says for what; only a test that hangs takes this long, ms.
 */
const realTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 };

/** Compilers at low or idle priority need minutes; only what hangs takes longer than this, ms. */
const compilerTimeouts = { testTimeout: 1_800_000, hookTimeout: 1_800_000 };

/** Files that take longer than their size suggests: what begins last is waited for alone. */
const beginFirst = /\/(standstill-load|standstill|install-cpm-lab|matrix\/c)\.test\.ts$/;

/** Where no durations are known from an earlier run, Vitest begins with the largest file. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = (file: TestSpecification) => beginFirst.test(file.moduleId);
    return [...sorted.filter(long), ...sorted.filter((file) => !long(file))];
  }
}

/** One process runs several files: to load the modules takes seconds, and no file leaves anything behind. */
const sharedModules = { isolate: false };

// Unless modules are shared, each file has a process: a crash of the add-on fails one file.
export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // As the waits of test/support/wait-until.ts.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...calmTimeouts,
          ...sharedModules,
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          ...calmTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: 'test/peers/build-before.ts',
          ...realTimeouts,
          // These tests mostly wait: four at a time use two cores. Each has a lab of its own
          // (test/support/isolation.ts).
          maxWorkers: 4,
          ...sharedModules,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          ...sharedModules,
          include: ['test/slow/**/*.test.ts'],
          exclude: ['test/slow/certify/**'],
          ...realTimeouts,
          // These tests mostly wait, too.
          maxWorkers: 4,
        },
      },
      {
        extends: true,
        // Controllers that must answer within two periods of 120 ms.
        test: {
          name: 'certify',
          include: ['test/slow/certify/**/*.test.ts'],
          globalSetup: 'test/peers/build-before.ts',
          ...realTimeouts,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          globalSetup: 'test/peers/build-before.ts',
          ...calmTimeouts,
        },
      },
      {
        extends: true,
        // The add-on is compiled here when it has changed.
        test: {
          name: 'asan',
          include: ['test/asan/**/*.test.ts'],
          ...compilerTimeouts,
        },
      },
      {
        extends: true,
        // As asan.
        test: {
          name: 'tsan',
          include: ['test/tsan/**/*.test.ts'],
          ...compilerTimeouts,
        },
      },
      {
        extends: true,
        // Rows of the fault table that judge a stop by the motion of vehicles, to some 10 ms.
        test: {
          name: 'stops',
          ...sharedModules,
          include: ['test/faults/motion-*.test.ts'],
          globalSetup: 'test/peers/build-before.ts',
          ...realTimeouts,
          // One file drives a lab while the other prepares one or watches it stop (test/faults/motion-row.ts). A third
          // one makes it 80 s shorter on a slow machine, and rows with narrow limits fail there.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        // All other rows: not beside the ones above, whose labs take the processors.
        test: {
          name: 'faults',
          ...sharedModules,
          include: ['test/faults/**/*.test.ts'],
          exclude: ['test/faults/motion-*.test.ts'],
          globalSetup: 'test/peers/build-before.ts',
          ...realTimeouts,
          // These tests mostly wait, too.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'ros2',
          include: ['test/ros2/**/*.test.ts'],
          globalSetup: 'test/ros2/skip-reason.ts',
          // The tools of ROS 2 take seconds to start.
          testTimeout: 90_000,
          hookTimeout: 90_000,
          // Real time, as above.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          ...sharedModules,
          include: ['test/browser/**/*.test.ts'],
          exclude: ['test/browser/load.test.ts'],
          ...realTimeouts,
          // Two of these files stop a program for a minute.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser-timed',
          include: ['test/browser/load.test.ts'],
          ...realTimeouts,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'rti',
          include: ['test/rti/**/*.test.ts'],
          testTimeout: 30_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'builds',
          include: ['test/interop/builds/*.test.ts'],
          ...compilerTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          ...sharedModules,
          include: ['test/interop/*.test.ts', 'test/interop/matrix/*.test.ts'],
          ...realTimeouts,
          // These tests mostly wait, too, and each has domains of its own (test/interop/free-domains.ts).
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'interop-timed',
          include: ['test/interop/timed/*.test.ts'],
          testTimeout: 90_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
