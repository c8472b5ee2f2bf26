/*
 * A middleware in real time: one thread sends a start signal at every grid time, another forwards
 * commands as they come. Flags as in middleware.h, and:
 *
 *   --periods=1000   how many start signals
 *   --realtime-priority=…   as in priority.h
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "middleware.h"
#include "priority.h"
#include "program.h"

typedef struct {
  Middleware *middleware;
  int64_t periods, period_ns;
  dds_entity_t over;
} Grid;

static void *send_start_signals(void *argument) {
  const Grid *grid = argument;
  prctl(PR_SET_TIMERSLACK, 1); /* ns; otherwise the kernel may wake it 50 us late */
  const int64_t offset = 1;
  int64_t t = (now_ns() / grid->period_ns + 1) * grid->period_ns + offset;
  for (int64_t k = 0; k < grid->periods && running; k++, t += grid->period_ns) {
    sleep_until(t);
    send_start_signal(grid->middleware, (uint64_t)t);
  }
  sleep_until(t);
  check(dds_set_guardcondition(grid->over, true), "end");
  return NULL;
}

int main(int argc, char **argv) {
  take_priority(argc, argv);
  static Middleware middleware;
  Grid grid = {
    .middleware = &middleware,
    .periods = integer_option(argc, argv, "--periods", 1000),
    .period_ns = 1000000 * integer_option(argc, argv, "--period-ms", 50),
  };
  end_on_signals();
  open_middleware(&middleware, argc, argv);
  if (!wait_for_controllers(&middleware)) return 1;

  grid.over = check(dds_create_guardcondition(middleware.controller_side), "guard condition");
  dds_entity_t waitset = wait_for_samples(middleware.controller_side, middleware.commands);
  check(dds_waitset_attach(waitset, grid.over, grid.over), "attach");
  pthread_t pacer;
  if (pthread_create(&pacer, NULL, send_start_signals, &grid) != 0) fail("no thread");
  for (bool over = false; !over;) {
    dds_attach_t triggered[2] = { 0 };
    int32_t count = check(dds_waitset_wait(waitset, triggered, 2, DDS_INFINITY), "wait");
    for (int32_t i = 0; i < count; i++) over = over || triggered[i] == (dds_attach_t)grid.over;
    forward_commands(&middleware, NULL, NULL);
  }
  pthread_join(pacer, NULL);
  close_middleware(&middleware);
  return 0;
}
