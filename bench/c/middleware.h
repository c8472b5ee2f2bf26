#pragma once

/*
 * What both references do: the work of a middleware in the simplest way, without the product's
 * checks, policies, logs and statistics.
 */
#include "endpoints.h"
#include "options.h"

typedef struct {
  dds_entity_t lab, controller_side;
  dds_entity_t states, commands, ready_signals;
  dds_entity_t start_signals, forwarded;
  VehicleIds controllers, vehicles;
  bool ready[256];
  bool known[256];
  VehicleState newest[256];
  VehicleStateList list;
} Middleware;

/*
 * Joins both sides.
 *   --vehicle-ids=1,2   the controllers to wait for
 *   --vehicles=20       the vehicles 1 to n are listed
 *   --dds-domain=0 --domain-number=1 --period-ms=50   as those of the product
 */
void open_middleware(Middleware *self, int argc, char **argv);

/*
 * Prints "waiting for controllers" on standard error. Returns when all are ready and their readers of
 * start signals are matched; false after SIGINT or SIGTERM.
 */
bool wait_for_controllers(Middleware *self);

/* Writes the newest state of all vehicles. */
void send_start_signal(Middleware *self, uint64_t t_now);

/*
 * Forwards the commands that have come.
 * @param on_command called for each, after it was forwarded; may be NULL
 */
void forward_commands(Middleware *self,
                      void (*on_command)(const VehicleCommandTrajectory *command, void *argument),
                      void *argument);

void close_middleware(Middleware *self);
