#ifndef CDR_H
#define CDR_H

#include <stdbool.h>
#include <stdint.h>

#include "dds/dds.h"

/* Reads a CDR sample of either byte order, with its encapsulation header, into a new C struct.
   Returns NULL when Cyclone refuses the bytes. Free it with cdr_free. */
void *cdr_read(const dds_topic_descriptor_t *type, const uint8_t *sample, uint32_t size);

/* Writes a C struct as CDR with its encapsulation header. Returns the bytes, for free(), and
   their number in *size, or NULL when Cyclone refuses the struct. */
uint8_t *cdr_write(const dds_topic_descriptor_t *type, const void *value, bool little_endian,
                   uint32_t *size);

void cdr_free(const dds_topic_descriptor_t *type, void *value);

#endif
