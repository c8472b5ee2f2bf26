import { describe, expect, it } from 'vitest';

import { topics } from '../../../src/messages/index.js';

/** Name, type and whether it has a key: the CPM Lab wire contract, and what a guard and gateways to
 * other simulations need. */
const contract: [string, string, boolean][] = [
  ['readyStatus', 'ReadyStatus', false],
  ['systemTrigger', 'SystemTrigger', false],
  ['stopRequest', 'StopRequest', true],
  ['vehicleState', 'VehicleState', true],
  ['vehicleObservation', 'VehicleObservation', true],
  ['vehicleStateList', 'VehicleStateList', false],
  ['vehicleCommandDirect', 'VehicleCommandDirect', true],
  ['vehicleCommandSpeedCurvature', 'VehicleCommandSpeedCurvature', true],
  ['vehicleCommandTrajectory', 'VehicleCommandTrajectory', true],
  ['vehicleCommandPathTracking', 'VehicleCommandPathTracking', true],
  ['parameter', 'Parameter', true],
  ['parameterRequest', 'ParameterRequest', true],
  ['log', 'Log', true],
  ['logLevel', 'LogLevel', false],
  ['commonroad_dds_goal_states', 'CommonroadDDSGoalState', true],
  ['round_trip_time', 'RoundTripTime', false],
  ['hlc_hello', 'HLCHello', false],
  ['hlcCommunication', 'HlcCommunication', true],
  ['middlewareStatus', 'MiddlewareStatus', false],
  ['guardStatus', 'GuardStatus', false],
  ['neighborList', 'NeighborList', true],
  ['remoteAgentList', 'RemoteAgentList', true],
];

describe('The topics', () => {
  it('are those of the wire contract', () => {
    const table = Object.entries(topics).map(([key, topic]) => {
      expect(topic.name).toBe(key);
      expect(topic.typeName).toBe(topic.codec.typeName);
      return [topic.name, topic.typeName, topic.codec.keyed];
    });
    expect(table).toEqual(contract);
  });
});
