#include "distribution.h"

#include <stdio.h>
#include <stdlib.h>

#include "program.h"

void add_duration(Distribution *distribution, int64_t ns) {
  if (distribution->count == distribution->capacity) {
    distribution->capacity = distribution->capacity > 0 ? 2 * distribution->capacity : 65536;
    distribution->ns = realloc(distribution->ns, distribution->capacity * sizeof *distribution->ns);
    if (distribution->ns == NULL) fail("no memory for %zu durations", distribution->capacity);
  }
  distribution->ns[distribution->count++] = ns;
}

void write_events(const char *file, const Distribution *times, const Distribution *durations) {
  FILE *out = fopen(file, "wb");
  if (out == NULL) fail("%s cannot be written", file);
  for (size_t i = 0; i < durations->count; i++)
    fwrite((int64_t[]){ times->ns[i], durations->ns[i] }, sizeof(int64_t), 2, out);
  if (fclose(out) != 0) fail("%s is incomplete", file);
}

static int by_length(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

/* Nearest rank. */
static double quantile_us(const Distribution *distribution, size_t percent) {
  if (distribution->count == 0) return 0;
  size_t rank = (distribution->count * percent + 99) / 100;
  return distribution->ns[rank > 0 ? rank - 1 : 0] / 1e3;
}

void print_distribution(const char *name, Distribution *distribution) {
  if (distribution->count > 0)
    qsort(distribution->ns, distribution->count, sizeof *distribution->ns, by_length);
  printf("\"%s\":{\"count\":%zu,\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f}", name, distribution->count,
         quantile_us(distribution, 50), quantile_us(distribution, 99),
         quantile_us(distribution, 100));
}
