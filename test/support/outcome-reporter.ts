import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** How the tests of a suite ended, as `tools/test.mjs` reads it. */
export interface SuiteOutcome {
  passed: number;
  readonly failed: TestAndReason[];
  readonly skipped: TestAndReason[];
}

interface TestAndReason {
  readonly test: string;
  /** First lines of the first error, or what the test gave to `context.skip`; empty without one. */
  readonly reason: string;
}

/**
 * Writes how many tests passed, and which failed or were skipped and why, as JSON to the file that
 * the environment variable HLC_TEST_OUTCOME names.
 */
export default class OutcomeReporter implements Reporter {
  readonly #outcome: SuiteOutcome = { passed: 0, failed: [], skipped: [] };
  #root = '';

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestCaseResult(testCase: TestCase): void {
    const result = testCase.result();
    const test = `${this.#fileOf(testCase.module)} > ${testCase.fullName}`;
    switch (result.state) {
      case 'failed':
        this.#outcome.failed.push({ test, reason: firstLines(result.errors[0]?.message) });
        break;
      case 'skipped':
        this.#outcome.skipped.push({ test, reason: result.note ?? '' });
        break;
      default:
        this.#outcome.passed++;
    }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      // A file that cannot be loaded, or a hook around all of its tests.
      for (const { message } of module.errors()) {
        this.#outcome.failed.push({ test: this.#fileOf(module), reason: firstLines(message) });
      }
    }
    const file = process.env.HLC_TEST_OUTCOME;
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#outcome));
  }

  #fileOf({ moduleId }: TestModule): string {
    return moduleId.replace(`${this.#root}/`, '');
  }
}

/** In one line: a stop that is wrong has a line for each vehicle. */
function firstLines(text = 'no reason was given'): string {
  return text.split('\n').slice(0, 4).join('; ');
}
