export { onEndSignal, type SignalSource } from './end-signal.js';
export {
  commandTopics,
  encodeCommand,
  readCommands,
  writeCommands,
  type CommandWriters,
  type ReceivedCommand,
} from './command-topics.js';
export { ControllerSide } from './controller-side.js';
export { groupEndpoints } from './endpoint-group.js';
export { GuardSide, type GuardSideEvents } from './guard-side.js';
export { LabLink } from './lab-link.js';
export { defaultInterface, sideNetwork, type SideNetworkRequest } from './lab-network.js';
export {
  activeVehicleIdsParameter,
  askParameter,
  periodParameter,
  type LabParameter,
  type ParameterRequest,
} from './lab-parameters.js';
export { LabSide } from './lab-side.js';
export { localEndpoints } from './local-endpoints.js';
export { middlewareStatusOf } from './middleware-status.js';
export {
  controllerQos,
  labControlQos,
  neighborListQos,
  otherStateReaderQos,
  remoteAgentQos,
  stateReaderQos,
} from './peer-qos.js';
export { ReadyGate } from './ready-gate.js';
export { answerRoundTrips } from './round-trips.js';
export { reportError, reportOrWarn } from './report-error.js';
export { createSide, type Side } from './side.js';
export { attemptWrite, reportedTopicErrors, type TopicErrors } from './topic-errors.js';
export { readTopic } from './topic-reader.js';
export { writeTopic, type TopicWriter } from './topic-writer.js';
export { areVehicleIds } from './vehicle-ids.js';
export { CommandInbox } from './vehicles/command-inbox.js';
export { createVehicles, type VehicleCommand, type Vehicles } from './vehicles/index.js';
export { VehicleEnd, type VehicleEndOptions } from './vehicles/vehicle-end.js';
export {
  stateDelayNs,
  vehicleObservationOf,
  vehicleStateOf,
  type VehicleMeasurement,
} from './vehicles/vehicle-messages.js';
export type { VehiclesOptions } from './vehicles/vehicles-options.js';
