#include "priority.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "options.h"
#include "program.h"

void take_priority(int argc, char **argv) {
  const int priority = (int)integer_option(argc, argv, "--realtime-priority", 0);
  if (priority == 0) return;
  const struct sched_param parameters = { .sched_priority = priority };
  if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0)
    fail("SCHED_FIFO with priority %d: %s", priority, strerror(errno));
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) fail("locking memory: %s", strerror(errno));
}
