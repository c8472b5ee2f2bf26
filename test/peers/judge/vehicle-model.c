#include "vehicle-model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Response of the speed to its target, s: of a vehicle without a response of its own, and as it starts. */
static const double common_response_s = 0.2;
static const double starting_response_s = 0.02;
/* Deceleration without throttle, and the least one towards standstill, m/s^2. */
static const double friction_mps2 = 2.0;
/* Speed at full throttle, and the highest speed at all, m/s. */
static const double throttle_mps = 3.0;
static const double highest_mps = 5.0;
/* A vehicle does not move for a target below this, m/s. */
static const double least_mps = 0.01;
/* Speed for each metre that the vehicle is behind its planned place, 1/s. */
static const double place_gain = 1.0;
/* By its response alone a vehicle passes the place of its rest by less than this. */
static const double farthest_passed_m = 0.2;

const char *const kind_names[KINDS] = { "direct", "speedCurvature", "trajectory", "pathTracking" };
const char kind_letters[KINDS + 1] = "dstp";

struct model_options default_model_options(void) {
  struct model_options made = { .response_s = common_response_s };
  memcpy(made.order, kind_letters, sizeof made.order);
  return made;
}

static uint64_t rank(const struct vehicle *vehicle, const struct command *command) {
  return vehicle->options.rank_by_valid ? command->valid_ns : command->create_ns;
}

void receive_command(struct vehicle *vehicle, const struct command *command) {
  struct command *kept = vehicle->commands[command->kind];
  int *count = &vehicle->counts[command->kind];
  if (*count == MOST_COMMANDS) {
    memmove(kept, kept + 1, (MOST_COMMANDS - 1) * sizeof *kept);
    --*count;
  }
  kept[(*count)++] = *command;
}

/* The newest command of a kind that holds at this time; a later arrival wins a tie. */
static const struct command *newest(const struct vehicle *vehicle, enum kind kind, uint64_t now_ns) {
  const struct command *found = NULL;
  for (int i = 0; i < vehicle->counts[kind]; i++) {
    const struct command *command = &vehicle->commands[kind][i];
    if (command->valid_ns > now_ns) continue;
    if (found == NULL || rank(vehicle, command) >= rank(vehicle, found)) found = command;
  }
  return found;
}

static enum kind kind_of(char letter) {
  return (enum kind)(strchr(kind_letters, letter) - kind_letters);
}

/* The command that the vehicle obeys: the highest kind that is young, else the youngest of all. */
static const struct command *choose(const struct vehicle *vehicle, uint64_t now_ns) {
  const struct model_options *options = &vehicle->options;
  const struct command *youngest = NULL;
  for (const char *letter = options->order; *letter != '\0'; letter++) {
    const struct command *command = newest(vehicle, kind_of(*letter), now_ns);
    if (command == NULL) continue;
    const uint64_t age_ns = now_ns - command->valid_ns;
    if (options->timeout_ns > 0 && age_ns > options->timeout_ns) continue;
    if (options->window_ns == 0 || age_ns <= options->window_ns) return command;
    if (youngest == NULL || command->valid_ns > youngest->valid_ns) youngest = command;
  }
  return youngest;
}

struct planned {
  double px, py, vx, vy;
};

