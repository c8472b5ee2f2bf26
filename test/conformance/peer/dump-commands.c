#include "dump.h"

#include "HlcCommunication.h"
#include "VehicleCommandDirect.h"
#include "VehicleCommandPathTracking.h"
#include "VehicleCommandSpeedCurvature.h"
#include "VehicleCommandTrajectory.h"

void dump_vehicle_command_direct(struct json *j, const void *value)
{
  const VehicleCommandDirect *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  F64(motor_throttle);
  F64(steering_servo);
  json_close(j, '}');
}

void dump_vehicle_command_speed_curvature(struct json *j, const void *value)
{
  const VehicleCommandSpeedCurvature *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  F64(speed);
  F64(curvature);
  json_close(j, '}');
}

static void dump_trajectory_point(struct json *j, const TrajectoryPoint *v)
{
  json_open(j, '{');
  STRUCT(t, dump_time_stamp);
  F64(px);
  F64(py);
  F64(vx);
  F64(vy);
  json_close(j, '}');
}

void dump_vehicle_command_trajectory(struct json *j, const void *value)
{
  const VehicleCommandTrajectory *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  STRUCT_SEQUENCE(trajectory_points, dump_trajectory_point);
  json_close(j, '}');
}

static void dump_path_point(struct json *j, const PathPoint *v)
{
  json_open(j, '{');
  STRUCT(pose, dump_pose_2d);
  F64(s);
  json_close(j, '}');
}

void dump_vehicle_command_path_tracking(struct json *j, const void *value)
{
  const VehicleCommandPathTracking *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  STRUCT_SEQUENCE(path, dump_path_point);
  F64(speed);
  json_close(j, '}');
}

static void dump_lane_graph_position(struct json *j, const LaneGraphPosition *v)
{
  json_open(j, '{');
  STRUCT(estimated_arrival_time, dump_time_stamp);
  INT(edge_index);
  INT(edge_path_index);
  json_close(j, '}');
}

void dump_hlc_communication(struct json *j, const void *value)
{
  const HlcCommunication *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  STRUCT(header, dump_header);
  INT(type);
  BOOL(has_collisions);
  STRUCT_SEQUENCE(lane_graph_positions, dump_lane_graph_position);
  json_close(j, '}');
}
