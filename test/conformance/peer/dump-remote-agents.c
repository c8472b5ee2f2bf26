#include "dump.h"

#include "RemoteAgentList.h"

static void dump_part(struct json *j, const RemoteAgentPart *v)
{
  json_open(j, '{');
  STR(name);
  INT(count);
  json_close(j, '}');
}

static void dump_file(struct json *j, const RemoteAgentFile *v)
{
  json_open(j, '{');
  STR(name);
  STR(path);
  json_close(j, '}');
}

static void dump_agent(struct json *j, const RemoteAgent *v)
{
  json_open(j, '{');
  INT(node);
  INT(agent);
  INT(kind);
  BOOL(is_vehicle);
  INT(vehicle_id);
  STRUCT_SEQUENCE(parts, dump_part);
  STRUCT_SEQUENCE(files, dump_file);
  BOOL(has_state);
  STRUCT(pose, dump_pose_2d);
  F64(speed);
  json_close(j, '}');
}

void dump_remote_agent_list(struct json *j, const void *value)
{
  const RemoteAgentList *v = value;
  json_open(j, '{');
  STR(source_id);
  STRUCT_SEQUENCE(agents, dump_agent);
  json_close(j, '}');
}
