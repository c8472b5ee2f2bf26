#ifndef DUMP_H
#define DUMP_H

/* Writes C structs as JSON objects, member by member, under the names of the C members: what the
   C compiler sees, without the (de)serialiser. */

#include "json.h"

#include "Header.h"
#include "Pose2D.h"

/* Within a function that has `struct json *j` and a struct pointer `v`: one member of it. */
#define BOOL(member) (json_key(j, #member), json_bool(j, v->member))
#define INT(member) (json_key(j, #member), json_int(j, (int64_t)v->member))
#define U64(member) (json_key(j, #member), json_u64(j, v->member))
#define F64(member) (json_key(j, #member), json_f64(j, v->member))
#define STR(member) (json_key(j, #member), json_str(j, v->member))
#define STRUCT(member, dump) (json_key(j, #member), dump(j, &v->member))
#define SEQUENCE(member, write_element)                \
  do                                                   \
  {                                                    \
    json_key(j, #member);                              \
    json_open(j, '[');                                 \
    for (uint32_t i = 0; i < v->member._length; i++)   \
      write_element(j, v->member._buffer[i]);          \
    json_close(j, ']');                                \
  } while (0)
#define STRUCT_SEQUENCE(member, dump)                  \
  do                                                   \
  {                                                    \
    json_key(j, #member);                              \
    json_open(j, '[');                                 \
    for (uint32_t i = 0; i < v->member._length; i++)   \
      dump(j, &v->member._buffer[i]);                  \
    json_close(j, ']');                                \
  } while (0)

void dump_time_stamp(struct json *j, const TimeStamp *v);
void dump_header(struct json *j, const Header *v);
void dump_pose_2d(struct json *j, const Pose2D *v);

void dump_vehicle_state(struct json *j, const void *value);
void dump_vehicle_observation(struct json *j, const void *value);
void dump_vehicle_state_list(struct json *j, const void *value);

void dump_vehicle_command_direct(struct json *j, const void *value);
void dump_vehicle_command_speed_curvature(struct json *j, const void *value);
void dump_vehicle_command_trajectory(struct json *j, const void *value);
void dump_vehicle_command_path_tracking(struct json *j, const void *value);
void dump_hlc_communication(struct json *j, const void *value);

void dump_ready_status(struct json *j, const void *value);
void dump_system_trigger(struct json *j, const void *value);
void dump_stop_request(struct json *j, const void *value);
void dump_hlc_hello(struct json *j, const void *value);
void dump_round_trip_time(struct json *j, const void *value);
void dump_log(struct json *j, const void *value);
void dump_log_level(struct json *j, const void *value);
void dump_parameter(struct json *j, const void *value);
void dump_parameter_request(struct json *j, const void *value);

void dump_middleware_status(struct json *j, const void *value);
void dump_guard_status(struct json *j, const void *value);
void dump_neighbor_list(struct json *j, const void *value);
void dump_remote_agent_list(struct json *j, const void *value);

void dump_commonroad_dds_goal_state(struct json *j, const void *value);

#endif
