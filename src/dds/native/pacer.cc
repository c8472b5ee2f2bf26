#include "pacer.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "clocks.h"

namespace hlc {

namespace {

/** The kernel may delay a sleeper by its timer slack, 50 us unless told otherwise. */
constexpr unsigned long smallest_timer_slack_ns = 1;

constexpr int64_t never_ns = std::numeric_limits<int64_t>::max();

}  // namespace

Pacer::Pacer(EventQueue& queue) : queue_(queue), thread_([this] { run(); }) {}

Pacer::~Pacer() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Pacer::arm(int64_t deadline_ns) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    armed_ = true;
    deadline_ns_ = deadline_ns;
    if (deadline_ns >= asleep_until_ns_) return;
  }
  changed_.notify_one();
}

void Pacer::disarm() {
  std::lock_guard<std::mutex> lock(mutex_);
  armed_ = false;
}

void Pacer::prepare_start(PreparedStart prepared) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    duty_.prepare(std::move(prepared));
    if (duty_.wake_at_ns().value_or(never_ns) >= asleep_until_ns_) return;
  }
  changed_.notify_one();
}

bool Pacer::claim(int64_t due_ns, uint32_t left) {
  std::lock_guard<std::mutex> lock(mutex_);
  return duty_.claim(due_ns, left);
}

void Pacer::cancel_start() {
  std::lock_guard<std::mutex> lock(mutex_);
  duty_.cancel();
}

int64_t Pacer::wake_at_ns() const {
  const int64_t prepared_ns = duty_.wake_at_ns().value_or(never_ns);
  return armed_ ? std::min(deadline_ns_, prepared_ns) : prepared_ns;
}

void Pacer::run() {
  prctl(PR_SET_NAME, "hlc-pacer");
  prctl(PR_SET_TIMERSLACK, smallest_timer_slack_ns);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ending_) {
    const int64_t wake_ns = wake_at_ns();
    const int64_t now_ns = monotonic_ns();
    asleep_until_ns_ = wake_ns;
    if (wake_ns == never_ns) {
      changed_.wait(lock);
    } else if (now_ns < wake_ns) {
      // steady_clock is CLOCK_MONOTONIC here, and its epoch is that clock's epoch.
      changed_.wait_until(
          lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(wake_ns)));
    } else if (duty_.wake_at_ns().value_or(never_ns) <= now_ns) {
      // First what is sent, then whoever thinks about it.
      send_start();
    } else {
      tick(lock, now_ns);
    }
  }
}

void Pacer::tick(std::unique_lock<std::mutex>& lock, int64_t now_ns) {
  armed_ = false;
  EventRecord head;
  head.kind = EventKind::tick;
  head.a = deadline_ns_;
  head.b = now_ns;
  head.c = realtime_ns();
  // Whom this wakes wants the lock at once.
  lock.unlock();
  queue_.push(head, nullptr, 0);
  lock.lock();
}

void Pacer::send_start() {
  const auto failed = duty_.serve([this](const SentStart& sent) {
    EventRecord head;
    head.kind = EventKind::start_sent;
    head.flags = sent.repeated ? flag_repeated : 0;
    head.a = static_cast<int64_t>(sent.period_time_ns);
    head.b = sent.monotonic_ns;
    head.c = sent.realtime_ns;
    queue_.append(head, nullptr, 0);
  });
  queue_.wake();
  if (!failed) return;
  const std::string cause = dds_strretcode(-failed->code);
  EventRecord head;
  head.kind = EventKind::write_failed;
  head.entity = failed->writer;
  queue_.push(head, cause.data(), cause.size());
}

}  // namespace hlc
