export { describeParticipant } from './describe-participant.js';
export { endpointFindings } from './endpoint-findings.js';
export type { Finding, FindingKind } from './finding.js';
export type { OurEndpoint, OurSide, SideName } from './our-side.js';
export { findQosMismatches, type QosMismatch } from './qos-match.js';
export { wrongSideFindings } from './side-findings.js';
export { explainWait, idFinding, type VainWait } from './wait-findings.js';
