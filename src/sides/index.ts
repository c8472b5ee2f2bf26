export { commandTopics, type ReceivedCommand } from './command-topics.js';
export { ControllerSide, type ControllerSideEvents } from './controller-side.js';
export { LabLink } from './lab-link.js';
export { defaultInterface, labNetwork, type LabNetworkRequest } from './lab-network.js';
export {
  activeVehicleIdsParameter,
  askParameter,
  periodParameter,
  type LabParameter,
  type ParameterRequest,
} from './lab-parameters.js';
export { LabSide } from './lab-side.js';
export { localEndpoints } from './local-endpoints.js';
export { answerRoundTrips } from './round-trips.js';
export { createSide, type Side } from './side.js';
export { sideOfSession } from './side-of-session.js';
export type { TopicErrors } from './topic-errors.js';
export { readTopic } from './topic-reader.js';
export { writeTopic } from './topic-writer.js';
