/*
 * A controller of several vehicles in a process of its own, for tests that judge motion. It answers
 * every start signal with commands that let each vehicle drive at one speed.
 *
 * Usage: judge-controller DOMAIN ID[:OPTION=VALUE]...   with these options for each vehicle:
 *   kinds=dstp      kinds in each period: direct, speed and curvature, trajectory, path
 *   v=1             speed, m/s; the throttle is a third of it
 *   ahead=MS        valid-after stamp of the commands after the start signal
 *   early=MS        both stamps of the commands after the start signal
 *   apart=MS        from the command of one kind to that of the next one
 *   odd=WHAT        what is wrong with them: none, nan, inf, highest, lowest (±1.8e308 everywhere),
 *                   places (1e300, with sane speeds) or open (a path that is not closed)
 *
 * Orders on the standard input, a line each: "sign in" (all vehicles get a ready signal), "silent", "answer", "unasked MS" (from now on it sends commands
 * at this interval, without a start signal), "leave" (closes everything and ends, as does the end of the
 * input), "set ID OPTION=VALUE", and "extra ID KIND MS V ODD": with the next
 * answer one more command of this kind, valid after MS. Events on the standard output, each a line
 * of JSON with `t`, the monotonic clock in microseconds: "ready", "met" when there is a reader of ready signals and
 * a writer of start signals, "start" for each start signal,
 * "stop" for a stop trigger, "extra" with `id` when it is sent.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ReadyStatus.h"
#include "SystemTrigger.h"
#include "VehicleCommandDirect.h"
#include "VehicleCommandPathTracking.h"
#include "VehicleCommandSpeedCurvature.h"
#include "VehicleCommandTrajectory.h"
#include "VehicleStateList.h"
#include "wire.h"

enum { IDS = 256, POINTS = 21, SEGMENTS = 32 };

static const uint64_t ms_ns = 1000000;

struct drive {
  bool exists;
  char kinds[8];
  double speed_mps;
  int64_t ahead_ms, early_ms, apart_ms;
  char odd[16];
  uint64_t plan_from_ns;
  struct extra {
    char kind;
    int64_t ahead_ms;
    double speed_mps;
    char odd[16];
  } extra;
};

static struct drive drives[IDS];
static dds_entity_t direct_writer, speed_writer, trajectory_writer, path_writer;

static bool is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

static void set_option(struct drive *drive, const char *text) {
  const char *value;
  if ((value = value_of(text, "kinds"))) snprintf(drive->kinds, sizeof drive->kinds, "%s", value);
  else if ((value = value_of(text, "v"))) drive->speed_mps = strtod(value, NULL);
  else if ((value = value_of(text, "ahead"))) drive->ahead_ms = strtoll(value, NULL, 10);
  else if ((value = value_of(text, "odd"))) snprintf(drive->odd, sizeof drive->odd, "%s", value);
  else if ((value = value_of(text, "apart"))) drive->apart_ms = strtoll(value, NULL, 10);
  else if ((value = value_of(text, "early"))) drive->early_ms = strtoll(value, NULL, 10);
  else {
    fprintf(stderr, "judge-controller: no option %s\n", text);
    exit(2);
  }
}

/* What a number of a command becomes; places have values of their own. */
static double odd_number(double value, const char *odd, bool is_place) {
  if (is(odd, "nan")) return NAN;
  if (is(odd, "inf")) return INFINITY;
  if (is(odd, "highest")) return 1.7976931348623157e308;
  if (is(odd, "lowest")) return -1.7976931348623157e308;
  if (is(odd, "places") && is_place) return value + 1e300;
  return value;
}

