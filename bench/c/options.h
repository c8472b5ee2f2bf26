#pragma once

/* Flags of the form --name=value. */
#include <stdint.h>

typedef struct {
  int count;
  uint8_t id[256];
} VehicleIds;

/* The value of a flag; NULL when the flag is not given. */
const char *optional_text_option(int argc, char **argv, const char *name);

/* The value of a flag, which must be given. */
const char *text_option(int argc, char **argv, const char *name);

/* The value of a flag, an integer of 0 or more; `absent` when the flag is not given. */
int64_t integer_option(int argc, char **argv, const char *name, int64_t absent);

/* The value of --vehicle-ids=1,2,5: 0 to 255, at least one. */
VehicleIds vehicle_ids_option(int argc, char **argv);