/* The plan at a time, by cubic splines; beyond its ends it goes on as it begins and ends. */
static struct planned plan_at(const struct command *plan, uint64_t now_ns) {
  uint32_t next = 0;
  while (next < plan->count && plan->points[next].t < now_ns) next++;
  const struct point *to = &plan->points[next];
  if (next == 0 || next == plan->count) {
    const struct point *end = next == 0 ? to : to - 1;
    const double since_s = ((double)now_ns - (double)end->t) / 1e9;
    return (struct planned){ end->px + end->vx * since_s, end->py + end->vy * since_s, end->vx,
                             end->vy };
  }
  const struct point *from = to - 1;
  const double length_s = (double)(to->t - from->t) / 1e9;
  const double u = (double)(now_ns - from->t) / 1e9 / length_s;
  const double h00 = 2 * u * u * u - 3 * u * u + 1, h10 = u * u * u - 2 * u * u + u;
  const double h01 = -2 * u * u * u + 3 * u * u, h11 = u * u * u - u * u;
  const double d00 = 6 * u * u - 6 * u, d10 = 3 * u * u - 4 * u + 1, d11 = 3 * u * u - 2 * u;
  return (struct planned){
    h00 * from->px + h10 * length_s * from->vx + h01 * to->px + h11 * length_s * to->vx,
    h00 * from->py + h10 * length_s * from->vy + h01 * to->py + h11 * length_s * to->vy,
    d00 * (from->px - to->px) / length_s + d10 * from->vx + d11 * to->vx,
    d00 * (from->py - to->py) / length_s + d10 * from->vy + d11 * to->vy,
  };
}

static double trajectory_target(const struct vehicle *vehicle, const struct command *plan,
                                uint64_t now_ns) {
  if (plan->count == 0) return NAN;
  const struct planned at = plan_at(plan, now_ns);
  const double speed = hypot(at.vx, at.vy);
  if (!vehicle->options.tracks_place) return speed;
  const double behind_m =
      (at.px - vehicle->x) * cos(vehicle->yaw) + (at.py - vehicle->y) * sin(vehicle->yaw) - vehicle->jumped_m;
  const double target = speed + place_gain * behind_m;
  const bool reverses = vehicle->options.reverses && behind_m < -farthest_passed_m;
  return target < 0 && !reverses ? 0 : target;
}

static double target_of(const struct vehicle *vehicle, const struct command *command,
                        uint64_t now_ns) {
  switch (command->kind) {
    case DIRECT:
      return throttle_mps * fmin(1, fmax(-1, command->value));
    case TRAJECTORY:
      return trajectory_target(vehicle, command, now_ns);
    default:
      return command->value;
  }
}

/* The change of the speed in this time, towards standstill. */
static double slowed(double speed_mps, double deceleration_mps2, double dt_s) {
  const double less = fabs(speed_mps) - deceleration_mps2 * dt_s;
  return less <= 0 ? 0 : copysign(less, speed_mps);
}

/* A vehicle that rolls does not become slower than its brakes make it. */
static double not_harder(const struct vehicle *vehicle, double before_mps, double after_mps, double dt_s) {
  const double hardest_mps2 = vehicle->options.hardest_mps2;
  if (hardest_mps2 == 0 || before_mps == 0) return after_mps;
  const double least = slowed(before_mps, hardest_mps2, dt_s);
  return before_mps > 0 ? fmax(after_mps, least) : fmin(after_mps, least);
}

void step_vehicle(struct vehicle *vehicle, uint64_t now_ns, double dt_s) {
  const struct command *command = choose(vehicle, now_ns);
  vehicle->obeyed = command;
  const double wanted = command == NULL ? 0 : target_of(vehicle, command, now_ns);
  /* What is no number leaves the target as it was. */
  if (!isnan(wanted)) vehicle->target_mps = fmin(highest_mps, fmax(-highest_mps, wanted));
  const double speed = vehicle->speed_mps;
  if (fabs(vehicle->target_mps) >= least_mps) {
    const double response_s = vehicle->starts ? starting_response_s : vehicle->options.response_s;
    vehicle->speed_mps += (vehicle->target_mps - speed) * (1 - exp(-dt_s / response_s));
  } else {
    const bool coasts = command == NULL || command->kind == DIRECT;
    const double braking = coasts ? friction_mps2 : fmax(friction_mps2, fabs(speed) / vehicle->options.response_s);
    vehicle->speed_mps = slowed(speed, braking, dt_s);
  }
  vehicle->speed_mps = not_harder(vehicle, speed, vehicle->speed_mps, dt_s);
  vehicle->place_m += vehicle->speed_mps * dt_s;
  vehicle->distance_m += fabs(vehicle->speed_mps) * dt_s;
}
