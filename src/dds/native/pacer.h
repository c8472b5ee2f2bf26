#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "event-queue.h"
#include "prepared-start.h"

namespace hlc {

/**
 * A thread that sleeps until an absolute instant of the monotonic clock and then posts a tick.
 * Which instant comes next is decided in TypeScript (src/core), one `arm` per tick. It also sends
 * the start signals that were prepared for it, at their time.
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

  /** See StartDuty. */
  void prepare_start(PreparedStart prepared);
  bool claim(int64_t due_ns, uint32_t left);
  void cancel_start();

  /** For the scheduler. */
  std::thread::native_handle_type thread() { return thread_.native_handle(); }

 private:
  void run();
  /** When something is to be done next; forever when nothing is. */
  int64_t wake_at_ns() const;
  void tick(std::unique_lock<std::mutex>& lock, int64_t now_ns);
  void send_start();

  EventQueue& queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  bool armed_ = false;
  int64_t deadline_ns_ = 0;
  /** The thread looks again by then; it is woken only for what is to be done before. */
  int64_t asleep_until_ns_ = 0;
  StartDuty duty_;
  std::thread thread_;
};

}  // namespace hlc
