#pragma once

/* Durations, kept one by one, so that quantiles are exact. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t *ns;
  size_t count, capacity;
} Distribution;

void add_duration(Distribution *distribution, int64_t ns);

/* Prints `"name":{"count":…,"p50":…,"p99":…,"max":…}`, microseconds; sorts the durations. */
void print_distribution(const char *name, Distribution *distribution);