static void send_trajectory(int id, Header header, struct drive *drive, double v, const char *odd,
                            uint64_t t_now) {
  static TrajectoryPoint points[POINTS];
  if (drive->plan_from_ns == 0) drive->plan_from_ns = t_now;
  for (int i = 0; i < POINTS; i++) {
    const int64_t step_ns = (int64_t)(i - 2) * 100 * (int64_t)ms_ns;
    const uint64_t t = t_now + (uint64_t)step_ns;
    const double since_s = (double)(int64_t)(t - drive->plan_from_ns) / 1e9;
    const double sign = is(odd, "highest") && i % 2 == 1 ? -1 : 1;
    points[i].t.nanoseconds = t;
    points[i].px = sign * odd_number(v * since_s, odd, true);
    points[i].py = odd_number(2.0 * id, odd, false);
    points[i].vx = odd_number(v, odd, false);
    points[i].vy = odd_number(0, odd, false);
  }
  VehicleCommandTrajectory message = { .vehicle_id = (uint8_t)id, .header = header };
  message.trajectory_points._buffer = points;
  message.trajectory_points._length = message.trajectory_points._maximum = POINTS;
  check(dds_write(trajectory_writer, &message), "write a trajectory");
}

static void send_path(int id, Header header, double v, const char *odd) {
  static PathPoint points[SEGMENTS + 1];
  for (int i = 0; i <= SEGMENTS; i++) {
    const double s = 2 * M_PI * i / SEGMENTS;
    const double turned = 2 * M_PI * (i % SEGMENTS) / SEGMENTS;
    points[i].s = s;
    points[i].pose.x = odd_number(sin(turned), odd, true);
    points[i].pose.y = odd_number(2 * id + 1 - cos(turned), odd, true);
    points[i].pose.yaw = odd_number(turned, odd, false);
  }
  VehicleCommandPathTracking message = { .vehicle_id = (uint8_t)id, .header = header };
  message.path._buffer = points;
  message.path._length = message.path._maximum = is(odd, "open") ? SEGMENTS : SEGMENTS + 1;
  message.speed = odd_number(v, odd, false);
  check(dds_write(path_writer, &message), "write a path");
}

static void send_command(int id, char kind, uint64_t t_now, uint64_t create_ns, int64_t ahead_ms, double v,
                         const char *odd) {
  const Header header = { { create_ns }, { create_ns + (uint64_t)(ahead_ms * (int64_t)ms_ns) } };
  switch (kind) {
    case 'd': {
      VehicleCommandDirect message = { (uint8_t)id, header, odd_number(v / 3, odd, false), 0 };
      check(dds_write(direct_writer, &message), "write a direct command");
      break;
    }
    case 's': {
      VehicleCommandSpeedCurvature message = { (uint8_t)id, header, odd_number(v, odd, false), 0 };
      check(dds_write(speed_writer, &message), "write a speed");
      break;
    }
    case 't':
      send_trajectory(id, header, &drives[id], v, odd, t_now);
      break;
    default:
      send_path(id, header, v, odd);
  }
}

static void answer(uint64_t t_now) {
  for (int id = 0; id < IDS; id++) {
    struct drive *drive = &drives[id];
    if (!drive->exists) continue;
    uint64_t create_ns = t_now + (uint64_t)(drive->early_ms * (int64_t)ms_ns);
    for (const char *kind = drive->kinds; *kind != '\0'; kind++) {
      if (kind > drive->kinds) dds_sleepfor(drive->apart_ms * (int64_t)ms_ns);
      send_command(id, *kind, t_now, create_ns++, drive->ahead_ms, drive->speed_mps, drive->odd);
    }
    struct extra *extra = &drive->extra;
    if (extra->kind == '\0') continue;
    send_command(id, extra->kind, t_now, create_ns, extra->ahead_ms, extra->speed_mps, extra->odd);
    extra->kind = '\0';
    report("extra", id);
  }
}

static void add_extra(const char *text) {
  int id;
  struct extra extra = { .odd = "none" };
  if (sscanf(text, "%d %c %" SCNd64 " %lf %15s", &id, &extra.kind, &extra.ahead_ms,
             &extra.speed_mps, extra.odd) < 4) {
    fprintf(stderr, "judge-controller: cannot read \"extra %s\"\n", text);
    exit(2);
  }
  drives[id & 255].extra = extra;
}

static dds_entity_t ready_writer;

