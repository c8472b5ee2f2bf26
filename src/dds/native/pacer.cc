#include "pacer.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "clocks.h"
#include "raw-sample.h"
#include "scheduling.h"

namespace hlc {

namespace {

/** The kernel may delay a sleeper by its timer slack, 50 us by default. */
constexpr unsigned long smallest_timer_slack_ns = 1;

/** After the process was held up, the JavaScript thread goes on with the stops itself within this time. */
constexpr int64_t ramp_patience_ns = 100'000'000;

constexpr int64_t never_ns = std::numeric_limits<int64_t>::max();

/** steady_clock is CLOCK_MONOTONIC here, and its epoch is that clock's epoch. */
std::chrono::steady_clock::time_point time_point(int64_t monotonic_ns) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(monotonic_ns));
}

}  // namespace

Pacer::Pacer(int32_t id, EventQueue& queue)
    : id_(id), queue_(queue), awake_at_ns_(monotonic_ns()), thread_([this] { run(); }) {
  // It has this name before it runs: a thread is found by its name.
  pthread_setname_np(thread_.native_handle(), pacer_thread_name);
}

Pacer::~Pacer() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Pacer::wake_before(Lock& lock, int64_t instant_ns) {
  const bool sleeps_beyond = instant_ns < asleep_until_ns_;
  lock.unlock();
  if (sleeps_beyond) changed_.notify_one();
}

void Pacer::arm(int64_t deadline_ns) {
  Lock lock(mutex_);
  armed_ = true;
  deadline_ns_ = deadline_ns;
  wake_before(lock, deadline_ns);
}

void Pacer::disarm() {
  std::lock_guard<std::mutex> lock(mutex_);
  armed_ = false;
}

void Pacer::schedule(TimedPlan plan) {
  Lock lock(mutex_);
  if (hang_unseen_) return;
  slots_.replace(plan);
  wake_before(lock, slots_.wake_at_ns());
}

void Pacer::cancel() {
  Lock lock(mutex_);
  slots_.drop();
  slot_written_.wait(lock, [this] { return !writing_slot_; });
}

int64_t Pacer::last_index() {
  std::lock_guard<std::mutex> lock(mutex_);
  return slots_.last_index();
}

void Pacer::set_emergency_sample(int32_t key, StampedSample sample, Occasion occasion) {
  {
    // The samples before the hang are still repeated, and are right for its time.
    std::lock_guard<std::mutex> lock(mutex_);
    if (hang_unseen_) return;
  }
  emergency_samples_.set(key, std::move(sample), occasion);
}

void Pacer::set_ramp(int32_t key, StopRamp ramp, const RampTimes& times) {
  ramp.set_at_ns = monotonic_ns();
  auto node = StopRamps::node(key, std::move(ramp), times);
  StopRamps::Entries::node_type before;
  Lock lock(mutex_);
  if (hang_unseen_) return;
  before = ramps_.set(std::move(node));
  wake_before(lock, ramps_.wake_at_ns());
}

void Pacer::remove_ramp(int32_t key) {
  StopRamps::Entries::node_type removed;
  std::lock_guard<std::mutex> lock(mutex_);
  removed = ramps_.remove(key);
}

uint32_t Pacer::emergency_stop(int64_t repeat_ns, int64_t duration_ns, Occasion occasion) {
  StopRamps::Entries ramps;
  {
    // Not `cancel`: a start signal whose write is blocked must not delay this.
    std::lock_guard<std::mutex> lock(mutex_);
    slots_.drop();
    if (!guard_.limits().watch_only) ramps = ramps_.clear();
  }
  const int64_t end_ns = monotonic_ns() + duration_ns;
  int64_t next_ns = monotonic_ns();
  uint32_t written = 0;
  for (;;) {
    beat();
    written += emergency_samples_.write_all(outgoing_of_caller_, occasion);
    // After a write that was blocked, the repetitions that were missed are left out.
    next_ns = std::max(next_ns + repeat_ns, monotonic_ns());
    if (repeat_ns <= 0 || next_ns > end_ns) return written;
    std::this_thread::sleep_until(time_point(next_ns));
  }
}

void Pacer::arm_hang_guard(HangLimits limits) {
  Lock lock(mutex_);
  guard_.arm(limits, monotonic_ns());
  wake_before(lock, guard_.look_at_ns());
}

