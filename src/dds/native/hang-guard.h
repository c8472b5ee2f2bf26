#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace hlc {

/** When a thread counts as hanging, and what is repeated then. */
struct HangLimits {
  /** Age of the last beat, ns; 0 is never. */
  int64_t after_ns = 0;
  /** 0 is once. */
  int64_t repeat_ns = 0;
  int64_t duration_ns = 0;
  /** A hang is only seen in `alive`: nothing is written because of it. */
  bool watch_only = false;
  /** Another process stops the vehicles while this one is held up. */
  bool guarded = false;
};

/** What `HangGuard::detect` found. */
struct Hang {
  /** Age of the last beat, ns. */
  int64_t silent_ns = 0;
  /** The process was held up until now, so JavaScript may be back at once; `guarded`: or since its last beat. */
  bool suspended = false;
  /** Found before as `suspended`. JavaScript did not come back. */
  bool known = false;
};

/** Judges by its beats whether the JavaScript thread hangs. The caller locks, except for `beat`. */
class HangGuard {
 public:
  /** Arming is a beat. */
  void arm(HangLimits limits, int64_t now_ns);
  /** From any thread. */
  void beat(int64_t now_ns) { beat_ns_.store(now_ns, std::memory_order_relaxed); }
  /** True while the last beat is younger than the limit, or there is no limit. */
  bool alive(int64_t now_ns) const;
  /**
   * The caller is awake, and was to be from `due_ns` on. Where that is late, the whole process was held up. A
   * JavaScript thread that is not silent for longer than the limit then gets time to beat before a hang counts.
   */
  void awake(int64_t due_ns, int64_t now_ns);
  /** True when the process was held up just now. */
  bool held_up() const { return held_up_; }
  /** True when it was held up after the last beat. */
  bool held_up_since_beat() const { return last_beat_ns() == held_up_after_ns_; }
  /** True when a thread that was to be awake at this instant has not been by now: the process was held up. */
  static bool is_late(int64_t due_ns, int64_t now_ns);
  /** Once for each hang, and unless `guarded` once more when one that was `suspended` goes on. */
  std::optional<Hang> detect(int64_t now_ns);
  /** True while there is no beat after the hang that was detected last. */
  bool hanging() const { return last_beat_ns() == hung_after_ns_; }
  /** The instant at which `detect` is to be called, ns. */
  int64_t look_at_ns() const;
  const HangLimits& limits() const { return limits_; }

 private:
  static constexpr int64_t none = std::numeric_limits<int64_t>::min();

  int64_t last_beat_ns() const { return beat_ns_.load(std::memory_order_relaxed); }
  /** When a hang after this beat counts, ns. */
  int64_t due_ns(int64_t last_ns) const;

  HangLimits limits_;
  std::atomic<int64_t> beat_ns_{none};
  /** The beat after which the hang began that was detected last. */
  int64_t hung_after_ns_ = none;
  /** When it was looked at last while that hang lasted. */
  int64_t looked_at_ns_ = none;
  /** No hang counts before this instant. */
  int64_t patient_until_ns_ = none;
  /** The caller was awake too late. */
  bool held_up_ = false;
  /** The beat after which the process was held up. */
  int64_t held_up_after_ns_ = none;
  /** The hang that was detected last is judged once more after the patience. */
  bool judged_again_ = false;
};

}  // namespace hlc
