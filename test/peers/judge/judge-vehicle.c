/*
 * Vehicles that judge a stop: they obey commands as vehicle-model.c says, send states at 50 Hz, and
 * log their motion at 200 Hz.
 *
 * Usage: judge-vehicle DOMAIN LOG ID[:OPTION=VALUE]...   with these options for each vehicle:
 *   order=dstp      kinds by rank: direct, speed and curvature, trajectory, path
 *   rank=create     stamp that makes a command the newest of its kind: create or valid
 *   window=MS       age up to which a command of a higher kind counts; 0, the default: for ever
 *   timeout=MS      age from which no command is obeyed; 0, the default: none
 *   track=1         a trajectory's places are tracked, too
 *   reverse=1       and it drives backwards to a place that it has passed by 0.2 m
 *   response=MS     response of its speed to a command, 200 by default
 *   hardest=A       it brakes with no more than A m/s^2
 *   shape=circle    poses on a circle of 1 m, as its path; line is the default
 *   states=off      no states
 *   states=old      no states but one: that of 1 s before the last one, once more
 *   speed=V         the speed sensor always reads V; "true" for a good one
 *   clock=MS        its clock is so far ahead
 *   pose=stuck      the published pose is that of the begin
 *   pose=frozen     the published pose is the last one from now on
 *   offset=M        the published pose is of a point so far ahead of the one that obeys
 *   late=MS         each state comes so late, up to 3 s
 *   jump=M          its own pose, by which it drives and which it publishes, is wrong by so much from now on
 *   held=1          somebody holds it: it stands, whatever it obeys
 *   carry=M         and carries it on by this, at 0.5 m/s
 *   ahead=MS        valid-after stamp of a state after its create stamp, 60 as in the CPM Lab
 *   future=MS       both stamps of a state so far ahead
 *
 * Orders on the standard input: "set ID OPTION=VALUE" changes an option; "trigger start" and
 * "trigger stop" write a system trigger, as the lab control does, once there is a reader of them;
 * "trigger again" writes the last start trigger with each tick from then on;
 * "end", or the end of the input, ends the program. Events on the standard output, each a line of JSON with `t`, the monotonic clock
 * in microseconds: "ready", "met" when there is a reader of the states, "tick" every 100 ms, and for a vehicle `id` "steady" (it has driven at
 * one speed for 0.2 s), "rest" (its speed has become 0) and "moves" (it is no longer 0).
 *
 * LOG gets a line of JSON for each vehicle and step { t, id, v, s, target, obeys, create, valid }
 * (m/s, m driven, m/s, kind, stamps in ns), and one for each command that came
 * { t, id, received, create, valid, value, points }.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "SystemTrigger.h"
#include "VehicleCommandDirect.h"
#include "VehicleCommandPathTracking.h"
#include "VehicleCommandSpeedCurvature.h"
#include "VehicleCommandTrajectory.h"
#include "VehicleState.h"
#include "vehicle-model.h"
#include "wire.h"

enum { IDS = 256, STEP_MS = 5, STATE_STEPS = 4, PAST_STATES = 200, OLD_STATES = 50, TICK_STEPS = 20, SPEED_STEPS = 10, SPEEDS = 5 };

static const double steady_mps = 0.02;
static const double moving_mps = 0.1;
static const double carrying_mps = 0.5;

struct judge {
  bool exists;
  struct vehicle vehicle;
  bool on_circle, sends_states, owes_old_state, pose_stuck, pose_frozen;
  double sensor_mps; /* NAN: the true speed */
  int64_t clock_ms, valid_ahead_ms, future_ms, late_ms;
  double offset_m;
  bool held;
  double carry_m; /* on the way that is left */
  VehicleState past_states[PAST_STATES];
  uint64_t published;
  Pose2D last_pose;
  double last_speeds[SPEEDS];
  bool reported_steady;
};

static struct judge judges[IDS];
static dds_entity_t readers[KINDS], states, triggers;
/* The system trigger that is to be written; 0: none. */
static uint64_t next_trigger_ns;
static uint64_t start_trigger_ns;
static bool repeats_trigger;
static FILE *motion;

