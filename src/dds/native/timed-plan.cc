#include "timed-plan.h"

#include <utility>

#include "little-endian.h"

namespace hlc {

void TimedSlots::replace(TimedPlan& plan) {
  std::swap(plan_, plan);
  left_ = 1 + plan_.repeats.count;
  number_++;
}

void TimedSlots::drop(uint64_t plan) {
  if (plan == number_) drop();
}

int64_t TimedSlots::wake_at_ns() const {
  return left_ > 0 ? plan_.slot.not_before_ns : std::numeric_limits<int64_t>::max();
}

std::optional<TimedSlots::Due> TimedSlots::take(int64_t now_ns) {
  for (; left_ > 0; advance()) {
    const TimedSlot slot = plan_.slot;
    if (slot.index <= last_.index || now_ns > slot.not_after_ns || repeats_last()) continue;
    if (now_ns < slot.not_before_ns) return std::nullopt;
    advance();
    last_ = slot;
    put_little_endian(plan_.bytes.data() + plan_.patch_offset, slot.value);
    return Due{plan_.writer, slot, std::move(plan_.bytes), plan_.id, number_};
  }
  return std::nullopt;
}

bool TimedSlots::repeats_last() const {
  const TimedSlot& slot = plan_.slot;
  // The relation of the two clocks, and with it the instant of a value, moves a little from plan to plan.
  return slot.value <= last_.value && slot.not_after_ns < last_.not_after_ns + plan_.repeats.every_ns / 4;
}

void TimedSlots::advance() {
  const auto& [count, every_ns, delay_ns] = plan_.repeats;
  TimedSlot& slot = plan_.slot;
  slot.index++;
  slot.not_before_ns += every_ns + (left_ > count ? delay_ns : 0);
  slot.not_after_ns += every_ns;
  slot.value += static_cast<uint64_t>(every_ns);
  left_--;
}

void TimedSlots::give_back(Due& due) {
  if (due.plan == number_) plan_.bytes = std::move(due.bytes);
}

}  // namespace hlc
