import type { TopicSpec } from '../ports/index.js';
import type { Codec } from './codec.js';
import {
  CommonroadDDSGoalStateCodec,
  GuardStatusCodec,
  HLCHelloCodec,
  HlcCommunicationCodec,
  LogCodec,
  LogLevelCodec,
  MiddlewareStatusCodec,
  NeighborListCodec,
  ParameterCodec,
  ParameterRequestCodec,
  ReadyStatusCodec,
  RemoteAgentListCodec,
  RoundTripTimeCodec,
  StopRequestCodec,
  SystemTriggerCodec,
  VehicleCommandDirectCodec,
  VehicleCommandPathTrackingCodec,
  VehicleCommandSpeedCurvatureCodec,
  VehicleCommandTrajectoryCodec,
  VehicleObservationCodec,
  VehicleStateCodec,
  VehicleStateListCodec,
} from './generated/index.js';

/** A topic together with the codec of its type. */
export interface Topic<T> extends TopicSpec {
  readonly codec: Codec<T>;
}

function topic<T, const N extends string>(name: N, codec: Codec<T>): Topic<T> & { name: N } {
  return { name, typeName: codec.typeName, codec };
}

/**
 * The topics by their names on the wire: those of the CPM Lab (CPM Lab wire contract), two between a
 * middleware and its guard, one for controllers beside a network simulator, and one that shows the
 * vehicles of another simulation.
 */
export const topics = {
  readyStatus: topic('readyStatus', ReadyStatusCodec),
  systemTrigger: topic('systemTrigger', SystemTriggerCodec),
  stopRequest: topic('stopRequest', StopRequestCodec),
  vehicleState: topic('vehicleState', VehicleStateCodec),
  vehicleObservation: topic('vehicleObservation', VehicleObservationCodec),
  vehicleStateList: topic('vehicleStateList', VehicleStateListCodec),
  vehicleCommandDirect: topic('vehicleCommandDirect', VehicleCommandDirectCodec),
  vehicleCommandSpeedCurvature: topic(
    'vehicleCommandSpeedCurvature',
    VehicleCommandSpeedCurvatureCodec,
  ),
  vehicleCommandTrajectory: topic('vehicleCommandTrajectory', VehicleCommandTrajectoryCodec),
  vehicleCommandPathTracking: topic('vehicleCommandPathTracking', VehicleCommandPathTrackingCodec),
  parameter: topic('parameter', ParameterCodec),
  parameterRequest: topic('parameterRequest', ParameterRequestCodec),
  log: topic('log', LogCodec),
  logLevel: topic('logLevel', LogLevelCodec),
  commonroad_dds_goal_states: topic('commonroad_dds_goal_states', CommonroadDDSGoalStateCodec),
  round_trip_time: topic('round_trip_time', RoundTripTimeCodec),
  hlc_hello: topic('hlc_hello', HLCHelloCodec),
  hlcCommunication: topic('hlcCommunication', HlcCommunicationCodec),
  middlewareStatus: topic('middlewareStatus', MiddlewareStatusCodec),
  guardStatus: topic('guardStatus', GuardStatusCodec),
  neighborList: topic('neighborList', NeighborListCodec),
  remoteAgentList: topic('remoteAgentList', RemoteAgentListCodec),
} as const;

/** The names of the topics on the wire. */
export type TopicName = keyof typeof topics;
