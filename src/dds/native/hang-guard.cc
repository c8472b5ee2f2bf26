#include "hang-guard.h"

#include <algorithm>

namespace hlc {

namespace {

/** The pacer's thread is late by no more than this, unless the whole process is held up. */
constexpr int64_t longest_delay_ns = 100'000'000;

/** After the process was held up, its JavaScript thread beats within this time, unless it hangs. */
constexpr int64_t patience_ns = 300'000'000;

}  // namespace

void HangGuard::arm(HangLimits limits, int64_t now_ns) {
  limits_ = limits;
  hung_after_ns_ = none;
  patient_until_ns_ = none;
  judged_again_ = false;
  beat(now_ns);
}

bool HangGuard::alive(int64_t now_ns) const {
  return limits_.after_ns <= 0 || now_ns - last_beat_ns() < limits_.after_ns;
}

bool HangGuard::is_late(int64_t due_ns, int64_t now_ns) { return now_ns - due_ns > longest_delay_ns; }

void HangGuard::awake(int64_t due_ns, int64_t now_ns) {
  held_up_ = is_late(due_ns, now_ns);
  if (!held_up_) return;
  held_up_after_ns_ = last_beat_ns();
  if (alive(now_ns)) patient_until_ns_ = now_ns + patience_ns;
}

int64_t HangGuard::due_ns(int64_t last_ns) const {
  return std::max(last_ns + limits_.after_ns, patient_until_ns_);
}

std::optional<Hang> HangGuard::detect(int64_t now_ns) {
  if (limits_.watch_only || alive(now_ns) || now_ns < patient_until_ns_) return std::nullopt;
  looked_at_ns_ = now_ns;
  const int64_t last_ns = last_beat_ns();
  const bool known = last_ns == hung_after_ns_;
  if (known && !judged_again_) return std::nullopt;
  hung_after_ns_ = last_ns;
  // The patience is none of the time in which the process was held up.
  const bool held_up_now = held_up_ || now_ns - due_ns(last_ns) > longest_delay_ns;
  const bool held_up_before = limits_.guarded && last_ns == held_up_after_ns_;
  const bool suspended = !known && (held_up_now || held_up_before);
  judged_again_ = suspended && !limits_.guarded;
  if (judged_again_) patient_until_ns_ = now_ns + patience_ns;
  return Hang{now_ns - last_ns, suspended, known};
}

int64_t HangGuard::look_at_ns() const {
  if (limits_.watch_only || limits_.after_ns <= 0) return std::numeric_limits<int64_t>::max();
  const int64_t last_ns = last_beat_ns();
  // A beat wakes no thread, so the end of a hang is seen at the next look only. A hang that follows is
  // detected in time all the same, since that look comes before.
  const bool judged = last_ns == hung_after_ns_ && !judged_again_;
  return due_ns(judged ? looked_at_ns_ : last_ns);
}

}  // namespace hlc
