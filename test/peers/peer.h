/* What peers in C share. */
#pragma once

#include <stdint.h>

#include <dds/dds.h>

/** The result; ends the program with a message when it is an error. */
int32_t check(int32_t result, const char *what);

/** A reliable writer that keeps all samples; "matched" on the standard output means a matched reader. */
dds_entity_t open_matched_writer(dds_entity_t participant, dds_entity_t topic);
