import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** A test that did not pass at its first try. */
interface Trouble {
  readonly test: string;
  readonly failed: boolean;
  /** First line of the first error. */
  readonly reason: string;
}

/**
 * Writes which tests failed, and which passed at a later try only, as JSON to the file that the
 * environment variable HLC_TEST_TROUBLES names, so that `npm test` can end with them.
 */
export default class TriesReporter implements Reporter {
  readonly #troubles: Trouble[] = [];
  #root = '';

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestCaseResult(testCase: TestCase): void {
    const { state, errors } = testCase.result();
    const failed = state === 'failed';
    if (!failed && testCase.diagnostic()?.flaky !== true) return;
    const file = testCase.module.moduleId.replace(`${this.#root}/`, '');
    const reason = errors?.[0]?.message.split('\n', 1)[0] ?? 'no reason was given';
    this.#troubles.push({ test: `${file} > ${testCase.fullName}`, failed, reason });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const [error] = module.errors();
      if (error === undefined) continue;
      const test = module.moduleId.replace(`${this.#root}/`, '');
      this.#troubles.push({ test, failed: true, reason: error.message.split('\n', 1)[0] ?? '' });
    }
    const file = process.env.HLC_TEST_TROUBLES;
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#troubles));
  }
}
