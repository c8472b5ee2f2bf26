import fc from 'fast-check';

import {
  MessageType,
  MiddlewarePhase,
  NeighborRole,
  ParameterType,
  RemoteAgentKind,
  topics,
  type CommonroadDDSGoalState,
  type CommonroadDDSInterval,
  type CommonroadDDSPoint,
  type Header,
  type Pose2D,
  type TimeStamp,
  type Topic,
  type VehicleObservation,
  type VehicleState,
} from '../../../src/messages/index.js';

const octet = fc.integer({ min: 0, max: 0xff });
const uint16 = fc.integer({ min: 0, max: 0xffff });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const int32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const uint64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }),
  fc.constantFrom(0n, 0xffff_ffff_ffff_ffffn, 1n << 63n),
);
/** Every number, with infinities, -0 and NaN. */
const double = fc.double();
/** Every string that CDR can carry: whole characters of any plane, without NUL. */
const text = fc.string({ unit: 'binary', maxLength: 40 }).map((s) => s.replaceAll('\0', '\uFEFF'));
const list = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 12 });

const timeStamp: fc.Arbitrary<TimeStamp> = fc.record({ nanoseconds: uint64 });
const commandedVehicle = fc.record({
  vehicle_id: octet,
  kinds: octet,
  create_stamp: timeStamp,
  valid_after_stamp: timeStamp,
  obeyed_until: timeStamp,
});
const header: fc.Arbitrary<Header> = fc.record({
  create_stamp: timeStamp,
  valid_after_stamp: timeStamp,
});
const pose: fc.Arbitrary<Pose2D> = fc.record({ x: double, y: double, yaw: double });
const vehicleState: fc.Arbitrary<VehicleState> = fc.record({
  vehicle_id: octet,
  header,
  pose,
  IPS_update_age_nanoseconds: uint64,
  odometer_distance: double,
  imu_acceleration_forward: double,
  imu_acceleration_left: double,
  imu_acceleration_up: double,
  imu_yaw: double,
  imu_yaw_rate: double,
  speed: double,
  battery_voltage: double,
  motor_current: double,
  motor_throttle: double,
  steering_servo: double,
  is_real: fc.boolean(),
});
const vehicleObservation: fc.Arbitrary<VehicleObservation> = fc.record({
  vehicle_id: octet,
  header,
  pose,
});
const interval: fc.Arbitrary<CommonroadDDSInterval> = fc.record({
  interval_start: double,
  interval_end: double,
});
const point: fc.Arbitrary<CommonroadDDSPoint> = fc.record({ x: double, y: double });
const goalState: fc.Arbitrary<CommonroadDDSGoalState> = fc.record({
  time: interval,
  time_set: fc.boolean(),
  has_exact_position: fc.boolean(),
  exact_position: point,
  position: fc.record({
    circles: list(fc.record({ center: point, radius: double })),
    polygons: list(fc.record({ points: list(point) })),
    rectangles: list(
      fc.record({ length: double, width: double, center: point, orientation: double }),
    ),
    lanelet_refs: list(int32),
  }),
  orientation: interval,
  velocity: interval,
  planning_problem_id: int32,
  goal_state_pos: int32,
});

type ValueOf<K extends keyof typeof topics> = (typeof topics)[K] extends Topic<infer T> ? T : never;

/** Any value of the type of each topic. */
export const messageArbitraries: { readonly [K in keyof typeof topics]: fc.Arbitrary<ValueOf<K>> } =
  {
    readyStatus: fc.record({ source_id: text, next_start_stamp: timeStamp }),
    systemTrigger: fc.record({ next_start: timeStamp }),
    stopRequest: fc.record({ vehicle_id: octet }),
    vehicleState,
    vehicleObservation,
    vehicleStateList: fc.record({
      t_now: uint64,
      period_ms: uint64,
      state_list: list(vehicleState),
      vehicle_observation_list: list(vehicleObservation),
      active_vehicle_ids: list(int32),
    }),
    vehicleCommandDirect: fc.record({
      vehicle_id: octet,
      header,
      motor_throttle: double,
      steering_servo: double,
    }),
    vehicleCommandSpeedCurvature: fc.record({
      vehicle_id: octet,
      header,
      speed: double,
      curvature: double,
    }),
    vehicleCommandTrajectory: fc.record({
      vehicle_id: octet,
      header,
      trajectory_points: list(
        fc.record({ t: timeStamp, px: double, py: double, vx: double, vy: double }),
      ),
    }),
    vehicleCommandPathTracking: fc.record({
      vehicle_id: octet,
      header,
      path: list(fc.record({ pose, s: double })),
      speed: double,
    }),
    parameter: fc.record({
      name: text,
      type: fc.constantFrom(...Object.values(ParameterType)),
      value_bool: fc.boolean(),
      value_uint64_t: uint64,
      values_int32: list(int32),
      values_double: list(double),
      value_string: text,
    }),
    parameterRequest: fc.record({ name: text }),
    log: fc.record({ id: text, content: text, stamp: timeStamp, log_level: uint16 }),
    logLevel: fc.record({ log_level: uint16 }),
    commonroad_dds_goal_states: goalState,
    round_trip_time: fc.record({ source_id: text, is_answer: fc.boolean(), count: octet }),
    hlc_hello: fc.record({
      source_id: text,
      script_running: fc.boolean(),
      middleware_running: fc.boolean(),
    }),
    hlcCommunication: fc.record({
      vehicle_id: octet,
      header,
      type: fc.constantFrom(...Object.values(MessageType)),
      has_collisions: fc.boolean(),
      lane_graph_positions: list(
        fc.record({
          estimated_arrival_time: timeStamp,
          edge_index: uint16,
          edge_path_index: uint16,
        }),
      ),
    }),
    middlewareStatus: fc.record({
      epoch: uint64,
      stamp: timeStamp,
      source_id: text,
      t_now: uint64,
      period: uint64,
      simulated_time: fc.boolean(),
      phase: fc.constantFrom(...Object.values(MiddlewarePhase)),
      vehicles: list(commandedVehicle),
      taken_over: list(fc.record({ guard: uint64, vehicle_id: octet, number: uint64 })),
    }),
    guardStatus: fc.record({
      source_id: text,
      epoch: uint64,
      stops: list(fc.record({ vehicle: commandedVehicle, number: uint64, speed: double })),
    }),
    neighborList: fc.record({
      vehicle_id: octet,
      t_now: uint64,
      role: fc.constantFrom(...Object.values(NeighborRole)),
      neighbors: list(
        fc.record({
          vehicle_id: octet,
          role: fc.constantFrom(...Object.values(NeighborRole)),
          link_quality: double,
          age: uint64,
        }),
      ),
    }),
    remoteAgentList: fc.record({
      source_id: text,
      agents: list(
        fc.record({
          node: int32,
          agent: int32,
          kind: fc.constantFrom(...Object.values(RemoteAgentKind)),
          is_vehicle: fc.boolean(),
          vehicle_id: octet,
          parts: fc.array(fc.record({ name: text, count: uint32 }), { maxLength: 4 }),
          files: fc.array(fc.record({ name: text, path: text }), { maxLength: 9 }),
          has_state: fc.boolean(),
          pose,
          speed: double,
        }),
      ),
    }),
  };

/** One topic with the values of its type; tests that hold for every type loop over these. */
export interface MessageCase {
  readonly topic: Topic<unknown>;
  readonly values: fc.Arbitrary<unknown>;
}

/** Every topic, with the arbitrary values of its type. */
export const messageCases: readonly MessageCase[] = Object.values(topics).map((topic) => ({
  topic,
  values: messageArbitraries[topic.name],
}));
