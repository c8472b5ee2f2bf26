/*
 * The least controller: answers each start signal at once with one trajectory for each of its
 * vehicles, and reports at the end when the start signals arrived. It serves the product and the
 * references alike.
 *
 *   --vehicle-ids=1,2   the vehicles it drives
 *   --domain=1          the controller side
 *   --points=10         points of a trajectory
 *   --vehicles=20       how many vehicles each start signal must list
 *   --period-ns=…       how far apart the times of start signals must be
 *   --skip=500          start signals at the beginning that do not count: warming up
 *   --stamp-clock=1     stamp commands with the clock, not with the time of the start signal
 *   --events=FILE       writes the time and the lateness of each counted start signal to a file
 *   --realtime-priority=…   as in priority.h
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "distribution.h"
#include "endpoints.h"
#include "options.h"
#include "priority.h"
#include "program.h"

/* Between the points of a trajectory, ns. */
static const uint64_t point_distance = 100000000;

typedef struct {
  uint64_t period_ns;
  uint32_t vehicles;
  int64_t skip;
} Expected;

typedef struct {
  int64_t start_signals, gaps;
  uint64_t last_t_now;
  int64_t first_counted_at, last_at;
  /* On the monotonic clock. */
  Distribution arrivals;
  /* From the time that a start signal names to its arrival here. */
  Distribution lateness;
  /* From one arrival to the next. */
  Distribution steps;
} Record;

static void note(Record *record, const VehicleStateList *list, const Expected *expected) {
  int64_t now = now_ns();
  if (list->state_list._length != expected->vehicles)
    fail("start signal %" PRIu64 " lists %u vehicles, not %u", list->t_now,
         list->state_list._length, expected->vehicles);
  if (record->start_signals > 0 && list->t_now != record->last_t_now + expected->period_ns)
    record->gaps++;
  record->last_t_now = list->t_now;
  int64_t before = record->last_at;
  record->last_at = steady_ns();
  if (record->start_signals++ < expected->skip) return;
  if (record->start_signals == expected->skip + 1) record->first_counted_at = record->last_at;
  else add_duration(&record->steps, record->last_at - before);
  add_duration(&record->arrivals, record->last_at);
  add_duration(&record->lateness, now - (int64_t)list->t_now);
}

static void print_record(Record *record, const Expected *expected) {
  int64_t intervals = record->start_signals - expected->skip - 1;
  double seconds = (record->last_at - record->first_counted_at) / 1e9;
  printf("{\"start_signals\":%" PRId64 ",\"gaps\":%" PRId64 ",\"per_second\":%.1f,",
         record->start_signals, record->gaps, intervals > 0 ? intervals / seconds : 0);
  printf("\"first_counted_ns\":%" PRId64 ",\"last_ns\":%" PRId64 ",", record->first_counted_at,
         record->last_at);
  print_distribution("lateness_us", &record->lateness);
  printf(",");
  print_distribution("steps_us", &record->steps);
  puts("}");
}

static void sign_in(dds_entity_t ready, const VehicleIds *ids) {
  for (int i = 0; i < ids->count; i++) {
    char source_id[8];
    snprintf(source_id, sizeof source_id, "hlc_%u", ids->id[i]);
    check(dds_write(ready, &(ReadyStatus){ .source_id = source_id }), "ready signal");
  }
}

/* The first point is in the past, or is now; the others are ahead. */
static void plan(VehicleCommandTrajectory *command, uint64_t t_now) {
  for (uint32_t i = 0; i < command->trajectory_points._length; i++) {
    double way = 0.1 * i;
    command->trajectory_points._buffer[i] =
        (TrajectoryPoint){ .t = { t_now + i * point_distance }, .px = way, .py = 1, .vx = 1 };
  }
}

int main(int argc, char **argv) {
  take_priority(argc, argv);
  const VehicleIds ids = vehicle_ids_option(argc, argv);
  const bool stamp_clock = integer_option(argc, argv, "--stamp-clock", 0) != 0;
  const uint32_t points = (uint32_t)integer_option(argc, argv, "--points", 10);
  const Expected expected = {
    .period_ns = (uint64_t)integer_option(argc, argv, "--period-ns", 50000000),
    .vehicles = (uint32_t)integer_option(argc, argv, "--vehicles", 1),
    .skip = integer_option(argc, argv, "--skip", 0),
  };
  end_on_signals();

  dds_entity_t domain = join((dds_domainid_t)integer_option(argc, argv, "--domain", 1));
  dds_entity_t lists = start_signal_reader(domain);
  dds_entity_t replies = reply_writer(domain);
  dds_entity_t ready = ready_writer(domain);
  wait_for_reliable_reader(replies);
  sign_in(ready, &ids);

  VehicleCommandTrajectory command = {
    .trajectory_points = { points, points, calloc(points, sizeof(TrajectoryPoint)), true },
  };
  VehicleStateList list = { 0 };
  Record record = { 0 };
  dds_entity_t waitset = wait_for_samples(domain, lists);
  while (running) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(100)), "wait");
    dds_sample_info_t info;
    if (check(dds_take(lists, &(void *){ &list }, &info, 1, 1), "list") == 0 || !info.valid_data)
      continue;
    note(&record, &list, &expected);
    plan(&command, list.t_now);
    for (int i = 0; i < ids.count; i++) {
      TimeStamp stamp = { stamp_clock ? (uint64_t)now_ns() : list.t_now };
      command.vehicle_id = ids.id[i];
      command.header = (Header){ stamp, stamp };
      check(dds_write(replies, &command), "reply");
    }
  }
  const char *events = optional_text_option(argc, argv, "--events");
  if (events != NULL) write_events(events, &record.arrivals, &record.lateness);
  print_record(&record, &expected);
  VehicleStateList_free(&list, DDS_FREE_CONTENTS);
  free(command.trajectory_points._buffer);
  dds_delete(domain);
  return 0;
}
