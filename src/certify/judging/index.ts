export {
  fewBeats,
  simulatedSteps,
  steadyBeats,
  strangeBeats,
  timingBeats,
  usualBeat,
  type Beat,
  type ListKind,
} from './plan.js';
export {
  certificationReportSchema,
  judge,
  reportText,
  type CertificationReport,
} from './report.js';
export { judgeSeparately } from './controllers.js';
export { judgeableIn } from './judgeable.js';
export { rules } from './rules/index.js';
export type { EventOf, Phase, StartNote, Transcript, TranscriptEvent } from './transcript.js';
