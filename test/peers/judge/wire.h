/* What the judge's programs share: entities of Cyclone DDS, and orders on the standard input. */
#ifndef WIRE_H
#define WIRE_H

#include <dds/dds.h>
#include <stdbool.h>
#include <stdint.h>

/* Ends the program with the name of what failed. */
int32_t check(int32_t result, const char *what);

dds_entity_t open_reader(dds_entity_t participant, const dds_topic_descriptor_t *type,
                         const char *topic, bool reliable, bool keep_all);
dds_entity_t open_writer(dds_entity_t participant, const dds_topic_descriptor_t *type,
                         const char *topic, bool reliable, bool transient_local);

/* Whether there is a reader of this writer, and a writer of this reader. */
bool is_read(dds_entity_t writer);
bool is_written(dds_entity_t reader);

uint64_t clock_ns(int clock);

/* The monotonic clock, microseconds. */
uint64_t t_us(void);

/* Writes an event as a line of JSON; no id when it is below 0. */
void report(const char *event, int id);

/* Makes the standard input answer at once. */
void open_orders(void);
/* The next whole line of the standard input, or NULL; `*ended` says that none will come. */
const char *next_order(bool *ended);

/* The value of `name=value`, or NULL when the text has another name. */
const char *value_of(const char *text, const char *name);

#endif