void Pacer::beat() { guard_.beat(monotonic_ns()); }

std::optional<int64_t> Pacer::unseen_hang_ns() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!hang_unseen_) return std::nullopt;
  return hang_silent_ns_;
}

Stall Pacer::stall() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (hang_unseen_ && hang_samples_written_) return Stall::stopped;
  // The thread may not have run since the process goes on.
  const bool is_late = HangGuard::is_late(asleep_until_ns_, monotonic_ns());
  const bool held_up = hang_unseen_ || is_late || guard_.held_up_since_beat();
  return held_up ? Stall::suspended : Stall::none;
}

bool Pacer::hang_seen() {
  beat();
  std::lock_guard<std::mutex> lock(mutex_);
  hang_unseen_ = false;
  return hang_samples_written_;
}

void Pacer::set_beacon(StampedSample sample, int64_t interval_ns) {
  std::optional<StampedSample> replaced(std::move(sample));
  Lock lock(mutex_);
  const int64_t now_ns = monotonic_ns();
  // A replacement is written when the one before would have been.
  const int64_t next_ns = beacon_ ? beacon_times_.next_ns : now_ns;
  beacon_times_ = {std::min(next_ns, now_ns + interval_ns), interval_ns};
  if (beacon_) replaced->continue_after(*beacon_);
  std::swap(beacon_, replaced);
  wake_before(lock, beacon_times_.next_ns);
}

void Pacer::remove_beacon() {
  std::optional<StampedSample> removed;
  std::lock_guard<std::mutex> lock(mutex_);
  std::swap(beacon_, removed);
}

void Pacer::feed_watchdog(std::unique_ptr<ServiceSocket> socket, int64_t interval_ns) {
  Lock lock(mutex_);
  std::swap(watchdog_, socket);
  watchdog_times_ = {monotonic_ns(), interval_ns};
  wake_before(lock, watchdog_times_.next_ns);
}

int64_t Pacer::wake_at_ns() const {
  int64_t wake_ns = std::min(slots_.wake_at_ns(), guard_.look_at_ns());
  if (beacon_) wake_ns = std::min(wake_ns, beacon_times_.next_ns);
  if (watchdog_) wake_ns = std::min(wake_ns, watchdog_times_.next_ns);
  if (armed_) wake_ns = std::min(wake_ns, deadline_ns_);
  if (series_) wake_ns = std::min(wake_ns, series_->next_ns);
  wake_ns = std::min(wake_ns, ramps_.wake_at_ns());
  return wake_ns;
}

void Pacer::run() {
  prctl(PR_SET_TIMERSLACK, smallest_timer_slack_ns);
  Lock lock(mutex_);
  while (!ending_) {
    if (serve(lock)) continue;
    asleep_until_ns_ = wake_at_ns();
    if (asleep_until_ns_ == never_ns) {
      changed_.wait(lock);
      awake_at_ns_ = monotonic_ns();
    } else {
      changed_.wait_until(lock, time_point(asleep_until_ns_));
      awake_at_ns_ = asleep_until_ns_;
    }
  }
}

bool Pacer::serve(Lock& lock) {
  const int64_t now_ns = monotonic_ns();
  // Also what it did itself may have been held up.
  guard_.awake(std::exchange(awake_at_ns_, now_ns), now_ns);
  if (guard_.held_up()) ramps_.wait_until(now_ns + ramp_patience_ns);
  if (const auto hang = guard_.detect(now_ns)) begin_series(now_ns, *hang);
  if (series_ && series_->next_ns <= now_ns) {
    continue_series(lock, now_ns);
    return true;
  }
  // A start signal before the tick: the reader of the tick may use the processor for long.
  if (auto due = slots_.take(now_ns)) {
    write_slot(lock, std::move(*due));
    return true;
  }
  if (continue_ramp(lock, now_ns)) return true;
  if (armed_ && deadline_ns_ <= now_ns) {
    tick(lock, now_ns);
    return true;
  }
  return show_life(lock, now_ns);
}

void Pacer::begin_series(int64_t now_ns, const Hang& hang) {
  // No start signal follows a stop, and the emergency samples stop these vehicles as well.
  slots_.drop();
  ramps_.clear();
  hang_unseen_ = true;
  const HangLimits& limits = guard_.limits();
  const Occasion occasion = hang.suspended ? Occasion::after_suspension : Occasion::after_hang;
  series_ = Series{now_ns, now_ns + limits.duration_ns, limits.repeat_ns, occasion};
  series_->only_while_hanging = hang.known;
  hang_samples_written_ = false;
  hang_silent_ns_ = hang.silent_ns;
  // Each hang is reported once.
  series_->reports = !hang.known;
}

