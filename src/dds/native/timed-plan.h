#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace hlc {

/** One time at which the sample of a plan is written. */
struct TimedSlot {
  /** Rises from slot to slot, and over all plans. */
  int64_t index = 0;
  int64_t not_before_ns = 0;
  int64_t not_after_ns = 0;
  /** Put into the sample. */
  uint64_t value = 0;
};

/** The slots after the first one of a plan. */
struct SlotRepeats {
  int64_t count = 0;
  /** From slot to slot; the value rises by it, too. */
  int64_t every_ns = 0;
  /** Each of them begins later by this. */
  int64_t delay_ns = 0;
};

/** A sample, and when it is to be written. */
struct TimedPlan {
  /** Reported with every slot that is written. */
  int64_t id = 0;
  dds_entity_t writer = 0;
  std::vector<uint8_t> bytes;
  /** Where the value of the slot is put; eight bytes from here lie within `bytes`. */
  size_t patch_offset = 0;
  /** The next one. */
  TimedSlot slot;
  SlotRepeats repeats;
};

/** Which slot is written next. Plain data; the caller locks. */
class TimedSlots {
 public:
  /** What is to be written now. */
  struct Due {
    dds_entity_t writer = 0;
    TimedSlot slot;
    std::vector<uint8_t> bytes;
    int64_t plan_id = 0;
    uint64_t plan = 0;
  };

  /**
   * Replaces the plan; `plan` becomes the old one, so that its memory is given back outside of the
   * lock.
   */
  void replace(TimedPlan& plan);
  /** The slots that are left are not written. */
  void drop() { left_ = 0; }
  /** Drops the plan unless another one came since. */
  void drop(uint64_t plan);

  /** The instant at which `take` is to be called, ns; the maximum when no slot is left. */
  int64_t wake_at_ns() const;
  /**
   * The slot that is due, with the bytes of the plan, which `give_back` returns to it. Skips slots
   * whose time is over, and slots whose index or time was written before.
   */
  std::optional<Due> take(int64_t now_ns);
  void give_back(Due& due);
  /** Index of the last slot that was taken; the minimum before the first. */
  int64_t last_index() const { return last_.index; }

 private:
  static constexpr int64_t never = std::numeric_limits<int64_t>::min();

  /** The slot after the next one becomes the next one. */
  void advance();
  /**
   * True when the next slot has the time of the last one that was taken, or an earlier one, since its plan
   * does not know of that. Where the wall clock stepped back, a value comes again, but at least half a slot
   * later.
   */
  bool repeats_last() const;

  TimedPlan plan_;
  /** Slots that are left, the next one included. */
  int64_t left_ = 0;
  /** Counts the plans. */
  uint64_t number_ = 0;
  /** Before the first, each of its numbers is the minimum. */
  TimedSlot last_ = {never, never, never, 0};
};

}  // namespace hlc
