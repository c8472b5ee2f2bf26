#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "event-queue.h"

namespace hlc {

/**
 * A thread that sleeps until an absolute instant of the monotonic clock and then posts a tick.
 * Which instant comes next is decided in TypeScript (src/core), one `arm` per tick.
 */
class Pacer {
 public:
  explicit Pacer(EventQueue& queue);
  ~Pacer();
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;

  /** Ticks once at `deadline_ns` (at once when it is past), in place of any earlier deadline. */
  void arm(int64_t deadline_ns);
  /** Forgets the deadline, if one is armed. */
  void disarm();

 private:
  void run();

  EventQueue& queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  bool armed_ = false;
  int64_t deadline_ns_ = 0;
  std::thread thread_;
};

}  // namespace hlc
