#pragma once

/* Durations, kept one by one, so that quantiles are exact. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t *ns;
  size_t count, capacity;
} Distribution;

void add_duration(Distribution *distribution, int64_t ns);

/*
 * Writes a file of pairs of int64: a time from `times`, and the duration that was measured then, ns. The
 * durations must be in the order in which they were added.
 */
void write_events(const char *file, const Distribution *times, const Distribution *durations);

/* Prints `"name":{"count":…,"p50":…,"p99":…,"max":…}`, microseconds; sorts the durations. */
void print_distribution(const char *name, Distribution *distribution);
