#include "dump.h"

#include "HLCHello.h"
#include "Log.h"
#include "LogLevel.h"
#include "Parameter.h"
#include "ParameterRequest.h"
#include "ReadyStatus.h"
#include "RoundTripTime.h"
#include "StopRequest.h"
#include "SystemTrigger.h"

void dump_ready_status(struct json *j, const void *value)
{
  const ReadyStatus *v = value;
  json_open(j, '{');
  STR(source_id);
  STRUCT(next_start_stamp, dump_time_stamp);
  json_close(j, '}');
}

void dump_system_trigger(struct json *j, const void *value)
{
  const SystemTrigger *v = value;
  json_open(j, '{');
  STRUCT(next_start, dump_time_stamp);
  json_close(j, '}');
}

void dump_stop_request(struct json *j, const void *value)
{
  const StopRequest *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  json_close(j, '}');
}

void dump_hlc_hello(struct json *j, const void *value)
{
  const HLCHello *v = value;
  json_open(j, '{');
  STR(source_id);
  BOOL(script_running);
  BOOL(middleware_running);
  json_close(j, '}');
}

void dump_round_trip_time(struct json *j, const void *value)
{
  const RoundTripTime *v = value;
  json_open(j, '{');
  STR(source_id);
  BOOL(is_answer);
  INT(count);
  json_close(j, '}');
}

void dump_log(struct json *j, const void *value)
{
  const Log *v = value;
  json_open(j, '{');
  STR(id);
  STR(content);
  STRUCT(stamp, dump_time_stamp);
  INT(log_level);
  json_close(j, '}');
}

void dump_log_level(struct json *j, const void *value)
{
  const LogLevel *v = value;
  json_open(j, '{');
  INT(log_level);
  json_close(j, '}');
}

void dump_parameter(struct json *j, const void *value)
{
  const Parameter *v = value;
  json_open(j, '{');
  STR(name);
  INT(type);
  BOOL(value_bool);
  U64(value_uint64_t);
  SEQUENCE(values_int32, json_int);
  SEQUENCE(values_double, json_f64);
  STR(value_string);
  json_close(j, '}');
}

void dump_parameter_request(struct json *j, const void *value)
{
  const ParameterRequest *v = value;
  json_open(j, '{');
  STR(name);
  json_close(j, '}');
}
