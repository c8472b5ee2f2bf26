export { comparisonText, compareRuns, type RunComparison } from './compare-runs.js';
export { comparisonPage } from './comparison-page.js';
export type { Tolerances } from './compare-commands.js';
export {
  controllerText,
  type ControllerReplayReport,
  isSame,
  junitOf,
} from './controller-report.js';
export { reportPage } from './report-page.js';
export { type RulesReport, replayRules, RulesReplay, rulesText } from './rules.js';
export { analyseRun, type RunAnalysis } from './run-analysis.js';
export { runControllerReplay, type RunControllerReplayOptions } from './run-controller-replay.js';
export { type PageReplayOptions, runPageReplay } from './run-page-replay.js';
