#include "dump.h"

#include "CommonroadDDSGoalState.h"

static void dump_interval(struct json *j, const CommonroadDDSInterval *v)
{
  json_open(j, '{');
  F64(interval_start);
  F64(interval_end);
  json_close(j, '}');
}

static void dump_point(struct json *j, const CommonroadDDSPoint *v)
{
  json_open(j, '{');
  F64(x);
  F64(y);
  json_close(j, '}');
}

static void dump_circle(struct json *j, const CommonroadDDSCircle *v)
{
  json_open(j, '{');
  STRUCT(center, dump_point);
  F64(radius);
  json_close(j, '}');
}

static void dump_polygon(struct json *j, const CommonroadDDSPolygon *v)
{
  json_open(j, '{');
  STRUCT_SEQUENCE(points, dump_point);
  json_close(j, '}');
}

static void dump_rectangle(struct json *j, const CommonroadDDSRectangle *v)
{
  json_open(j, '{');
  F64(length);
  F64(width);
  STRUCT(center, dump_point);
  F64(orientation);
  json_close(j, '}');
}

static void dump_position_interval(struct json *j, const CommonroadDDSPositionInterval *v)
{
  json_open(j, '{');
  STRUCT_SEQUENCE(circles, dump_circle);
  STRUCT_SEQUENCE(polygons, dump_polygon);
  STRUCT_SEQUENCE(rectangles, dump_rectangle);
  SEQUENCE(lanelet_refs, json_int);
  json_close(j, '}');
}

void dump_commonroad_dds_goal_state(struct json *j, const void *value)
{
  const CommonroadDDSGoalState *v = value;
  json_open(j, '{');
  STRUCT(time, dump_interval);
  BOOL(time_set);
  BOOL(has_exact_position);
  STRUCT(exact_position, dump_point);
  STRUCT(position, dump_position_interval);
  STRUCT(orientation, dump_interval);
  STRUCT(velocity, dump_interval);
  INT(planning_problem_id);
  INT(goal_state_pos);
  json_close(j, '}');
}