static void sign_in(void) {
  for (int id = 0; id < IDS; id++) {
    if (!drives[id].exists) continue;
    char name[16];
    snprintf(name, sizeof name, "hlc_%d", id);
    ReadyStatus status = { .source_id = name };
    check(dds_write(ready_writer, &status), "write a ready signal");
  }
}

/* Interval of commands without a start signal; 0: none. */
static int64_t unasked_ms;

/* False when the program shall end. */
static bool obey_orders(bool *answers) {
  bool ended;
  const char *order;
  while ((order = next_order(&ended)) != NULL) {
    int id, used = 0;
    if (is(order, "leave")) return false;
    if (is(order, "sign in")) sign_in();
    if (is(order, "silent")) *answers = false;
    if (is(order, "answer")) *answers = true;
    if (strncmp(order, "unasked ", 8) == 0) unasked_ms = strtoll(order + 8, NULL, 10);
    if (strncmp(order, "extra ", 6) == 0) add_extra(order + 6);
    if (sscanf(order, "set %d %n", &id, &used) == 1 && used > 0) set_option(&drives[id & 255], order + used);
  }
  return !ended;
}

static void add_drive(char *text) {
  char *rest = NULL;
  struct drive *drive = &drives[atoi(strtok_r(text, ":", &rest)) & 255];
  *drive = (struct drive){ .exists = true, .kinds = "d", .speed_mps = 1, .odd = "none" };
  for (char *option; (option = strtok_r(NULL, ":", &rest)) != NULL;) set_option(drive, option);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  for (int i = 2; i < argc; i++) add_drive(argv[i]);
  const dds_entity_t participant =
      check(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  const dds_entity_t starts =
      open_reader(participant, &VehicleStateList_desc, "vehicleStateList", false, false);
  const dds_entity_t triggers =
      open_reader(participant, &SystemTrigger_desc, "systemTrigger", true, true);
  direct_writer = open_writer(participant, &VehicleCommandDirect_desc, "vehicleCommandDirect", false, false);
  speed_writer = open_writer(participant, &VehicleCommandSpeedCurvature_desc,
                             "vehicleCommandSpeedCurvature", false, false);
  trajectory_writer = open_writer(participant, &VehicleCommandTrajectory_desc,
                                  "vehicleCommandTrajectory", false, false);
  path_writer = open_writer(participant, &VehicleCommandPathTracking_desc,
                            "vehicleCommandPathTracking", false, false);
  ready_writer = open_writer(participant, &ReadyStatus_desc, "readyStatus", true, true);
  open_orders();
  report("ready", -1);

  const dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  const dds_entity_t readers[] = { starts, triggers };
  for (int i = 0; i < 2; i++) {
    const dds_entity_t any = check(dds_create_readcondition(readers[i], DDS_ANY_STATE), "condition");
    check(dds_waitset_attach(waitset, any, 0), "attach");
  }
  void *list[1], *trigger[1];
  list[0] = VehicleStateList__alloc();
  trigger[0] = SystemTrigger__alloc();
  dds_sample_info_t info;
  bool answers = true, met = false;
  dds_time_t unasked_at = dds_time();
  while (obey_orders(&answers)) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(5)), "wait");
    if (!met && is_read(ready_writer) && is_written(starts)) met = true, report("met", -1);
    if (unasked_ms > 0 && dds_time() >= unasked_at) {
      unasked_at = dds_time() + unasked_ms * (int64_t)ms_ns;
      answer((uint64_t)dds_time());
    }
    while (check(dds_take(starts, list, &info, 1, 1), "take") > 0) {
      if (!info.valid_data) continue;
      const uint64_t t_now = ((VehicleStateList *)list[0])->t_now;
      if (answers) answer(t_now);
      report("start", -1);
    }
    while (check(dds_take(triggers, trigger, &info, 1, 1), "take") > 0) {
      const bool stops = info.valid_data && ((SystemTrigger *)trigger[0])->next_start.nanoseconds == UINT64_MAX;
      if (stops) report("stop", -1);
    }
  }
  dds_delete(participant);
  return 0;
}
