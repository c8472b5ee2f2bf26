#ifndef TYPES_H
#define TYPES_H

#include "dds/dds.h"
#include "json.h"

/* A topic type of the wire contract. */
struct peer_type {
  const dds_topic_descriptor_t *descriptor;
  void (*dump)(struct json *j, const void *value);
};

/* The type of this name, or NULL. */
const struct peer_type *find_type(const char *name);

#endif
