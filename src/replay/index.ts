export { comparisonText, compareRuns, type RunComparison } from './compare-runs.js';
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
