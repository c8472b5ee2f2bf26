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

}  // namespace hlc