static void set_option(struct judge *judge, const char *text) {
  struct model_options *options = &judge->vehicle.options;
  const char *value;
  if ((value = value_of(text, "order"))) snprintf(options->order, sizeof options->order, "%s", value);
  else if ((value = value_of(text, "rank"))) options->rank_by_valid = strcmp(value, "valid") == 0;
  else if ((value = value_of(text, "window"))) options->window_ns = strtoull(value, NULL, 10) * 1000000u;
  else if ((value = value_of(text, "timeout"))) options->timeout_ns = strtoull(value, NULL, 10) * 1000000u;
  else if ((value = value_of(text, "reverse"))) options->reverses = *value == '1';
  else if ((value = value_of(text, "response"))) options->response_s = strtod(value, NULL) / 1000;
  else if ((value = value_of(text, "hardest"))) options->hardest_mps2 = strtod(value, NULL);
  else if ((value = value_of(text, "track"))) options->tracks_place = *value == '1';
  else if ((value = value_of(text, "shape"))) judge->on_circle = strcmp(value, "circle") == 0;
  else if ((value = value_of(text, "states"))) {
    judge->owes_old_state = strcmp(value, "old") == 0;
    judge->sends_states = strcmp(value, "off") != 0 && !judge->owes_old_state;
  }
  else if ((value = value_of(text, "speed"))) judge->sensor_mps = strcmp(value, "true") == 0 ? NAN : strtod(value, NULL);
  else if ((value = value_of(text, "clock"))) judge->clock_ms = strtoll(value, NULL, 10);
  else if ((value = value_of(text, "pose"))) {
    judge->pose_stuck = strcmp(value, "stuck") == 0;
    judge->pose_frozen = strcmp(value, "frozen") == 0;
  }
  else if ((value = value_of(text, "offset"))) judge->offset_m = strtod(value, NULL);
  else if ((value = value_of(text, "jump"))) judge->vehicle.jumped_m = strtod(value, NULL);
  else if ((value = value_of(text, "held"))) judge->held = *value == '1';
  else if ((value = value_of(text, "carry"))) judge->carry_m = strtod(value, NULL);
  else if ((value = value_of(text, "late"))) judge->late_ms = strtoll(value, NULL, 10);
  else if ((value = value_of(text, "ahead"))) judge->valid_ahead_ms = strtoll(value, NULL, 10);
  else if ((value = value_of(text, "future"))) judge->future_ms = strtoll(value, NULL, 10);
  else {
    fprintf(stderr, "judge-vehicle: no option %s\n", text);
    exit(2);
  }
}

static void move_pose(struct judge *judge, int id) {
  struct vehicle *vehicle = &judge->vehicle;
  if (judge->on_circle) {
    vehicle->x = sin(vehicle->place_m);
    vehicle->y = 2 * id + 1 - cos(vehicle->place_m);
    vehicle->yaw = remainder(vehicle->place_m, 2 * M_PI);
  } else {
    vehicle->x = vehicle->place_m;
    vehicle->y = 2 * id;
    vehicle->yaw = 0;
  }
}

static void keep(int id, const struct command *command) {
  if (!judges[id].exists) return;
  receive_command(&judges[id].vehicle, command);
  fprintf(motion,
          "{\"t\":%" PRIu64 ",\"id\":%d,\"received\":\"%s\",\"create\":\"%" PRIu64
          "\",\"valid\":\"%" PRIu64 "\",\"value\":\"%g\",\"points\":%u}\n",
          t_us(), id, kind_names[command->kind], command->create_ns, command->valid_ns,
          command->value, command->count);
}

static struct command made(enum kind kind, const Header *header, double value) {
  return (struct command){ .kind = kind,
                           .create_ns = header->create_stamp.nanoseconds,
                           .valid_ns = header->valid_after_stamp.nanoseconds,
                           .value = value };
}

static void keep_sample(enum kind kind, const void *sample) {
  switch (kind) {
    case DIRECT: {
      const VehicleCommandDirect *direct = sample;
      struct command command = made(kind, &direct->header, direct->motor_throttle);
      keep(direct->vehicle_id, &command);
      break;
    }
    case SPEED_CURVATURE: {
      const VehicleCommandSpeedCurvature *speed = sample;
      struct command command = made(kind, &speed->header, speed->speed);
      keep(speed->vehicle_id, &command);
      break;
    }
    case PATH_TRACKING: {
      const VehicleCommandPathTracking *path = sample;
      struct command command = made(kind, &path->header, path->speed);
      command.count = path->path._length;
      keep(path->vehicle_id, &command);
      break;
    }
    default: {
      const VehicleCommandTrajectory *trajectory = sample;
      struct command command = made(kind, &trajectory->header, 0);
      const uint32_t length = trajectory->trajectory_points._length;
      command.count = length < MOST_POINTS ? length : MOST_POINTS;
      for (uint32_t i = 0; i < command.count; i++) {
        const TrajectoryPoint *point = &trajectory->trajectory_points._buffer[i];
        command.points[i] =
            (struct point){ point->t.nanoseconds, point->px, point->py, point->vx, point->vy };
      }
      keep(trajectory->vehicle_id, &command);
    }
  }
}

