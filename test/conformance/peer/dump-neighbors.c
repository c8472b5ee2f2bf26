#include "dump.h"

#include "NeighborList.h"

static void dump_neighbor(struct json *j, const Neighbor *v)
{
  json_open(j, '{');
  INT(vehicle_id);
  INT(role);
  F64(link_quality);
  U64(age);
  json_close(j, '}');
}

void dump_neighbor_list(struct json *j, const void *value)
{
  const NeighborList *v = value;
  json_open(j, '{');
  INT(vehicle_id);
  U64(t_now);
  INT(role);
  STRUCT_SEQUENCE(neighbors, dump_neighbor);
  json_close(j, '}');
}
