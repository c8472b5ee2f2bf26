#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <dds/dds.h>

static const int64_t ns_per_s = 1000000000;

volatile sig_atomic_t running = 1;

static void end(int signal_number) { running = signal_number == 0; }

void end_on_signals(void) {
  signal(SIGINT, end);
  signal(SIGTERM, end);
}

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

int32_t check(int32_t result, const char *what) {
  if (result < 0) fail("%s: %s", what, dds_strretcode(result));
  return result;
}

static int64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * ns_per_s + time.tv_nsec;
}

int64_t now_ns(void) { return read_clock(CLOCK_REALTIME); }

int64_t steady_ns(void) { return read_clock(CLOCK_MONOTONIC); }

void sleep_until(int64_t ns) {
  struct timespec time = { ns / ns_per_s, ns % ns_per_s };
  while (running && clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL) != 0) {}
}
