#include "middleware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { samples_per_take = 64 };

void open_middleware(Middleware *self, int argc, char **argv) {
  memset(self, 0, sizeof *self);
  self->controllers = vehicle_ids_option(argc, argv);
  int vehicles = (int)integer_option(argc, argv, "--vehicles", 1);
  for (int id = 1; id <= vehicles && id <= 255; id++)
    self->vehicles.id[self->vehicles.count++] = (uint8_t)id;

  self->lab = join((dds_domainid_t)integer_option(argc, argv, "--dds-domain", 0));
  self->controller_side = join((dds_domainid_t)integer_option(argc, argv, "--domain-number", 1));
  self->states = state_reader(self->lab);
  self->forwarded = command_writer(self->lab);
  self->commands = command_reader(self->controller_side);
  self->start_signals = start_signal_writer(self->controller_side);
  self->ready_signals = ready_reader(self->controller_side);

  VehicleStateList *list = &self->list;
  uint32_t count = (uint32_t)self->vehicles.count;
  list->period_ms = (uint64_t)integer_option(argc, argv, "--period-ms", 50);
  list->state_list._buffer = calloc(count, sizeof *list->state_list._buffer);
  list->active_vehicle_ids._buffer = calloc(count, sizeof *list->active_vehicle_ids._buffer);
  list->active_vehicle_ids._length = list->active_vehicle_ids._maximum = count;
  list->state_list._maximum = count;
  for (uint32_t i = 0; i < count; i++)
    list->active_vehicle_ids._buffer[i] = self->vehicles.id[i];
}

static bool all_ready(const Middleware *self) {
  for (int i = 0; i < self->controllers.count; i++)
    if (!self->ready[self->controllers.id[i]]) return false;
  return true;
}

/* Each process of controllers has one writer of ready signals and one reader of start signals. */
static bool all_hear(const Middleware *self) {
  return check(dds_get_matched_subscriptions(self->start_signals, NULL, 0), "readers") >=
         check(dds_get_matched_publications(self->ready_signals, NULL, 0), "writers");
}

bool wait_for_controllers(Middleware *self) {
  fputs("waiting for controllers\n", stderr);
  while (running && !(all_ready(self) && all_hear(self))) {
    ReadyStatus signal = { 0 };
    dds_sample_info_t info;
    while (check(dds_take(self->ready_signals, &(void *){ &signal }, &info, 1, 1), "ready") > 0) {
      unsigned id;
      if (info.valid_data && sscanf(signal.source_id, "hlc_%3u", &id) == 1 && id <= 255)
        self->ready[id] = true;
    }
    ReadyStatus_free(&signal, DDS_FREE_CONTENTS);
    dds_sleepfor(DDS_MSECS(1));
  }
  return running;
}

static void take_states(Middleware *self) {
  for (;;) {
    void *samples[samples_per_take] = { NULL };
    dds_sample_info_t infos[samples_per_take];
    int32_t count =
        check(dds_take(self->states, samples, infos, samples_per_take, samples_per_take), "states");
    for (int32_t i = 0; i < count; i++) {
      const VehicleState *state = samples[i];
      if (!infos[i].valid_data) continue;
      self->newest[state->vehicle_id] = *state;
      self->known[state->vehicle_id] = true;
    }
    if (count == 0) return;
    check(dds_return_loan(self->states, samples, count), "loan");
  }
}

void send_start_signal(Middleware *self, uint64_t t_now) {
  take_states(self);
  VehicleStateList *list = &self->list;
  list->t_now = t_now;
  list->state_list._length = 0;
  for (int i = 0; i < self->vehicles.count; i++) {
    uint8_t id = self->vehicles.id[i];
    if (self->known[id]) list->state_list._buffer[list->state_list._length++] = self->newest[id];
  }
  check(dds_write(self->start_signals, list), "start signal");
}

void forward_commands(Middleware *self,
                      void (*on_command)(const VehicleCommandTrajectory *command, void *argument),
                      void *argument) {
  void *samples[samples_per_take] = { NULL };
  dds_sample_info_t infos[samples_per_take];
  int32_t count =
      check(dds_take(self->commands, samples, infos, samples_per_take, samples_per_take), "take");
  for (int32_t i = 0; i < count; i++) {
    if (!infos[i].valid_data) continue;
    check(dds_write(self->forwarded, samples[i]), "command");
    if (on_command != NULL) on_command(samples[i], argument);
  }
  if (count > 0) check(dds_return_loan(self->commands, samples, count), "loan");
}

void close_middleware(Middleware *self) {
  check(dds_delete(self->controller_side), "close");
  check(dds_delete(self->lab), "close");
  free(self->list.state_list._buffer);
  free(self->list.active_vehicle_ids._buffer);
}
