/*
 * Load of the machine: one busy loop on each core that this process may use, at normal priority, until
 * SIGINT or SIGTERM.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "program.h"

static void *spin(void *core) {
  const cpu_set_t *only = core;
  if (pthread_setaffinity_np(pthread_self(), sizeof *only, only) != 0) fail("no such core");
  while (running) {}
  return NULL;
}

int main(void) {
  end_on_signals();
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) fail("no cores are known");
  static cpu_set_t only[CPU_SETSIZE];
  pthread_t threads[CPU_SETSIZE];
  int count = 0;
  for (int core = 0; core < CPU_SETSIZE; core++) {
    if (!CPU_ISSET(core, &usable)) continue;
    CPU_SET(core, &only[count]);
    if (pthread_create(&threads[count], NULL, spin, &only[count]) != 0) fail("no thread");
    count++;
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return 0;
}
