#include "hang-guard.h"

#include <algorithm>

namespace hlc {

namespace {

/** After the process was held up, its JavaScript thread beats within this time, unless it hangs. */
constexpr int64_t patience_ns = 300'000'000;

}  // namespace

void HangGuard::arm(HangLimits limits, int64_t now_ns) {
  limits_ = limits;
  hung_after_ns_ = none;
  patient_until_ns_ = none;
  beat(now_ns);
}

bool HangGuard::alive(int64_t now_ns) const {
  return limits_.after_ns <= 0 || now_ns - last_beat_ns() < limits_.after_ns;
}

void HangGuard::held_up(int64_t now_ns) {
  if (alive(now_ns)) patient_until_ns_ = now_ns + patience_ns;
}

std::optional<int64_t> HangGuard::detect(int64_t now_ns) {
  if (limits_.watch_only || alive(now_ns) || now_ns < patient_until_ns_) return std::nullopt;
  looked_at_ns_ = now_ns;
  const int64_t last_ns = last_beat_ns();
  if (last_ns == hung_after_ns_) return std::nullopt;
  hung_after_ns_ = last_ns;
  return now_ns - last_ns;
}

int64_t HangGuard::look_at_ns() const {
  if (limits_.watch_only || limits_.after_ns <= 0) return std::numeric_limits<int64_t>::max();
  const int64_t last_ns = last_beat_ns();
  // A beat wakes no thread, so the end of a hang is seen at the next look only. A hang that follows is
  // detected in time all the same, since that look comes before.
  const int64_t due_ns = (last_ns == hung_after_ns_ ? looked_at_ns_ : last_ns) + limits_.after_ns;
  return std::max(due_ns, patient_until_ns_);
}

}  // namespace hlc
