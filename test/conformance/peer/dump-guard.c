#include "dump.h"

#include "GuardStatus.h"
#include "MiddlewareStatus.h"

static void dump_commanded_vehicle(struct json *j, const CommandedVehicle *v)
{
  json_open(j, '{');
  INT(vehicle_id);
  INT(kinds);
  STRUCT(create_stamp, dump_time_stamp);
  STRUCT(valid_after_stamp, dump_time_stamp);
  STRUCT(obeyed_until, dump_time_stamp);
  json_close(j, '}');
}

static void dump_taken_over_stop(struct json *j, const TakenOverStop *v)
{
  json_open(j, '{');
  U64(guard);
  INT(vehicle_id);
  U64(number);
  json_close(j, '}');
}

void dump_middleware_status(struct json *j, const void *value)
{
  const MiddlewareStatus *v = value;
  json_open(j, '{');
  U64(epoch);
  STRUCT(stamp, dump_time_stamp);
  STR(source_id);
  U64(t_now);
  U64(period);
  BOOL(simulated_time);
  INT(phase);
  STRUCT_SEQUENCE(vehicles, dump_commanded_vehicle);
  STRUCT_SEQUENCE(taken_over, dump_taken_over_stop);
  json_close(j, '}');
}

static void dump_guard_stop(struct json *j, const GuardStop *v)
{
  json_open(j, '{');
  STRUCT(vehicle, dump_commanded_vehicle);
  U64(number);
  F64(speed);
  json_close(j, '}');
}

void dump_guard_status(struct json *j, const void *value)
{
  const GuardStatus *v = value;
  json_open(j, '{');
  STR(source_id);
  U64(epoch);
  STRUCT_SEQUENCE(stops, dump_guard_stop);
  json_close(j, '}');
}
