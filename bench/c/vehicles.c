/*
 * All vehicles of the lab in one process: sends their states and receives their commands. Prints
 * "states sent" on standard output when the middleware has received the first states, and at the end
 * how many commands came and how long they took, when they are stamped with the clock.
 *
 *   --vehicle-ids=1,2   the vehicles
 *   --domain=0          the lab side
 *   --rate-hz=50        rate of states of each vehicle; 0: one state, with the stamp 0
 *   --events=FILE       writes the time of each command's arrival and the delay of its forwarding to a file
 *   --realtime-priority=…   as in priority.h
 */
#include <stdio.h>

#include "distribution.h"
#include "endpoints.h"
#include "options.h"
#include "priority.h"
#include "program.h"

enum { commands_per_take = 64 };

static void send_states(dds_entity_t states, const VehicleIds *ids, uint64_t stamp) {
  for (int i = 0; i < ids->count; i++) {
    VehicleState state = {
      .vehicle_id = ids->id[i],
      .header = { { stamp }, { stamp } },
      .pose = { 0.25 * i, 1, 0.5 },
      .odometer_distance = 12.5,
      .speed = 0, /* it stands: a middleware that stops it at its end waits for that */
      .battery_voltage = 7.8,
    };
    check(dds_write(states, &state), "state");
  }
}

typedef struct {
  /* From the controller's write to the middleware's: what the middleware adds to the way. */
  Distribution forwarded;
  /* From the controller's write to the arrival here. */
  Distribution arrived;
  /* Times of the arrivals on the monotonic clock. */
  Distribution arrivals;
} Delays;

static void note(Delays *delays, const VehicleCommandTrajectory *command,
                 const dds_sample_info_t *info, int64_t now) {
  int64_t written = (int64_t)command->header.create_stamp.nanoseconds;
  add_duration(&delays->forwarded, info->source_timestamp - written);
  add_duration(&delays->arrived, now - written);
  add_duration(&delays->arrivals, steady_ns());
}

/* Takes all that has come. */
static void receive_commands(dds_entity_t commands, Delays *delays) {
  for (;;) {
    void *samples[commands_per_take] = { NULL };
    dds_sample_info_t infos[commands_per_take];
    int32_t count =
        check(dds_take(commands, samples, infos, commands_per_take, commands_per_take), "commands");
    int64_t now = now_ns();
    for (int32_t i = 0; i < count; i++)
      if (infos[i].valid_data) note(delays, samples[i], &infos[i], now);
    if (count == 0) return;
    check(dds_return_loan(commands, samples, count), "loan");
  }
}

int main(int argc, char **argv) {
  take_priority(argc, argv);
  const VehicleIds ids = vehicle_ids_option(argc, argv);
  const int64_t rate = integer_option(argc, argv, "--rate-hz", 0);
  const int64_t interval = rate > 0 ? 1000000000 / rate : INT64_MAX;
  end_on_signals();

  dds_entity_t domain = join((dds_domainid_t)integer_option(argc, argv, "--domain", 0));
  dds_entity_t states = state_writer(domain);
  dds_entity_t commands = command_reader(domain);
  wait_for_reliable_reader(states);
  send_states(states, &ids, rate > 0 ? (uint64_t)now_ns() : 0);
  check(dds_wait_for_acks(states, DDS_SECS(5)), "acknowledgement of the states");
  puts("states sent");
  fflush(stdout);

  Delays delays = { 0 };
  dds_entity_t waitset = wait_for_samples(domain, commands);
  int64_t next = rate > 0 ? (now_ns() / interval + 1) * interval : INT64_MAX;
  while (running) {
    int64_t now = now_ns();
    if (now >= next) {
      send_states(states, &ids, (uint64_t)now);
      next += interval;
    }
    dds_duration_t until_next = next - now_ns();
    dds_duration_t longest = until_next < DDS_MSECS(100) ? until_next : DDS_MSECS(100);
    check(dds_waitset_wait(waitset, NULL, 0, longest > 0 ? longest : 0), "wait");
    receive_commands(commands, &delays);
  }
  receive_commands(commands, &delays);
  const char *events = optional_text_option(argc, argv, "--events");
  if (events != NULL) write_events(events, &delays.arrivals, &delays.forwarded);
  printf("{\"commands\":%zu,", delays.arrived.count);
  print_distribution("forwarded_us", &delays.forwarded);
  putchar(',');
  print_distribution("arrived_us", &delays.arrived);
  puts("}");
  dds_delete(domain);
  return 0;
}
