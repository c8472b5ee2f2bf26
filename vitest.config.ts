import process from 'node:process';
import { defineConfig } from 'vitest/config';

// Real processes in real time starve on a shared machine; `npm test` ends with what needed it.
const triedAgainOnCi = process.env.CI === undefined ? 0 : 2;

// Each file in a process of its own: the DDS library is one per process, and a crash of the add-on
// must fail one file and not the run.
export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      {
        extends: true,
        // Properties and models take long on a busy machine, and no figure comes from here.
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          retry: triedAgainOnCi,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          retry: triedAgainOnCi,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Real-time tests share two cores badly.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'] },
      },
      {
        extends: true,
        // The add-on is compiled here when it has changed.
        test: {
          name: 'asan',
          include: ['test/asan/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        // As asan.
        test: {
          name: 'tsan',
          include: ['test/tsan/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Figures of one fault must not be those of another.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'ros2',
          include: ['test/ros2/**/*.test.ts'],
          globalSetup: 'test/ros2/say-why-skipped.ts',
          retry: triedAgainOnCi,
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
          name: 'interop',
          include: ['test/interop/**/*.test.ts'],
          retry: triedAgainOnCi,
          testTimeout: 90_000,
          // Real time, as above.
          fileParallelism: false,
        },
      },
    ],
  },
});
