#include "timed-plan.h"

#include <utility>

#include "little-endian.h"

namespace hlc {

void TimedSlots::replace(TimedPlan& plan) {
  std::swap(plan_, plan);
  next_ = 0;
  number_++;
}

void TimedSlots::drop(uint64_t plan) {
  if (plan == number_) drop();
}

int64_t TimedSlots::wake_at_ns() const {
  if (next_ >= plan_.slots.size()) return std::numeric_limits<int64_t>::max();
  return plan_.slots[next_].not_before_ns;
}

std::optional<TimedSlots::Due> TimedSlots::take(int64_t now_ns) {
  for (; next_ < plan_.slots.size(); next_++) {
    const TimedSlot& slot = plan_.slots[next_];
    if (slot.index <= last_index_ || now_ns > slot.not_after_ns) continue;
    if (now_ns < slot.not_before_ns) return std::nullopt;
    next_++;
    last_index_ = slot.index;
    put_little_endian(plan_.bytes.data() + plan_.patch_offset, slot.value);
    return Due{plan_.writer, slot, std::move(plan_.bytes), plan_.id, number_};
  }
  return std::nullopt;
}

void TimedSlots::give_back(Due& due) {
  if (due.plan == number_) plan_.bytes = std::move(due.bytes);
}

}  // namespace hlc
