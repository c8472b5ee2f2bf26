#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "emergency-samples.h"
#include "event-queue.h"
#include "hang-guard.h"
#include "service-socket.h"
#include "stamped-sample.h"
#include "stop-ramps.h"
#include "timed-plan.h"

namespace hlc {

/** What kept the JavaScript thread from its work. The numbers are places in `stalls` of `native-pacer.ts`. */
enum class Stall : int32_t {
  /** Nothing, or only what it did itself. */
  none = 0,
  /** The whole process was held up. */
  suspended = 1,
  /** It hung, and all samples for that were written. */
  stopped = 2,
};

/**
 * A thread that sleeps until absolute instants of the monotonic clock: it posts ticks, writes the
 * slots of a plan, goes on with the ramps of stops while the JavaScript thread is held up, and writes the
 * emergency samples by itself when that thread hangs. While it does not hang, this thread writes the beacon
 * and feeds the watchdog of the service manager. What is written when is decided in TypeScript. Nothing is
 * locked while a sample is written.
 */
class Pacer {
 public:
  /** @param id the entity of its events */
  Pacer(int32_t id, EventQueue& queue);
  ~Pacer();
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;

  /** Ticks once at `deadline_ns` (at once when it is past), in place of any earlier deadline. */
  void arm(int64_t deadline_ns);
  /** Forgets the deadline, if one is armed. */
  void disarm();

  /** Replaces the plan; nothing is taken from the begin of a hang until `hang_seen`. */
  void schedule(TimedPlan plan);
  /** Drops the plan. A slot that is being written is written when this returns. */
  void cancel();

  /** Index of the last slot that was written; the minimum before the first. */
  int64_t last_index();

  /** Replaces the sample under this key, but not from the begin of a hang until `hang_seen`. */
  void set_emergency_sample(int32_t key, StampedSample sample, Occasion occasion);
  void remove_emergency_sample(int32_t key) { emergency_samples_.remove(key); }
  /** The simulated time, ns: the base of the stamps of all emergency samples. */
  void set_emergency_time(int64_t simulated_ns) { emergency_samples_.set_time(simulated_ns); }
  /**
   * Drops the plan and, unless the hang guard only watches, the ramps. Writes the emergency samples on the
   * calling thread, at once and then at every repetition until the duration is over. Counts as beats.
   * @return how many samples were written
   */
  uint32_t emergency_stop(int64_t repeat_ns, int64_t duration_ns, Occasion occasion);
  /** The command of this ramp was written just now. Without effect from the begin of a hang until `hang_seen`. */
  void set_ramp(int32_t key, StopRamp ramp, const RampTimes& times);
  void remove_ramp(int32_t key);
  void arm_hang_guard(HangLimits limits);
  void beat();
  /** Age of the last beat when a hang was detected that `hang_seen` was not called for, ns. */
  std::optional<int64_t> unseen_hang_ns();
  /** What has happened since the last beat, or in a hang that JavaScript has not seen. */
  Stall stall();
  /**
   * JavaScript has seen the last hang, which is a beat.
   * @return whether the samples for a hang were written in it; they are not where the process was held up
   */
  bool hang_seen();

  /** Writes the sample at every interval from now on, in place of the one before. */
  void set_beacon(StampedSample sample, int64_t interval_ns);
  void remove_beacon();
  /** Feeds the watchdog at every interval from now on. */
  void feed_watchdog(std::unique_ptr<ServiceSocket> socket, int64_t interval_ns);

  /** For the scheduler. */
  std::thread::native_handle_type thread() { return thread_.native_handle(); }

 private:
  using Lock = std::unique_lock<std::mutex>;

  /** The emergency samples that the thread repeats by itself. */
  struct Series {
    int64_t next_ns = 0;
    int64_t end_ns = 0;
    int64_t repeat_ns = 0;
    Occasion occasion = Occasion::after_hang;
    /** It ends when JavaScript comes back: its samples were prepared before a suspension. */
    bool only_while_hanging = false;
    /** JavaScript is told with the first repetition. */
    bool reports = false;
  };

  /** What is done at every interval. */
  struct Recurring {
    int64_t next_ns = 0;
    int64_t interval_ns = 0;

    bool due(int64_t now_ns) const { return next_ns <= now_ns; }
    /** After a delay of this thread, the times that were missed are left out. */
    void advance(int64_t now_ns);
  };

  void run();
  /** Does the most urgent of what is due; false when nothing is. */
  bool serve(Lock& lock);
  /** When something is to be done next; the maximum when nothing is. */
  int64_t wake_at_ns() const;
  /** Unlocks, and wakes the thread when it sleeps beyond this instant. */
  void wake_before(Lock& lock, int64_t instant_ns);
  void begin_series(int64_t now_ns, const Hang& hang);
  void continue_series(Lock& lock, int64_t now_ns);
  void write_slot(Lock& lock, TimedSlots::Due due);
  /** False when no ramp is due. */
  bool continue_ramp(Lock& lock, int64_t now_ns);
  void tick(Lock& lock, int64_t now_ns);
  /** What is done while the JavaScript thread does not hang; false when nothing is due. */
  bool show_life(Lock& lock, int64_t now_ns);
  void write_beacon(Lock& lock);
  void push_write_failed(dds_entity_t writer, dds_return_t code);

  const int32_t id_;
  EventQueue& queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable slot_written_;
  bool ending_ = false;
  bool armed_ = false;
  int64_t deadline_ns_ = 0;
  /** The thread looks again by then; it is woken only for what is to be done before. */
  int64_t asleep_until_ns_ = 0;
  /** It looks at the clock then at the latest, unless the whole process is held up. */
  int64_t awake_at_ns_;
  TimedSlots slots_;
  bool writing_slot_ = false;
  StopRamps ramps_;
  HangGuard guard_;
  bool hang_unseen_ = false;
  /** The samples for a hang were written in the last one. */
  bool hang_samples_written_ = false;
  int64_t hang_silent_ns_ = 0;
  std::optional<Series> series_;
  std::optional<StampedSample> beacon_;
  Recurring beacon_times_;
  /** The last write of the beacon failed. */
  bool beacon_failed_ = false;
  std::unique_ptr<ServiceSocket> watchdog_;
  Recurring watchdog_times_;
  EmergencySamples emergency_samples_;
  /** Of the pacer's thread. */
  OutgoingSample outgoing_;
  /** Of the JavaScript thread. */
  OutgoingSample outgoing_of_caller_;
  std::thread thread_;
};

}  // namespace hlc
