#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "stamped-sample.h"

namespace hlc {

/** A stop command whose speed falls with the time. */
struct StopRamp {
  StampedSample sample;
  /** Place of the speed, a 64-bit float, little endian. */
  size_t speed_offset = 0;
  /** Speed when the command was written, m/s, negative when driving backwards. */
  double speed = 0;
  /** m/s^2, above 0. */
  double deceleration = 0;
  /** When the command was written, ns. */
  int64_t set_at_ns = 0;
};

/** When a ramp is continued, ns. */
struct RampTimes {
  /** From the last `set` to the first repetition. */
  int64_t after_ns = 0;
  int64_t repeat_ns = 0;
  /** From speed 0 to the last repetition. */
  int64_t rest_ns = 0;
};

/**
 * The stops that are under way. While the JavaScript thread is held up, and sets none of them anew, their
 * commands are repeated with the speed that is left. The caller locks.
 */
class StopRamps {
 public:
  /** A ramp in a node of its own, so that no memory is allocated while the caller locks. */
  struct Entry {
    StopRamp ramp;
    int64_t due_ns = 0;
    int64_t end_ns = 0;
    RampTimes times;
  };
  using Entries = std::map<int32_t, Entry>;

  static Entries::node_type node(int32_t key, StopRamp ramp, const RampTimes& times);
  /** @return the ramp before, which is to be freed after the lock */
  Entries::node_type set(Entries::node_type node);
  /** @return as `set` does */
  Entries::node_type remove(int32_t key) { return entries_.extract(key); }
  /** @return as `set` does, all of them */
  Entries clear();

  /** Nothing is due before this instant, ns. */
  void wait_until(int64_t instant_ns);
  /** When the next repetition is due, ns; the maximum when there is none. */
  int64_t wake_at_ns() const;
  /** Puts a command that is due into the outgoing sample; false when none is. */
  bool take(OutgoingSample& outgoing, int64_t now_ns);

 private:
  Entries entries_;
};

}  // namespace hlc
