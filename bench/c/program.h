#pragma once

/* What every program of the benchmark needs. */
#include <signal.h>
#include <stdint.h>

/* Falls to 0 when SIGINT or SIGTERM comes. */
extern volatile sig_atomic_t running;

/* Makes SIGINT and SIGTERM end the loops that look at `running`. */
void end_on_signals(void);

/* The result of a DDS call; ends the program with code 1 when it is an error. */
int32_t check(int32_t result, const char *what);

/* Ends the program with code 1 and a sentence, as printf. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Time since 1970, ns: the clock of the grid and of stamps. */
int64_t now_ns(void);

/* The monotonic clock for durations, ns. */
int64_t steady_ns(void);

/* Sleeps until this time since 1970, ns. */
void sleep_until(int64_t ns);
