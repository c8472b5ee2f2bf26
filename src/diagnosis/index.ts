export { counterparts, endpointFindings, fits } from './endpoint-findings.js';
export type { Finding } from './finding.js';
export type { OurSide, SideName } from './local-side.js';
export { findQosMismatches } from './qos-match.js';
export { middlewareNamePrefix, sameIdFindings, type HeardSignal } from './same-id-findings.js';
export { unansweredFindings } from './unanswered-findings.js';
export { wrongSideFindings } from './side-findings.js';
export { explainWait, idFinding, type VainWait } from './wait-findings.js';
