/*
 * A vehicle that moves along one line, for tests that judge a stop by motion. It shares no code and
 * no rules with the product. Unless an option says so, it never stops by itself: it obeys its last
 * command for ever.
 */
#ifndef VEHICLE_MODEL_H
#define VEHICLE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum kind { DIRECT, SPEED_CURVATURE, TRAJECTORY, PATH_TRACKING, KINDS };

/* As many as a vehicle of the CPM Lab keeps for one kind. */
enum { MOST_COMMANDS = 64, MOST_POINTS = 128 };

extern const char *const kind_names[KINDS];
/* The letter of each kind in the option `order`. */
extern const char kind_letters[KINDS + 1];

struct point {
  uint64_t t;
  double px, py, vx, vy;
};

struct command {
  enum kind kind;
  uint64_t create_ns;
  uint64_t valid_ns;
  /* Throttle, or speed in m/s; unused for a trajectory. */
  double value;
  uint32_t count;
  struct point points[MOST_POINTS];
};

struct model_options {
  /* The kinds by rank, the highest first, as letters. */
  char order[KINDS + 1];
  /* The newest command of a kind is the one with the highest valid-after stamp, not create stamp. */
  bool rank_by_valid;
  /* A kind of higher rank counts while its newest command is younger than this, ns; 0: for ever. */
  uint64_t window_ns;
  /* The vehicle obeys no command that is older than this, ns; 0: no time-out of its own. */
  uint64_t timeout_ns;
  /* On a trajectory the vehicle also closes its distance to the planned place. */
  bool tracks_place;
  /** Drives backwards to a place that it has passed by far. */
  bool reverses;
  /* Response of the speed to its target, s. */
  double response_s;
  /* It brakes no harder than this, m/s^2; 0: as hard as its response lets it. */
  double hardest_mps2;
};

struct vehicle {
  struct model_options options;
  struct command commands[KINDS][MOST_COMMANDS];
  int counts[KINDS];
  /* It takes on its first speed almost at once: nobody judges that, and many labs wait for it. */
  bool starts;
  /* What it obeyed in the last step; NULL before the first command. */
  const struct command *obeyed;
  double target_mps;
  double speed_mps;
  /* Signed way along the line, and the way in any direction, m. */
  double place_m;
  double distance_m;
  double x, y, yaw;
  /* By its own pose it is so much farther along its heading, m. */
  double jumped_m;
};

/* The default options: the order of kinds of the CPM Lab, and no time-out. */
struct model_options default_model_options(void);

/* Keeps a command; the caller's memory is not used afterwards. */
void receive_command(struct vehicle *vehicle, const struct command *command);

/* Moves the vehicle; `now_ns` is the time on the clock of the stamps. */
void step_vehicle(struct vehicle *vehicle, uint64_t now_ns, double dt_s);

#endif
