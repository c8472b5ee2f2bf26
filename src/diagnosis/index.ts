export { counterparts, endpointFindings, fits } from './endpoint-findings.js';
export type { EndpointFinding, Finding, LocalSide, SideName } from './finding.js';
export { findQosMismatches, type QosMismatch } from './qos-match.js';
export { middlewareNamePrefix, type ReadySignal, sameIdFindings } from './same-id-findings.js';
export { unansweredFindings, wrongSideFindings } from './side-findings.js';
export { explainTimeout, otherIdsFinding, type TimedOutWait } from './wait-findings.js';