static void take_commands(void) {
  for (enum kind kind = 0; kind < KINDS; kind++) {
    void *samples[32] = { NULL };
    dds_sample_info_t infos[32];
    int32_t taken;
    while ((taken = check(dds_take(readers[kind], samples, infos, 32, 32), "take")) > 0) {
      for (int32_t i = 0; i < taken; i++) {
        if (infos[i].valid_data) keep_sample(kind, samples[i]);
      }
      check(dds_return_loan(readers[kind], samples, taken), "return loan");
      samples[0] = NULL;
    }
  }
}

static void log_motion(int id, uint64_t t) {
  const struct vehicle *vehicle = &judges[id].vehicle;
  const struct command *obeyed = vehicle->obeyed;
  fprintf(motion, "{\"t\":%" PRIu64 ",\"id\":%d,\"v\":%.5f,\"s\":%.5f,\"target\":%.5f", t, id,
          vehicle->speed_mps, vehicle->distance_m, vehicle->target_mps);
  if (obeyed != NULL) {
    fprintf(motion, ",\"obeys\":\"%s\",\"create\":\"%" PRIu64 "\",\"valid\":\"%" PRIu64 "\"",
            kind_names[obeyed->kind], obeyed->create_ns, obeyed->valid_ns);
  }
  fputs("}\n", motion);
}

static void publish_state(struct judge *judge, int id, uint64_t now_ns) {
  const struct vehicle *vehicle = &judge->vehicle;
  const uint64_t create_ns = now_ns + (uint64_t)(judge->future_ms * 1000000);
  VehicleState state = { .vehicle_id = (uint8_t)id };
  state.header.create_stamp.nanoseconds = create_ns;
  state.header.valid_after_stamp.nanoseconds = create_ns + (uint64_t)(judge->valid_ahead_ms * 1000000);
  if (judge->pose_stuck) state.pose = (Pose2D){ 0, 2 * id, 0 };
  else if (judge->pose_frozen) state.pose = judge->last_pose;
  else {
    const double ahead_m = judge->offset_m + vehicle->jumped_m;
    state.pose = (Pose2D){ vehicle->x + ahead_m * cos(vehicle->yaw),
                           vehicle->y + ahead_m * sin(vehicle->yaw), vehicle->yaw };
  }
  state.odometer_distance = judge->pose_stuck ? 0 : vehicle->distance_m;
  state.speed = isnan(judge->sensor_mps) ? vehicle->speed_mps : judge->sensor_mps;
  state.battery_voltage = 7.8;
  judge->last_pose = state.pose;
  judge->past_states[judge->published++ % PAST_STATES] = state;
  const uint64_t late = (uint64_t)(judge->late_ms / (STEP_MS * STATE_STEPS));
  if (late >= judge->published) return;
  check(dds_write(states, &judge->past_states[(judge->published - 1 - late) % PAST_STATES]), "write a state");
}

static void publish_old_state(struct judge *judge) {
  judge->owes_old_state = false;
  if (judge->published < OLD_STATES) return;
  check(dds_write(states, &judge->past_states[(judge->published - OLD_STATES) % PAST_STATES]), "write an old state");
}

static void report_if_steady(struct judge *judge, int id) {
  double *speeds = judge->last_speeds;
  memmove(speeds, speeds + 1, (SPEEDS - 1) * sizeof *speeds);
  const double speed = speeds[SPEEDS - 1] = judge->vehicle.speed_mps;
  double least = speed, most = speed;
  for (int i = 0; i < SPEEDS; i++) {
    least = fmin(least, speeds[i]);
    most = fmax(most, speeds[i]);
  }
  const bool steady = most - least < steady_mps && fabs(speed) > moving_mps;
  if (steady && !judge->reported_steady) report("steady", id);
  if (steady) judge->vehicle.starts = false;
  judge->reported_steady = steady;
}

static void hold(struct judge *judge, double dt_s) {
  const double most_m = carrying_mps * dt_s;
  const double by_m = fmin(most_m, fmax(-most_m, judge->carry_m));
  judge->vehicle.speed_mps = 0;
  judge->vehicle.place_m += by_m;
  judge->carry_m -= by_m;
}