void Pacer::continue_series(Lock& lock, int64_t now_ns) {
  if (series_->only_while_hanging && !guard_.hanging()) {
    series_.reset();
    return;
  }
  const bool reports = std::exchange(series_->reports, false);
  const Occasion occasion = series_->occasion;
  // After a delay of this thread, the repetitions that were missed are left out.
  series_->next_ns = std::max(series_->next_ns + series_->repeat_ns, now_ns);
  if (series_->repeat_ns <= 0 || series_->next_ns > series_->end_ns) series_.reset();
  if (occasion == Occasion::after_hang) hang_samples_written_ = true;
  lock.unlock();
  emergency_samples_.write_all(outgoing_, occasion);
  if (reports) {
    EventRecord head;
    head.kind = EventKind::sent_by_hang;
    head.entity = id_;
    queue_.push(head, nullptr, 0);
  }
  lock.lock();
}

void Pacer::write_slot(Lock& lock, TimedSlots::Due due) {
  writing_slot_ = true;
  lock.unlock();
  const ClockReading now = read_both_clocks();
  EventRecord head;
  head.kind = EventKind::slot_sent;
  head.entity = id_;
  head.a = static_cast<int64_t>(due.slot.value);
  head.b = now.monotonic_ns;
  head.c = now.realtime_ns;
  // Before the bytes, so that it precedes any answer.
  const int64_t written[] = {due.slot.index, due.plan_id};
  queue_.append(head, written, sizeof written);
  const dds_return_t result = write_cdr(due.writer, due.bytes.data(), due.bytes.size());
  queue_.wake();
  if (result != DDS_RETCODE_OK) push_write_failed(due.writer, result);
  lock.lock();
  slots_.give_back(due);
  if (result != DDS_RETCODE_OK) slots_.drop(due.plan);
  writing_slot_ = false;
  slot_written_.notify_all();
}

bool Pacer::continue_ramp(Lock& lock, int64_t now_ns) {
  if (!ramps_.take(outgoing_, now_ns)) return false;
  lock.unlock();
  // The next repetition follows a write that fails.
  outgoing_.write();
  lock.lock();
  return true;
}

void Pacer::tick(Lock& lock, int64_t now_ns) {
  armed_ = false;
  EventRecord head;
  head.kind = EventKind::tick;
  head.entity = id_;
  head.a = deadline_ns_;
  head.b = now_ns;
  head.c = realtime_ns();
  // The thread that this wakes needs the lock at once.
  lock.unlock();
  queue_.push(head, nullptr, 0);
  lock.lock();
}

void Pacer::Recurring::advance(int64_t now_ns) {
  next_ns += interval_ns;
  if (next_ns <= now_ns) next_ns = now_ns + interval_ns;
}

bool Pacer::show_life(Lock& lock, int64_t now_ns) {
  const bool alive = guard_.alive(now_ns);
  if (watchdog_ && watchdog_times_.due(now_ns)) {
    watchdog_times_.advance(now_ns);
    // Does not block, so the lock stays.
    if (alive) watchdog_->send("WATCHDOG=1");
    return true;
  }
  if (beacon_ && beacon_times_.due(now_ns)) {
    beacon_times_.advance(now_ns);
    if (alive) write_beacon(lock);
    return true;
  }
  return false;
}

void Pacer::write_beacon(Lock& lock) {
  outgoing_.take(*beacon_);
  lock.unlock();
  const dds_return_t result = outgoing_.write();
  // Once, and not at every interval.
  const bool failed = result != DDS_RETCODE_OK;
  if (failed && !beacon_failed_) push_write_failed(outgoing_.writer(), result);
  beacon_failed_ = failed;
  lock.lock();
}

void Pacer::push_write_failed(dds_entity_t writer, dds_return_t code) {
  const std::string cause = dds_strretcode(-code);
  EventRecord head;
  head.kind = EventKind::write_failed;
  head.entity = writer;
  queue_.push(head, cause.data(), cause.size());
}

}  // namespace hlc
