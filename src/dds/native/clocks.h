#pragma once

#include <cstdint>
#include <ctime>

namespace hlc {

inline int64_t read_clock(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/** Steady time of this machine, ns; the clock of every deadline and reply time. */
inline int64_t monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

/** Time since 1970, ns; follows every step of the system clock. */
inline int64_t realtime_ns() { return read_clock(CLOCK_REALTIME); }

struct ClockReading {
  int64_t monotonic_ns;
  int64_t realtime_ns;
};

/** Both clocks at one instant, as near as can be: an interrupted look is taken again. */
inline ClockReading read_both_clocks() {
  constexpr int64_t longest_gap_ns = 50'000;
  constexpr int most_tries = 5;
  for (int tries = 1;; tries++) {
    const int64_t before = monotonic_ns();
    const int64_t realtime = realtime_ns();
    const int64_t after = monotonic_ns();
    if (after - before <= longest_gap_ns || tries == most_tries) {
      return {before + (after - before) / 2, realtime};
    }
  }
}

}  // namespace hlc