/* The time since the step before, in parts that are short for the model. */
static void move(int id, uint64_t now_ns, double dt_s) {
  struct judge *judge = &judges[id];
  const double before = judge->vehicle.speed_mps;
  const int parts = 1 + (int)(dt_s / 0.005);
  for (int i = 0; i < parts; i++) {
    if (judge->held) hold(judge, dt_s / parts);
    else step_vehicle(&judge->vehicle, now_ns, dt_s / parts);
    move_pose(judge, id);
  }
  const double after = judge->vehicle.speed_mps;
  if (before != 0 && after == 0) report("rest", id);
  if (before == 0 && after != 0) report("moves", id);
}

static void report_if_met(void) {
  static bool met;
  if (!met && is_read(states)) report("met", -1);
  met = is_read(states);
}

static void write_trigger(void) {
  if (next_trigger_ns == 0 || !is_read(triggers)) return;
  SystemTrigger trigger = { { next_trigger_ns } };
  check(dds_write(triggers, &trigger), "write a trigger");
  next_trigger_ns = 0;
}

/* False at the end of the input. */
static bool obey_orders(void) {
  bool ended;
  const char *order;
  while ((order = next_order(&ended)) != NULL) {
    int id, used = 0;
    if (strcmp(order, "end") == 0) return false;
    if (strcmp(order, "trigger start") == 0) next_trigger_ns = start_trigger_ns = clock_ns(CLOCK_REALTIME);
    if (strcmp(order, "trigger again") == 0) repeats_trigger = true;
    if (strcmp(order, "trigger stop") == 0) next_trigger_ns = UINT64_MAX;
    if (sscanf(order, "set %d %n", &id, &used) == 1 && used > 0) set_option(&judges[id & 255], order + used);
  }
  return !ended;
}

static void add_vehicle(char *text) {
  char *rest = NULL;
  const int id = atoi(strtok_r(text, ":", &rest)) & 255;
  struct judge *judge = &judges[id];
  *judge = (struct judge){ .exists = true, .sends_states = true, .sensor_mps = NAN,
                           .valid_ahead_ms = 60 };
  judge->vehicle.options = default_model_options();
  for (char *option; (option = strtok_r(NULL, ":", &rest)) != NULL;) set_option(judge, option);
  move_pose(judge, id);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  motion = fopen(argv[2], "w");
  if (motion == NULL) return 2;
  for (int i = 3; i < argc; i++) add_vehicle(argv[i]);
  const dds_entity_t participant =
      check(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  const dds_topic_descriptor_t *const types[KINDS] = {
    &VehicleCommandDirect_desc, &VehicleCommandSpeedCurvature_desc, &VehicleCommandTrajectory_desc,
    &VehicleCommandPathTracking_desc
  };
  const char *const topics[KINDS] = { "vehicleCommandDirect", "vehicleCommandSpeedCurvature",
                                      "vehicleCommandTrajectory", "vehicleCommandPathTracking" };
  for (int i = 0; i < KINDS; i++) readers[i] = open_reader(participant, types[i], topics[i], false, true);
  states = open_writer(participant, &VehicleState_desc, "vehicleState", false, false);
  triggers = open_writer(participant, &SystemTrigger_desc, "systemTrigger", true, false);
  open_orders();
  report("ready", -1);

  struct timespec wake;
  clock_gettime(CLOCK_MONOTONIC, &wake);
  uint64_t last_ns = clock_ns(CLOCK_MONOTONIC);
  for (uint64_t step = 0; obey_orders(); step++) {
    take_commands();
    if (repeats_trigger && step % TICK_STEPS == 0) next_trigger_ns = start_trigger_ns;
    write_trigger();
    const uint64_t t_ns = clock_ns(CLOCK_MONOTONIC), now_ns = clock_ns(CLOCK_REALTIME);
    const double dt_s = (double)(t_ns - last_ns) / 1e9;
    last_ns = t_ns;
    for (int id = 0; id < IDS; id++) {
      if (!judges[id].exists) continue;
      const uint64_t own_ns = now_ns + (uint64_t)(judges[id].clock_ms * 1000000);
      move(id, own_ns, dt_s);
      log_motion(id, t_ns / 1000);
      if (judges[id].sends_states && step % STATE_STEPS == 0) publish_state(&judges[id], id, own_ns);
      if (judges[id].owes_old_state) publish_old_state(&judges[id]);
      if (step % SPEED_STEPS == 0) report_if_steady(&judges[id], id);
    }
    if (step % TICK_STEPS == 0) report_if_met(), report("tick", -1);
    wake.tv_nsec += STEP_MS * 1000000;
    if (wake.tv_nsec >= 1000000000) wake.tv_sec++, wake.tv_nsec -= 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL);
  }
  fclose(motion);
  dds_delete(participant);
  return 0;
}
