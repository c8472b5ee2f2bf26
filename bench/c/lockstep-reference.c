/*
 * A middleware in simulated time: sends a start signal, waits for the replies of all controllers,
 * forwards them, and goes on to the next step. Flags as in middleware.h, and:
 *
 *   --periods=1000   how many steps
 */
#include <inttypes.h>
#include <stdio.h>

#include "middleware.h"
#include "program.h"

typedef struct {
  uint64_t t_now;
  int missing;
  bool assigned[256];
  /* Time of the step that each controller answered last. */
  uint64_t answered[256];
} Step;

static void count_reply(const VehicleCommandTrajectory *command, void *argument) {
  Step *step = argument;
  uint8_t id = command->vehicle_id;
  if (!step->assigned[id] || step->answered[id] == step->t_now) return;
  if (command->header.create_stamp.nanoseconds < step->t_now) return;
  step->answered[id] = step->t_now;
  step->missing--;
}

int main(int argc, char **argv) {
  const int64_t periods = integer_option(argc, argv, "--periods", 1000);
  const uint64_t period_ns = 1000000 * (uint64_t)integer_option(argc, argv, "--period-ms", 50);
  end_on_signals();
  static Middleware middleware;
  open_middleware(&middleware, argc, argv);
  if (!wait_for_controllers(&middleware)) return 1;

  static Step step;
  const VehicleIds *controllers = &middleware.controllers;
  for (int i = 0; i < controllers->count; i++) step.assigned[controllers->id[i]] = true;
  dds_entity_t waitset = wait_for_samples(middleware.controller_side, middleware.commands);
  const int64_t began = steady_ns();
  for (int64_t k = 0; k < periods && running; k++) {
    step.t_now = 1 + (uint64_t)k * period_ns;
    step.missing = controllers->count;
    send_start_signal(&middleware, step.t_now);
    while (step.missing > 0 && running) {
      check(dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(100)), "wait");
      forward_commands(&middleware, count_reply, &step);
    }
  }
  const double seconds = (steady_ns() - began) / 1e9;
  printf("%" PRId64 " steps in %.3f s, %.1f steps/s\n", periods, seconds, periods / seconds);
  close_middleware(&middleware);
  return 0;
}
