#include "dump.h"

#include "VehicleStateList.h"

void dump_time_stamp(struct json *j, const TimeStamp *v)
{
  json_open(j, '{');
  U64(nanoseconds);
  json_close(j, '}');
}

void dump_header(struct json *j, const Header *v)
{
  json_open(j, '{');
  STRUCT(create_stamp, dump_time_stamp);
  STRUCT(valid_after_stamp, dump_time_stamp);
  json_close(j, '}');
}

void dump_pose_2d(struct json *j, const Pose2D *v)
{
  json_open(j, '{');
  F64(x);
  F64(y);
  F64(yaw);
  json_close(j, '}');
}

void dump_vehicle_state(struct json *j, const void *value)
{
  const VehicleState *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  STRUCT(pose, dump_pose_2d);
  U64(IPS_update_age_nanoseconds);
  F64(odometer_distance);
  F64(imu_acceleration_forward);
  F64(imu_acceleration_left);
  F64(imu_acceleration_up);
  F64(imu_yaw);
  F64(imu_yaw_rate);
  F64(speed);
  F64(battery_voltage);
  F64(motor_current);
  F64(motor_throttle);
  F64(steering_servo);
  BOOL(is_real);
  json_close(j, '}');
}

void dump_vehicle_observation(struct json *j, const void *value)
{
  const VehicleObservation *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  STRUCT(pose, dump_pose_2d);
  json_close(j, '}');
}

void dump_vehicle_state_list(struct json *j, const void *value)
{
  const VehicleStateList *v = value;
  json_open(j, '{');
  U64(t_now);
  U64(period_ms);
  STRUCT_SEQUENCE(state_list, dump_vehicle_state);
  STRUCT_SEQUENCE(vehicle_observation_list, dump_vehicle_observation);
  SEQUENCE(active_vehicle_ids, json_int);
  json_close(j, '}');
}
