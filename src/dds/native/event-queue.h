#pragma once

#include <napi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "event-record.h"

namespace hlc {

/**
 * Carries events from the threads of the DDS library and of the pacer to the JavaScript thread:
 * one crossing per wake-up, with all that came since the last one.
 *
 * The queue is bounded: a producer of samples asks `has_room` first, leaves its samples in the
 * reader's cache when there is none, and is called again through `on_delivered` after the next
 * delivery. Other events are small and few, and are always taken.
 */
class EventQueue {
 public:
  /** The queue deletes itself once `close` was called and no call of Node's can reach it. */
  static EventQueue* create(Napi::Env env, Napi::Function deliver, size_t capacity_bytes,
                            std::function<void()> on_delivered);
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /** True while JavaScript handles events; for its thread. */
  bool is_delivering() const { return is_delivering_; }

  bool has_room() const { return pending_bytes_.load(std::memory_order_relaxed) < capacity_; }

  /** Appends one record and wakes the JavaScript thread. From any thread. */
  void push(EventRecord head, const void* payload, size_t payload_bytes);
  /** Appends the changed status of a reader or writer, with two of its counts, and wakes. */
  void push_status(EventKind kind, int32_t entity, int64_t first, int64_t second);

  /** Appends one record without a wake-up; `wake` follows after the last of a series. */
  void append(EventRecord head, const void* payload, size_t payload_bytes);
  void wake();

  /**
   * No event is delivered after this; pending ones are dropped. JavaScript thread only, after the
   * last producer is gone.
   */
  void close();

 private:
  EventQueue(Napi::Env env, size_t capacity_bytes, std::function<void()> on_delivered);
  ~EventQueue() = default;

  static void deliver_on_js_thread(Napi::Env env, Napi::Function callback, EventQueue* queue,
                                   void* data);
  using Tsfn = Napi::TypedThreadSafeFunction<EventQueue, void, &EventQueue::deliver_on_js_thread>;

  void deliver(Napi::Env env, Napi::Function callback);
  /** False when nothing is pending; `delivering_` has it otherwise. */
  bool take_pending();
  /** False when JavaScript threw, or cannot be run any more. */
  bool hand_over(Napi::Env env, Napi::Function callback);

  const size_t capacity_;
  const std::function<void()> on_delivered_;
  bool is_delivering_ = false;
  std::mutex mutex_;
  std::vector<uint8_t> pending_;
  std::vector<uint8_t> delivering_;
  std::atomic<size_t> pending_bytes_{0};
  std::atomic<bool> wake_requested_{false};
  std::atomic<bool> closed_{false};
  Napi::Reference<Napi::ArrayBuffer> batch_;
  Tsfn tsfn_;
};

}  // namespace hlc
