#include "pacer.h"

#include <sys/prctl.h>

#include <chrono>

#include "clocks.h"

namespace hlc {

namespace {

/** The kernel may delay a sleeper by its timer slack, 50 us unless told otherwise. */
constexpr unsigned long smallest_timer_slack_ns = 1;

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
  }
  changed_.notify_one();
}

void Pacer::disarm() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    armed_ = false;
  }
  changed_.notify_one();
}

void Pacer::run() {
  prctl(PR_SET_NAME, "hlc-pacer");
  prctl(PR_SET_TIMERSLACK, smallest_timer_slack_ns);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ending_) {
    if (!armed_) {
      changed_.wait(lock);
      continue;
    }
    const int64_t deadline = deadline_ns_;
    if (monotonic_ns() < deadline) {
      // steady_clock is CLOCK_MONOTONIC here, and its epoch is that clock's epoch.
      changed_.wait_until(
          lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline)));
      continue;
    }
    armed_ = false;
    EventRecord head;
    head.kind = EventKind::tick;
    head.a = deadline;
    head.b = monotonic_ns();
    head.c = realtime_ns();
    lock.unlock();
    queue_.push(head, nullptr, 0);
    lock.lock();
  }
}

}  // namespace hlc
